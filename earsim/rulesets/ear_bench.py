"""The ruleset `ear-bench`: the published benchmark, exactly as its reference behaves.

Each verb below reads as its section of docs/ear-bench-rules.md: grammar, checks in order, effect.
The quirks that are kept on purpose are named in `Quirks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from earsim.actions import attribute, checks, corp, done, explore, goto, grab, look, offers, place
from earsim.actions.outcome import Reason
from earsim.actions.verb import Check, Reach, Verb, failure, invalid
from earsim.pickled import Frozen
from earsim.rulesets.ear_bench_decision import decide
from earsim.rulesets.ear_bench_front import bridge, raw
from earsim.rulesets.ruleset import Ruleset, by_name
from earsim.schema.verb_table import AttributeVerb, verb_table
from earsim.world import Blueprint, Physics

VERSION = 1


@dataclass(frozen=True, slots=True)
class Quirks(Frozen):
    """Named switches, on where the published results depend on them.

    Attributes:
        aliases: `PICKUP x` means `GRAB x`, and blanks around a command do not matter; recordings of
            the command level go without (EAR-Bench 3.1).
        held_things_stay_behind: an object in hand is in its holder's first room (Q1).
        cycles: an object may be placed in itself (Q7); only for replaying recordings.
        any_length: commands of any length are read, as by the reference; only for replaying
            recordings, for long texts cost memory.
        strangers: an unknown agent may order joint carrying (Q17); only for replaying recordings.
    """

    aliases: bool = True
    held_things_stay_behind: bool = True
    cycles: bool = False
    any_length: bool = False
    strangers: bool = False


REPLAY = Quirks(aliases=False, cycles=True, any_length=True, strangers=True)
"""The switches under which recordings of the reference's command level replay exactly."""

BRIDGED = replace(REPLAY, aliases=True)
"""The same for recordings of decisions, which went through the bridge (EAR-Bench 3.1)."""


def ear_bench(quirks: Quirks = Quirks()) -> Ruleset:
    """The ruleset under the given switches."""
    return Ruleset(
        name="ear-bench",
        version=VERSION,
        physics=Physics(
            own_knowledge=False,
            numbers_hide=False,
            held_things_stay_behind=quirks.held_things_stay_behind,
            closed_containers_hide=False,
            keeps_near_set=True,
            doors_stop=False,
            time_works=False,
        ),
        verbs=lambda blueprint: _verbs(blueprint, quirks),
        front=bridge if quirks.aliases else raw,
        decide=decide,
        reasons=frozenset({Reason.COOP_DISAGREE}),
        everybody_speaks=True,
        latched=True,
        any_length=quirks.any_length,
    )


def _verbs(blueprint: Blueprint, quirks: Quirks) -> Mapping[str, Verb]:
    """The basic verbs, then those of the table that the scene lists, each with its joint form."""
    found = [*_basic(quirks), *_together(quirks)]
    for name in blueprint.abilities:
        row = verb_table()[name]
        found += [_attribute(row), _attribute_together(row)]
    return by_name(found)


