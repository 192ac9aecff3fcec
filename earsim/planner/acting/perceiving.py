"""Perceiving numbers: what to lift, and what to measure with which instrument.

Who lifts a thing with nothing in or on it feels what it weighs. Who has an instrument in hand goes
up to a thing, opens what shuts it in, and measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from earsim.planner.acting.execution import awake
from earsim.planner.acting.known_world import KnownWorld
from earsim.schema import AllOf, Goal
from earsim.schema.goal import (
    At,
    AtFact,
    HasState,
    HasStateFact,
    HeldBy,
    HeldByFact,
    InsideRoom,
    InsideRoomFact,
    Not,
)
from earsim.schema.goal_tree import TRUE
from earsim.world import World
from earsim.world.containment import closed_around
from earsim.world.perceived import MASS, instruments
from earsim.world.proximity import within_reach


class PerceivingStep(NamedTuple):
    """A goal to plan for, or what an agent does next where that holds already."""

    goal: Goal
    command: Mapping[str, str] | None = None


def perceiving(
    known_world: KnownWorld, view: World, unread: Iterable[tuple[str, str]]
) -> Iterator[PerceivingStep]:
    """What would help to come to know numbers of things, what is nearest first.

    Args:
        known_world: what is known.
        view: the state as far as it is known.
        unread: things, and a number of each.
    """
    here = {agent.room for agent in view.agents.values()}
    for node, name in sorted(unread, key=lambda each: view.room_of(each[0]) not in here):
        steps = [*_measuring(known_world, view, node, name)]
        if name == MASS:
            steps.insert(0, PerceivingStep(_lifted(view, node)))
        for step in steps:
            holds = step.command is None and known_world.aiming_at(step.goal).task.goal.holds(view)
            if not holds:
                yield step


def _lifted(view: World, node: str) -> Goal:
    """It is in hand, and nothing is in or on it."""
    parts: list[Goal] = [HeldBy(held_by=HeldByFact(object=node))]
    for child in view.contents.get(node, ()):
        place = view.location[child]
        at = AtFact.model_validate({"object": child, place.relation: node})
        parts.append(Not.model_validate({"not": At(at=at)}))
    return AllOf(all=tuple(parts))


def _measuring(
    known_world: KnownWorld, view: World, node: str, name: str
) -> Iterator[PerceivingStep]:
    room = str(view.room_of(node))
    able = [agent for agent in awake(view) if name in instruments(view, agent)]
    for agent in sorted(able, key=lambda agent: view.agents[agent].room != room):
        goal = _at_hand(view, node, name, agent, room)
        if not known_world.aiming_at(goal).task.goal.holds(view):
            yield PerceivingStep(goal)
        elif within_reach(view, agent, node):
            yield PerceivingStep(TRUE, {agent: f"MEASURE {node}"})
        else:
            yield PerceivingStep(TRUE, {agent: f"GOTO {node}"})
    if not able:
        for tool, thing in view.blueprint.things.items():
            if name in thing.senses:
                yield PerceivingStep(HeldBy(held_by=HeldByFact(object=tool)))


def _at_hand(view: World, node: str, name: str, agent: str, room: str) -> Goal:
    """The agent is in the room with its instrument, and neither lids nor hands are in the way."""
    parts: list[Goal] = [InsideRoom(inside_room=InsideRoomFact(object=agent, room=room))]
    if name not in view.blueprint.bodies[agent].senses:
        held = view.agents[agent].inventory
        tool = next(each for each in held if name in view.blueprint.things[each].senses)
        parts.append(HeldBy(held_by=HeldByFact(object=tool, agent=agent)))
    lid = closed_around(view, node)
    if lid is not None:
        parts.append(HasState(has_state=HasStateFact(object=lid, state="is_open")))
    place = view.location[node]
    if place.holder in view.agents and place.holder != agent:
        in_hand = HeldBy(held_by=HeldByFact(object=node))
        parts.append(Not.model_validate({"not": in_hand}))
    return AllOf(all=tuple(parts))
