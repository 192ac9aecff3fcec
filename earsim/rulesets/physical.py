"""The ruleset `physical`: what a person would expect of a real place.

Each verb reads as a specification: grammar, checks in order, effect. Refusals of what was not
understood, or names something nobody has come across, are INVALID; those of what the world does not
allow are FAILURE.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from earsim.actions import (
    attribute,
    connect,
    done,
    explore,
    give,
    goto,
    grab,
    look,
    measure,
    offers,
    place,
    reach,
    release,
    report,
    say,
    team,
    tell,
    wait,
)
from earsim.actions.checks import free_of_lock, issuer_exists
from earsim.actions.execute import workstations
from earsim.actions.verb import Reach, Verb, failure, invalid
from earsim.rulesets import physical_body, physical_lab, physical_time
from earsim.rulesets.physical_decision import decide, front
from earsim.rulesets.physical_team import carrying_together, giving
from earsim.rulesets.physical_witness import witnessed
from earsim.rulesets.ruleset import Ruleset, by_name
from earsim.schema.verb_table import AttributeVerb, verb_table
from earsim.world import Blueprint, Physics

VERSION = 2
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
        reasons=frozenset(),
        everybody_speaks=False,
        latched=False,
        messages=True,
    )


def _verbs(blueprint: Blueprint) -> Mapping[str, Verb]:
    team = len(blueprint.bodies) > 1
    found = [*_moving(), *_handling(team=team), *_knowing(), *_talking(team=team)]
    if blueprint.reports:
        found.append(_reporting())
    if blueprint.has_instruments or (blueprint.live is not None and blueprint.live.rigs):
        found.append(_measuring())
    rows = [verb_table()[name] for name in blueprint.abilities]
    found += [_attribute(row) for row in rows if not _is_carried(blueprint, row)]
    if blueprint.live is not None:
        found = [verb for verb in found if verb.name != "WAIT"]
        found += physical_time.verbs(blueprint.live)
        if blueprint.live.rigs:
            found += physical_lab.verbs(
                benches=bool(blueprint.live.benches), lookups=bool(blueprint.live.lookups)
            )
            if workstations(blueprint):
                found += physical_body.verbs()
    if team:
        found += [giving(), *carrying_together()]
        if blueprint.knowledge == "own":
            found.append(_telling())
    return by_name(found)


def _is_carried(blueprint: Blueprint, row: AttributeVerb) -> bool:
    """Whether the state that a verb changes follows from something else wherever it is."""
    if blueprint.live is None:
        return False
    derived = blueprint.live.derived
    nodes = [node for node, states in blueprint.states.items() if row.attribute in states]
    return bool(nodes) and all(row.attribute in derived.get(node, ()) for node in nodes)


@cache
def _moving() -> list[Verb]:
    return [
        Verb(
            goto.GRAMMAR,
            (
                *invalid(*_START, reach.is_known),
                *failure(
                    free_of_lock,
                    goto.can_be_approached,
                    goto.a_way_leads_there,
                    goto.hands_free_to_go,
                    connect.nothing_ties_the_hands,
                    goto.a_way_is_wide_enough,
                ),
            ),
            witnessed(goto.walk),
            says="walk to a room, as far as no door is closed, or up to something in this room",
            tells=goto.went,
            calls=offers.targets,
            fixed=offers.rooms_and_doors,
            reach=Reach.ROOM,
        ),
    ]


@cache
def _handling(*, team: bool) -> list[Verb]:
    # In a team, what others hold may be listed: they may give it.
    held = give.in_nobodys_hands if team else reach.in_nobodys_hands
    near = give.in_reach if team else reach.in_reach
    return [
        Verb(
            grab.GRAMMAR,
            (
                *invalid(*_START, reach.is_known),
                *failure(
                    reach.is_object,
                    free_of_lock,
                    held,
                    near,
                    reach.hands_free,
                    grab.is_unplugged,
                    connect.can_be_taken,
                    grab.takes_one,
                    grab.fits_the_hands,
                    grab.contents_fit_the_hands,
                    grab.can_be_lifted,
                    grab.rolls,
                ),
            ),
            witnessed(grab.lift),
            says="take something near in hand; its abilities are yours while you hold it",
            tells=grab.took,
            calls=offers.targets,
            reach=Reach.NEAR,
            uses_hands=True,
            seconds=3,
        ),
        Verb(
            place.GRAMMAR,
            (
                *invalid(*_START, place.is_complete, reach.is_known, reach.destination_is_known),
                *failure(
                    free_of_lock,
                    place.is_held,
                    place.stays_on_the_floor,
                    place.destination_is_no_agent,
                    place.destination_in_reach,
                    place.destination_can_hold,
                    place.not_into_itself,
                    place.fits_in,
                    place.has_space,
                    place.is_borne,
                ),
            ),
            witnessed(place.set_down),
            says="put what you hold in or on something near, or in the room",
            tells=place.placed,
            calls=offers.placements,
            reach=Reach.NEAR,
            uses_hands=True,
            seconds=3,
        ),
        Verb(
            release.GRAMMAR,
            (*invalid(*_START, reach.is_known), *failure(release.is_in_hands)),
            witnessed(release.release),
            says="set down in the room what you hold, or carry with others",
            tells=place.placed,
            calls=offers.targets,
            reach=Reach.NEAR,
            uses_hands=True,
            seconds=3,
        ),
    ]


@cache
def _knowing() -> list[Verb]:
    return [
        Verb(
            explore.GRAMMAR,
            invalid(*_START, explore.is_here),
            witnessed(explore.explore),
            says="search this room; what lies in closed containers stays hidden",
            tells=explore.found,
            fixed=offers.bare,
            seconds=10,
        ),
        Verb(
            look.GRAMMAR,
            (*invalid(*_START, look.known_if_named), *failure(look.in_sight)),
            witnessed(look.look),
            says="look around, or at something here",
            tells=look.seen,
            calls=offers.targets,
            fixed=offers.bare_and_doors,
            reach=Reach.ROOM,
            seconds=1,
        ),
    ]


@cache
def _talking(*, team: bool) -> list[Verb]:
    beside = "; on a second line, beside another command, it takes no time" if team else ""
    return [
        Verb(
            say.GRAMMAR,
            invalid(*_START, say.is_short),
            say.say,
            says=f"tell the others something{beside}",
            tells=say.said,
            seconds=2,
        ),
        Verb(
            wait.GRAMMAR,
            invalid(*_START),
            wait.wait,
            says="let time pass",
            tells=wait.waited,
            fixed=offers.bare,
            seconds=10,
        ),
        Verb(
            done.GRAMMAR,
            (*invalid(*_START), *failure(free_of_lock)),
            witnessed(done.rest),
            says="say that the task is complete, and do nothing more",
            tells=done.claimed,
            fixed=offers.bare,
        ),
    ]


@cache
def _reporting() -> Verb:
    return Verb(
        report.GRAMMAR,
        (*invalid(*_START), *failure(free_of_lock)),
        witnessed(report.report),
        says="say that the task cannot be done (impossible), or that what it asks can be read in "
        "more than one way (unclear), and end the episode for all",
        tells=report.reported,
        fixed=report.every_claim,
    )


@cache
def _measuring() -> Verb:
    return Verb(
        measure.GRAMMAR,
        (
            *invalid(*_START, reach.is_known),
            *failure(
                measure.is_thing,
                measure.has_an_instrument,
                reach.in_reach,
                measure.has_the_number,
            ),
        ),
        witnessed(measure.measure),
        says="read the numbers of something near that an instrument in hand senses",
        tells=measure.measured,
        calls=offers.targets,
        reach=Reach.NEAR,
        uses_hands=True,
        seconds=5,
    )


@cache
def _telling() -> Verb:
    return Verb(
        tell.GRAMMAR,
        invalid(*_START, tell.is_thing_or_door, tell.was_perceived),
        witnessed(tell.tell),
        says="tell the others where and how you last saw something",
        tells=tell.told,
        seconds=2,
    )


@cache
def _attribute(row: AttributeVerb) -> Verb:
    return Verb(
        attribute.grammar(row),
        (
            *invalid(*_START, reach.is_known),
            *failure(
                attribute.has_state,
                attribute.is_free,
                reach.in_reach,
                attribute.has_the_value,
                attribute.lock_allows,
                team.team_is_large_enough,
                team.enough_give_it,
                attribute.somebody_is_equipped,
                attribute.lid_is_clear,
                attribute.has_a_hand,
            ),
        ),
        witnessed(attribute.change),
        says=attribute.says(row),
        tells=attribute.changed,
        calls=offers.targets,
        reach=Reach.NEAR,
        uses_hands=row.attribute == "is_locked",  # keys
        attribute=row,
        seconds=5,
    )
