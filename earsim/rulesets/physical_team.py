"""The joint verbs of `physical`: what agents lift, carry, put down and change together."""

from __future__ import annotations

from functools import cache

from earsim.actions import attribute, goto, grab, offers, place, reach, team
from earsim.actions.checks import issuer_exists
from earsim.actions.verb import Reach, Verb, failure, invalid
from earsim.rulesets.physical_witness import witnessed
from earsim.schema.verb_table import AttributeVerb

_START = (issuer_exists, reach.awake, team.are_a_team, team.all_awake)


@cache
def carrying_together() -> list[Verb]:
    """Lifting, walking and putting down together."""
    return [
        Verb(
            team.target_grammar("GRAB"),
            (
                *invalid(*_START, reach.known_to_team),
                *failure(
                    reach.is_object,
                    team.all_unburdened,
                    reach.in_nobodys_hands,
                    team.all_near,
                    team.each_a_hand,
                    grab.can_be_lifted_together,
                ),
            ),
            witnessed(grab.lift_together),
            says="lift something together; each needs a free hand",
            tells=grab.lifted,
            calls=offers.partner_targets,
            reach=Reach.NEAR,
            uses_hands=True,
            joint=True,
            seconds=5,
        ),
        Verb(
            team.target_grammar("GOTO"),
            (
                *invalid(*_START, reach.known_to_team),
                *failure(
                    goto.all_in_one_room,
                    goto.carriers_stay_together,
                    goto.can_be_approached,
                    goto.way_is_free,
                ),
            ),
            witnessed(goto.walk_together),
            says="walk together, with what you carry",
            tells=goto.went,
            calls=offers.partner_targets,
            fixed=offers.partner_rooms_and_doors,
            reach=Reach.ROOM,
            joint=True,
        ),
        Verb(
            team.place_grammar("PLACE"),
            (
                *invalid(*_START, reach.known_to_team, reach.destination_known),
                *failure(
                    team.exactly_the_carriers,
                    place.destination_is_no_agent,
                    team.all_near_destination,
                    place.destination_can_hold,
                    place.not_into_itself,
                    place.has_space,
                ),
            ),
            witnessed(place.set_down_together),
            says="put down together what you carry, in or on something near",
            tells=place.placed,
            calls=offers.partner_placements,
            reach=Reach.NEAR,
            uses_hands=True,
            joint=True,
            seconds=5,
        ),
    ]


@cache
def changing_together(row: AttributeVerb) -> Verb:
    """The joint form of an attribute verb."""
    return Verb(
        team.target_grammar(row.name.upper()),
        (
            *invalid(*_START, reach.known_to_team),
            *failure(
                attribute.has_state,
                team.all_near,
                attribute.has_the_value,
                attribute.lock_allows,
                attribute.somebody_is_equipped,
            ),
        ),
        witnessed(attribute.change),
        says=attribute.says_together(row),
        tells=attribute.changed,
        calls=offers.partner_targets,
        reach=Reach.NEAR,
        uses_hands=True,
        joint=True,
        attribute=row,
        seconds=5,
    )
