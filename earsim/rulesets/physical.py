"""The ruleset `physical`: what a person would expect of a real place.

Each verb reads as a specification: grammar, checks in order, effect. Refusals of what was not
understood, or names something nobody has come across, are INVALID; those of what the world does not
allow are FAILURE.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.actions import (
    attribute,
    done,
    explore,
    goto,
    grab,
    look,
    offers,
    place,
    reach,
    release,
    say,
    team,
    wait,
)
from earsim.actions.checks import free_of_lock, issuer_exists
from earsim.actions.verb import Call, Effect, Reach, Verb, failure, invalid
from earsim.rulesets.physical_decision import decide, front
from earsim.rulesets.ruleset import Ruleset
from earsim.schema.verb_table import AttributeVerb, verb_table
from earsim.world import Blueprint, Physics, World
from earsim.world.belief import perceive
from earsim.world.containment import closed_around

VERSION = 1
PHYSICS = Physics()

_START = (issuer_exists, reach.awake)


def physical() -> Ruleset:
    """The current version."""
    return Ruleset(
        name="physical",
        version=VERSION,
        physics=PHYSICS,
        verbs=_verbs,
        front=front,
        decide=decide,
        everybody_speaks=False,
        latched=False,
    )


def _verbs(blueprint: Blueprint) -> Mapping[str, Verb]:
    found = [*_moving(), *_handling(), *_knowing(), *_talking()]
    rows = [verb_table()[name] for name in blueprint.abilities]
    found += [_attribute(row) for row in rows]
    if len(blueprint.bodies) > 1:
        found += [*_together(), *(_attribute_together(row) for row in rows)]
    return {verb.name: verb for verb in found}


def witnessed(effect: Effect) -> Effect:
    """The effect, and what everybody in the room sees of it.

    All who stand there come to know the things named that are in sight, and see the room as it is
    now. SAY and WAIT change nothing that could be seen.
    """

    def carry_out(world: World, agent: str, call: Call) -> Mapping[str, Any]:
        left = world.agents[agent].room
        facts = effect(world, agent, call)
        rooms = _stage(world, agent, call)
        shown = [
            node
            for node in (call.target, call.destination, *facts.get("revealed", ()))
            if _is_in_sight(world, node)
        ]
        for other_id, other in world.agents.items():
            known = world.known[other_id]
            if other.room in rooms and not known.issuperset(shown):
                world.discover(other_id, tuple([node for node in shown if node not in known]))
        if world.beliefs:
            for room in rooms if left in rooms else (*rooms, left):
                perceive(world, room)
        return facts

    return carry_out


def _stage(world: World, agent: str, call: Call) -> tuple[str, ...]:
    """Where a command is seen: in the room it ends in; what moves a door, on both its sides."""
    door = world.blueprint.doors.get(call.target)
    if door is not None and call.verb.attribute is not None:
        return door.between
    return (world.agents[agent].room,)


def _is_in_sight(world: World, node: str) -> bool:
    """A door, or a thing that no closed container hides."""
    if node in world.location:
        return closed_around(world, node) is None
    return node in world.blueprint.doors


def _moving() -> list[Verb]:
    return [
        Verb(
            "GOTO",
            goto.GRAMMAR,
            (
                *invalid(*_START, reach.known_to_team),
                *failure(free_of_lock, goto.can_be_approached, goto.way_is_free),
            ),
            witnessed(goto.walk),
            says="walk to a room through open doors, or up to something in this room",
            calls=offers.targets,
            fixed=offers.rooms_and_doors,
            reach=Reach.ROOM,
        ),
    ]


def _handling() -> list[Verb]:
    return [
        Verb(
            "GRAB",
            grab.GRAMMAR,
            (
                *invalid(*_START, reach.known_to_team),
                *failure(
                    reach.is_object,
                    free_of_lock,
                    reach.in_nobodys_hands,
                    reach.in_reach,
                    reach.hands_free,
                    grab.fits_the_hands,
                    grab.can_be_lifted,
                ),
            ),
            witnessed(grab.lift),
            says="take something near in hand; its abilities are yours while you hold it",
            calls=offers.targets,
            reach=Reach.NEAR,
            uses_hands=True,
            seconds=3,
        ),
        Verb(
            "PLACE",
            place.GRAMMAR,
            (
                *invalid(*_START, place.is_complete, reach.known_to_team, reach.destination_known),
                *failure(
                    free_of_lock,
                    place.is_held,
                    place.destination_is_no_agent,
                    place.destination_in_reach,
                    place.destination_can_hold,
                    place.not_into_itself,
                    place.has_space,
                ),
            ),
            witnessed(place.set_down),
            says="put what you hold in or on something near, or in the room",
            calls=offers.placements,
            reach=Reach.NEAR,
            uses_hands=True,
            seconds=3,
        ),
        Verb(
            "RELEASE",
            release.GRAMMAR,
            (*invalid(*_START, reach.known_to_team), *failure(release.is_in_hands)),
            witnessed(release.release),
            says="set down in the room what you hold, or carry with others",
            calls=offers.targets,
            reach=Reach.NEAR,
            uses_hands=True,
            seconds=3,
        ),
    ]


def _knowing() -> list[Verb]:
    return [
        Verb(
            "EXPLORE",
            explore.GRAMMAR,
            invalid(*_START, explore.is_here),
            witnessed(explore.explore),
            says="search this room; what lies in closed containers stays hidden",
            fixed=offers.bare,
            seconds=10,
        ),
        Verb(
            "LOOK",
            look.GRAMMAR,
            (*invalid(*_START, look.known_if_named), *failure(look.in_sight)),
            witnessed(look.look),
            says="look around, or at something here",
            calls=offers.targets,
            fixed=offers.bare_and_doors,
            reach=Reach.ROOM,
            seconds=1,
        ),
    ]


def _talking() -> list[Verb]:
    return [
        Verb(
            "SAY",
            say.GRAMMAR,
            invalid(*_START, say.is_short),
            say.say,
            says="tell the others something",
            seconds=2,
        ),
        Verb(
            "WAIT",
            wait.GRAMMAR,
            invalid(*_START),
            wait.wait,
            says="let time pass",
            fixed=offers.bare,
            seconds=10,
        ),
        Verb(
            "DONE",
            done.GRAMMAR,
            invalid(*_START),
            witnessed(done.rest),
            says="say that the task is complete, and do nothing more",
            fixed=offers.bare,
        ),
    ]


def _together() -> list[Verb]:
    partners = (team.are_a_team, team.all_awake)
    return [
        Verb(
            "CORP_GRAB",
            team.target_grammar("CORP_GRAB"),
            (
                *invalid(*_START, *partners, reach.known_to_team),
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
            calls=offers.partner_targets,
            reach=Reach.NEAR,
            uses_hands=True,
            joint=True,
            seconds=5,
        ),
        Verb(
            "CORP_GOTO",
            team.target_grammar("CORP_GOTO"),
            (
                *invalid(*_START, *partners, reach.known_to_team),
                *failure(
                    goto.all_in_one_room,
                    goto.carriers_stay_together,
                    goto.can_be_approached,
                    goto.way_is_free,
                ),
            ),
            witnessed(goto.walk_together),
            says="walk together, with what you carry",
            calls=offers.partner_targets,
            fixed=offers.partner_rooms_and_doors,
            reach=Reach.ROOM,
            joint=True,
        ),
        Verb(
            "CORP_PLACE",
            team.place_grammar("CORP_PLACE"),
            (
                *invalid(*_START, *partners, reach.known_to_team, reach.destination_known),
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
            calls=offers.partner_placements,
            reach=Reach.NEAR,
            uses_hands=True,
            joint=True,
            seconds=5,
        ),
    ]


def _attribute(row: AttributeVerb) -> Verb:
    return Verb(
        row.name.upper(),
        attribute.grammar(row),
        (
            *invalid(*_START, reach.known_to_team),
            *failure(
                attribute.has_state,
                reach.in_reach,
                attribute.has_the_value,
                attribute.lock_allows,
                attribute.somebody_is_equipped,
            ),
        ),
        witnessed(attribute.change),
        says=attribute.says(row),
        calls=offers.targets,
        reach=Reach.NEAR,
        uses_hands=row.attribute == "is_locked",
        attribute=row,
        seconds=5,
    )


def _attribute_together(row: AttributeVerb) -> Verb:
    return Verb(
        f"CORP_{row.name.upper()}",
        team.target_grammar(f"CORP_{row.name.upper()}"),
        (
            *invalid(*_START, team.are_a_team, team.all_awake, reach.known_to_team),
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
        calls=offers.partner_targets,
        reach=Reach.NEAR,
        uses_hands=True,
        joint=True,
        attribute=row,
        seconds=5,
    )