@cache
def _basic(quirks: Quirks) -> list[Verb]:
    start = (checks.free_of_lock, checks.issuer_exists)
    seen = (checks.exists, checks.discovered, checks.in_same_room)
    acyclic: tuple[Check, ...] = () if quirks.cycles else (place.not_into_itself,)
    return [
        Verb(  # EAR-Bench 3.3
            goto.GRAMMAR,
            invalid(*start, goto.target_exists, goto.room_or_discovered, goto.room_or_same_room),
            goto.teleport,
            says="go to a room, or up to an object in this room",
            tells=goto.went,
            calls=offers.targets,
            fixed=offers.rooms,
            reach=Reach.ROOM,
        ),
        Verb(  # EAR-Bench 3.4
            grab.GRAMMAR,
            (
                *invalid(
                    *start,
                    *seen,
                    checks.not_in_closed_container,
                    grab.light_if_furniture,
                    grab.free_hand,
                    grab.light_with_contents,
                    grab.not_held_by_other,
                ),
                *failure(grab.in_near_set, grab.light_enough, grab.not_holding),
            ),
            grab.take,
            says="take an object in hand; approach it first",
            tells=grab.took,
            calls=offers.targets,
            reach=Reach.NEAR,
            uses_hands=True,
        ),
        Verb(  # EAR-Bench 3.5
            place.GRAMMAR_AS_TYPED,
            invalid(
                *start,
                place.is_complete,
                place.is_held,
                place.destination_in_near_set,
                place.destination_exists,
                place.destination_suits_relation,
                place.destination_in_same_room,
                *acyclic,
            ),
            place.put,
            says="put a held object in or on something near",
            tells=place.placed,
            calls=offers.placements,
            reach=Reach.NEAR,
            uses_hands=True,
        ),
        Verb(  # EAR-Bench 3.6
            look.GRAMMAR,
            invalid(*start, look.visible),
            look.look,
            says="look around, or at an object",
            tells=look.seen,
            calls=offers.targets,
            fixed=offers.bare,
            reach=Reach.ROOM,
            advertised=False,
        ),
        Verb(  # EAR-Bench 3.7
            explore.GRAMMAR,
            invalid(*start, explore.is_here),
            explore.explore,
            says="search this room and discover what is in it",
            tells=explore.found,
            fixed=offers.bare,
        ),
        Verb(  # EAR-Bench 3.9: works for anybody, locked or not
            done.GRAMMAR_EXACT,
            (),
            done.claim,
            says="say that the task is complete",
            tells=done.claimed,
            fixed=offers.bare,
        ),
    ]


@cache
def _together(quirks: Quirks) -> list[Verb]:
    known: tuple[Check, ...] = () if quirks.strangers else (checks.issuer_exists,)
    acyclic: tuple[Check, ...] = () if quirks.cycles else (place.not_into_itself,)
    rooted: tuple[Check, ...] = (place.destination_is_in_a_room,) if quirks.cycles else ()
    return [  # EAR-Bench 3.10
        Verb(
            corp.GRAB_GRAMMAR,
            invalid(
                checks.free_of_lock,
                *known,
                checks.actors_exist,
                checks.exists,
                grab.too_heavy_for_each,
                grab.all_in_its_room,
            ),
            grab.lock_together,
            says="lift together what is too heavy for each of you",
            tells=grab.lifted,
            calls=offers.targets,
            reach=Reach.ROOM,
            joint=True,
            teams=offers.any_team,
        ),
        Verb(
            corp.GOTO_GRAMMAR,
            (
                *invalid(*known, checks.actors_exist, goto.target_exists),
                *failure(corp.is_room),
            ),
            corp.walk_all,
            says="go to a room together",
            tells=goto.went,
            fixed=offers.rooms,
            joint=True,
            teams=offers.any_team,
        ),
        Verb(
            corp.PLACE_GRAMMAR,
            (
                *invalid(
                    *known,
                    place.all_carry_it,
                    checks.exists,
                    place.destination_exists,
                    *acyclic,
                ),
                *failure(*rooted),
            ),
            place.put_together,
            says="put down together what you carry, in or on something",
            tells=place.placed,
            fixed=offers.joint_placements,
            joint=True,
            teams=offers.any_team,
        ),
    ]


@cache
def _attribute(row: AttributeVerb) -> Verb:
    """EAR-Bench 3.8."""
    return Verb(
        attribute.grammar(row),
        invalid(
            checks.free_of_lock,
            checks.issuer_exists,
            checks.exists,
            checks.discovered,
            checks.in_same_room,
            attribute.has_attribute,
            attribute.meets_precondition,
            attribute.has_ability,
        ),
        attribute.flip,
        says=attribute.says(row),
        tells=attribute.changed,
        calls=offers.targets,
        reach=Reach.ROOM,
        attribute=row,
    )


@cache
def _attribute_together(row: AttributeVerb) -> Verb:
    """EAR-Bench 3.10, last paragraph."""
    return Verb(
        attribute.joint_grammar(row),
        invalid(
            checks.free_of_lock,
            checks.issuer_exists,
            attribute.issuer_is_listed,
            checks.exists,
            checks.discovered,
            attribute.has_attribute,
            attribute.meets_precondition,
            checks.actors_exist,
            grab.all_in_its_room,
            attribute.all_have_ability,
        ),
        attribute.flip_together,
        says=f"{attribute.says(row)}, together",
        tells=attribute.changed,
        calls=offers.targets,
        reach=Reach.ROOM,
        attribute=row,
        joint=True,
        teams=offers.any_team,
    )
