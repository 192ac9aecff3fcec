"""Twin scenarios: alike to those who act, and no way of acting wins both.

Where each agent keeps its own knowledge, what it does follows from what it has perceived and was
told. If a number that decides what a task means can be read in one part of a scene alone, and no
door between that part and the rest ever moves, then those outside perceive the same whatever the
number is. If another value makes the goal contradict the one at hand, they cannot win both without
a message: so one is needed. What is judged is how things are when the agents are done. What those
inside might tell by how long they take, or by giving up, is no message, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from earsim.engine import Engine
from earsim.errors import NoSingleAnswer
from earsim.goals.tree import OVER_TIME
from earsim.planner.problem import Problem
from earsim.planner.proofs.ablation import grounded
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.result import CommandClass, Why
from earsim.schema import AllOf, Goal
from earsim.schema.certificate import Question, Search
from earsim.schema.goal_tree import leaves
from earsim.schema.selector import Comparison, Filter, Only
from earsim.world import World

_BEARS_ON_RULES = frozenset({"surface_m2", "max_load_kg", "volume_l"})
"""Numbers that decide what a command does, too."""


class _Twin(NamedTuple):
    """A number that decides, and another value that decides otherwise."""

    node: str
    of: str
    value: float
    other: float
    inside: frozenset[str]


def cannot_know(engine: Engine, question: Question) -> Search | None:
    """The claim that those who may act cannot know what to do unless they are told; None if not.

    Args:
        engine: from the scenario as it is.
        question: who may act, and whether they may talk; one agent alone is told nothing.
    """
    if engine.blueprint.knowledge != "own" or engine.blueprint.live is not None:
        return None
    for twin in _twins(engine):
        actors = question.agents or tuple(engine.blueprint.bodies)
        outside = [a for a in actors if engine.blueprint.bodies[a].start_room not in twin.inside]
        is_told = not question.silent and len(actors) > len(outside)
        if outside and not is_told:
            facts = {"id": twin.node, "of": twin.of, "value": twin.value, "other": twin.other}
            return Search(
                question=question,
                found="impossible",
                method="twins",
                nodes=0,
                why=Why.CANNOT_KNOW.value,
                facts=facts,
            )
    return None


def _twins(engine: Engine) -> Iterator[_Twin]:
    world = engine.start()
    references = dict.fromkeys(
        (compared.object, compared.of)
        for selector in engine.scenario.task.select.values()
        for compared in _comparisons(
            selector.only if isinstance(selector, Only) else selector.among
        )
    )
    for node, of in references:
        value = _number(engine, node, of)
        if value is None or of in _BEARS_ON_RULES:
            continue
        inside = _closed_off(engine, world, str(world.room_of(node)))
        for other in _other_values(engine, of) if inside else ():
            both = _both_goals(engine, node, of, other)
            if both is None or not inside.isdisjoint(_places(both, world)):
                continue
            if _contradicts_itself(engine, both):
                yield _Twin(node, of, value, other, inside)
                break


def _comparisons(among: Filter) -> Iterator[Comparison]:
    yield from filter(None, (among.more_than, among.less_than))
    if among.not_ is not None:
        yield from _comparisons(among.not_)


def _number(engine: Engine, node: str, of: str) -> float | None:
    thing = engine.blueprint.things.get(node)
    return None if thing is None else thing.quantities.get(of)


def _closed_off(engine: Engine, world: World, room: str) -> frozenset[str]:
    """The rooms around a room, where nobody can ever move a door that leads out; else none."""
    problem = Problem(engine, world, actors=tuple(world.agents), command_class=CommandClass.PLAIN)
    relaxation = PhysicalRelaxation(problem)
    found, edge = {room: None}, set()
    queue = [room]
    for here in queue:  # grows while it is read
        for way in world.blueprint.passages[here]:
            if way.door is not None and not _opens(relaxation, world, way.door):
                edge.add((way.door, way.room))
            elif way.room not in found:
                found[way.room] = None
                queue.append(way.room)
    doors = {door for door, there in edge if there not in found}
    moves = any(
        relaxation.can_flip(door, state, now)
        for door in doors
        for state, now in world.states[door].items()
        if isinstance(now, bool)
    )
    return frozenset() if moves or not doors else frozenset(found)


def _opens(relaxation: PhysicalRelaxation, world: World, door: str) -> bool:
    is_open = world.states[door].get("is_open") is True
    return is_open or relaxation.can_flip(door, "is_open", False)


def _places(goal: Goal, world: World) -> Iterator[str]:
    """Rooms that a goal speaks of, or things and agents in it are in."""
    for leaf in leaves(goal):
        for word in _ids(leaf.fact):
            room = word if word in world.blueprint.rooms else _room_of(world, word)
            if room is not None:
                yield room


def _ids(fact: Any) -> Iterator[str]:
    yield from (value for value in vars(fact).values() if isinstance(value, str))


def _room_of(world: World, word: str) -> str | None:
    return world.room_of(word) if word in world.location or word in world.agents else None


def _other_values(engine: Engine, of: str) -> list[float]:
    """One value below, between and above those of all things that have the number."""
    things = engine.blueprint.things.values()
    known = sorted({t.quantities[of] for t in things if of in t.quantities})
    between = [(low + high) / 2 for low, high in pairwise(known)]
    return [known[0] - 1, *between, known[-1] + 1]


def _both_goals(engine: Engine, node: str, of: str, value: float) -> Goal | None:
    """The goal, and that with another value of a number; None if it is the same, or is not told."""
    scenario = engine.scenario
    objects = tuple(
        thing.with_quantities(**{of: value}) if thing.id == node else thing
        for thing in scenario.scene.objects
    )
    task = scenario.task.model_copy(update={"answer": {}})
    scene = scenario.scene.model_copy(update={"objects": objects})
    twin = Engine(scenario.model_copy(update={"scene": scene, "task": task}), engine.ruleset)
    try:
        answer: Mapping[str, str] = twin.task.answer
    except NoSingleAnswer:
        return None
    if answer == engine.task.answer or twin.instruction != engine.instruction:
        return None
    both = AllOf(all=(grounded(engine).task.goal, grounded(twin).task.goal))
    return None if any(leaf.key in OVER_TIME for leaf in leaves(both)) else both


def _contradicts_itself(engine: Engine, goal: Goal) -> bool:
    """Whether no alternative of a goal is free of contradictions."""
    scenario = grounded(engine)
    task = scenario.task.model_copy(update={"goal": goal})
    aimed = Engine(scenario.model_copy(update={"task": task}), engine.ruleset)
    start = aimed.start()
    problem = Problem(aimed, start, actors=tuple(start.agents), command_class=CommandClass.PLAIN)
    return problem.disjuncts == []
