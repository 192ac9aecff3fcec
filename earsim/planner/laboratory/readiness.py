"""What it takes to run an apparatus, as goals of the ordinary planner.

`required` holds whenever a run begins, so that no run ever does where it is impossible. `ready`
says as much as is needed for that: who has reached it goes up to the apparatus and runs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import isfinite
from typing import Any, NamedTuple

from earsim.apparatus.wet_bench.pool import Action, Equipment
from earsim.engine import Engine
from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.result import CommandClass, Impossible, Why
from earsim.schema.goal import (
    AllOf,
    AnyOf,
    At,
    AtFact,
    Goal,
    HasState,
    HasStateFact,
    HeldBy,
    HeldByFact,
    InsideRoom,
    InsideRoomFact,
    Quantity,
    QuantityFact,
)
from earsim.world import World
from earsim.world.benches import lies_at
from earsim.world.containment import inside
from earsim.world.lab import Rig


def rig_of(engine: Engine, node: str) -> Rig:
    """The simulation behind a thing."""
    live = engine.blueprint.live
    assert live is not None, "it is an apparatus"
    return live.rigs[node]


class RunNeeds(NamedTuple):
    """What a run takes.

    Attributes:
        ability: a tool in every hand provides it; None for none.
        people: how many begin it together.
        loads: objects in or on the apparatus.
        things: instruments in its room.
        states: what states of objects must be, of an action: pairs of object and states.
    """

    ability: str | None
    people: int
    loads: tuple[str, ...]
    things: tuple[Equipment, ...] = ()
    states: tuple[tuple[str, Mapping[str, Any]], ...] = ()


def needs_of(engine: Engine, node: str, action: Action | None = None) -> RunNeeds:
    """What a run of an apparatus takes, or an action at a bench."""
    needs, things = rig_of(engine, node).needs, engine.blueprint.things
    loads = () if needs.loaded is None else (needs.loaded,)
    if action is None:
        return RunNeeds(needs.ability, needs.people, loads)
    objects = {id: wanted for id, wanted in action.inputs.items() if id in things}
    own = {id: engine.blueprint.states.get(id, {}) for id in objects}
    pool = engine.blueprint.live.benches[node].pool if engine.blueprint.live else None
    set_here = {} if pool is None else {id: each.states for id, each in pool.materials.items()}
    states = tuple(
        (id, {n: v for n, v in wanted.items() if n in own[id] and n not in set_here.get(id, ())})
        for id, wanted in objects.items()
    )
    return RunNeeds(
        action.ability or needs.ability,
        max(needs.people, action.people),
        (*loads, *objects),
        action.things,
        states,
    )


def refuted(
    engine: Engine, node: str, actors: Sequence[str], action: Action | None = None
) -> Impossible | None:
    """Why an apparatus can never be run, or an action performed, where the scene alone tells."""
    needs = needs_of(engine, node, action)
    if needs.people > len(actors):
        return Impossible(Why.NOT_TOGETHER, {"id": node})
    tools = list(_providers(engine, needs.ability))
    if needs.ability is not None and len(tools) < needs.people:
        facts = {"id": node, "ability": needs.ability, "tools": tools}
        return Impossible(Why.TOO_FEW_TOOLS if tools else Why.NO_PROVIDER, facts)
    return None


def ready(
    engine: Engine, world: World, node: str, actors: Sequence[str], action: Action | None = None
) -> Goal:
    """Enough people with what it takes in hand are in its room, it is in order and loaded.

    Args:
        engine: of the scene as it is.
        world: the state as it is.
        node: the apparatus.
        actors: who may act.
        action: what is to be performed there, of a bench.
    """
    needs = needs_of(engine, node, action)
    parts: list[Goal] = []
    for load in needs.loads:
        if load in inside(world, node) and (action is None or lies_at(world, load, node)):
            continue
        places = ["on", *(["in"] if engine.blueprint.things[node].is_container else [])]
        at = [At(at=AtFact.model_validate({"object": load, place: node})) for place in places]
        parts.append(AnyOf(any=tuple(at)))
    room = str(world.room_of(node))
    for id, states in needs.states:
        parts += [_has(id, state, wanted) for state, wanted in states.items()]
    for thing in needs.things:
        parts += [_there(thing.object, room), *_in_order(engine, thing.object)]
        parts += _in_range(thing)
    crew = _crew(engine, needs, room, actors)
    return AllOf(all=(*parts, *_in_order(engine, node), _there(node, room), crew))


def _in_range(thing: Equipment) -> Iterator[Goal]:
    if thing.of:
        bounds = {"at_least": thing.low, "at_most": thing.high}
        finite = {name: bound for name, bound in bounds.items() if isfinite(bound)}
        yield Quantity(quantity=QuantityFact(object=thing.object, of=thing.of, **finite))


def required(
    engine: Engine,
    bare: Engine,
    world: World,
    node: str,
    actors: Sequence[str],
    action: Action | None = None,
) -> Goal:
    """What holds whenever a run begins: the same, wherever the apparatus is by then.

    Args:
        engine: of the scene as it is.
        bare: the same without apparatus, whatever the goal.
        world: the state in `bare`.
        node: the apparatus.
        actors: who may act.
        action: what is to be performed there, of a bench.
    """
    needs = needs_of(engine, node, action)
    parts = (node, *needs.loads, *(thing.object for thing in needs.things))
    working = [
        part
        for each in (node, *(thing.object for thing in needs.things))
        for part in _in_order(engine, each)
    ]
    rooms = [str(world.room_of(node))]
    problem = Problem(bare, world, actors=actors, command_class=CommandClass.PLAIN)
    if next(PhysicalRelaxation(problem).movers(node, world), None) is not None:
        rooms = list(world.blueprint.rooms)
    alternatives: list[Goal] = []
    for room in rooms:
        there = [_there(each, room) for each in parts]
        crew = _crew(engine, needs, room, actors)
        alternatives.append(AllOf(all=(*there, *working, crew)))
    return AnyOf(any=tuple(alternatives))


def _crew(engine: Engine, needs: RunNeeds, room: str, actors: Sequence[str]) -> Goal:
    """As many as it takes are in a room, each with a tool in hand if it takes one."""
    tools = _providers(engine, needs.ability)
    found: list[Goal] = []
    for team in combinations(actors, needs.people):
        here = [_there(agent, room) for agent in team]
        if needs.ability is None:
            found.append(AllOf(all=tuple(here)))
            continue
        for held in permutations(tools, needs.people):
            pairs = zip(team, held, strict=True)
            hands = [HeldBy(held_by=HeldByFact(object=tool, agent=who)) for who, tool in pairs]
            works = [part for tool in held for part in _in_order(engine, tool)]
            found.append(AllOf(all=(*here, *hands, *works)))
    return AnyOf(any=tuple(found))


def _in_order(engine: Engine, node: str) -> Iterator[Goal]:
    """What it needs is true, and it is not broken."""
    for state in engine.blueprint.things[node].needs:
        yield _has(node, state, True)
    if "is_broken" in engine.blueprint.states.get(node, {}):
        yield _has(node, "is_broken", False)


def _has(node: str, state: str, equals: Any) -> Goal:
    return HasState(has_state=HasStateFact(object=node, state=state, equals=equals))


def _there(node: str, room: str) -> Goal:
    return InsideRoom(inside_room=InsideRoomFact(object=node, room=room))


def _providers(engine: Engine, ability: str | None) -> tuple[str, ...]:
    things = engine.blueprint.things
    return tuple([node for node, thing in things.items() if ability in thing.provides])
