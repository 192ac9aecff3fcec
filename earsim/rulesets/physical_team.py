"""The joint verbs of `physical`: what agents lift, carry and put down together."""

from __future__ import annotations

from functools import cache

from earsim.actions import connect, give, goto, grab, offers, place, reach, team
from earsim.actions.checks import free_of_lock, issuer_exists
from earsim.actions.verb import Reach, Verb, failure, invalid
from earsim.rulesets.physical_witness import witnessed

_START = (issuer_exists, reach.awake)


@cache
def giving() -> Verb:
    """Handing over: one gives, the other takes it with `GRAB`."""
    taking = Verb(
        grab.GRAMMAR,
        (
            *invalid(*_START, reach.is_known),
            *failure(
                reach.is_object,
                free_of_lock,
                reach.hands_free,
                grab.is_unplugged,
                connect.can_be_taken,
                grab.fits_the_hands,
                grab.contents_fit_the_hands,
                grab.can_be_lifted,
                grab.rolls,
            ),
        ),
        give.hand,
        says="take what somebody here gives you now",
    )
    return Verb(
        give.GRAMMAR,
        (
            *invalid(*_START, reach.is_known, give.receiver_exists),
            *failure(
                free_of_lock,
                place.is_held,
                give.not_to_oneself,
                give.receiver_is_here,
                give.is_taken,
            ),
        ),
        witnessed(give.hand),
        says="hand over what you hold to an agent here who gives GRAB of it now",
        tells=give.gave,
        joint=True,
        answer=taking,
        seconds=3,
    )


@cache
def carrying_together() -> list[Verb]:
    """Lifting, walking and putting down together."""
    return [
        Verb(
            team.target_grammar("GRAB"),
            (
                *invalid(*_START, reach.is_known),
                *failure(
                    reach.is_object,
                    free_of_lock,
                    reach.in_nobodys_hands,
                    reach.in_reach,
                    reach.hands_free,
                    grab.is_unplugged,
                    connect.can_be_taken,
                    team.team_is_large_enough,
                    team.enough_give_it,
                    grab.fits_the_team,
                    grab.can_be_lifted_together,
                ),
            ),
            witnessed(grab.lift_together),
            says="lift something with all who give this command now; each needs a free hand",
            tells=grab.lifted,
            calls=offers.targets,
            reach=Reach.NEAR,
            uses_hands=True,
            joint=True,
            seconds=5,
        ),
        Verb(
            team.target_grammar("GOTO"),
            (
                *invalid(*_START, reach.is_known),
                *failure(
                    team.carries_something,
                    goto.can_be_approached,
                    goto.a_way_leads_there,
                    goto.hands_free_to_go,
                    connect.nothing_ties_the_hands,
                    goto.a_way_is_wide_enough,
                    team.all_carriers_give_it,
                ),
            ),
            witnessed(goto.walk_together),
            says="walk with what you carry together; all who carry it give this command now",
            tells=goto.went,
            calls=offers.targets,
            fixed=offers.rooms_and_doors,
            reach=Reach.ROOM,
            joint=True,
        ),
        Verb(
            team.place_grammar("PLACE"),
            (
                *invalid(*_START, reach.is_known, reach.destination_is_known),
                *failure(
                    team.carries_it,
                    place.destination_is_no_agent,
                    place.destination_in_reach,
                    place.destination_can_hold,
                    place.not_into_itself,
                    place.fits_in,
                    place.has_space,
                    place.is_borne,
                    team.all_carriers_give_it,
                ),
            ),
            witnessed(place.set_down_together),
            says="put down what you carry together; all who carry it give this command now",
            tells=place.placed,
            calls=offers.carried_placements,
            reach=Reach.NEAR,
            uses_hands=True,
            joint=True,
            seconds=5,
        ),
    ]
