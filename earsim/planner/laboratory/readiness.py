"""What it takes to run an apparatus, as goals of the ordinary planner.

`required` holds whenever a run begins, so that no run ever does where it is impossible. `ready`
says as much as is needed for that: who has reached it goes up to the apparatus and runs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

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
)
from earsim.world import World
from earsim.world.containment import inside
from earsim.world.lab import Rig


def rig_of(engine: Engine, node: str) -> Rig:
    """The simulation behind a thing."""
    live = engine.blueprint.live
    assert live is not None, "it is an apparatus"
    return live.rigs[node]


def refuted(engine: Engine, node: str, actors: Sequence[str]) -> Impossible | None:
    """Why an apparatus can never be run, where the scene alone tells."""
    needs = rig_of(engine, node).needs
    if needs.people > len(actors):
        return Impossible(Why.NOT_TOGETHER, {"id": node})
    tools = list(_providers(engine, needs.ability))
    if needs.ability is not None and len(tools) < needs.people:
        facts = {"id": node, "ability": needs.ability, "tools": tools}
        return Impossible(Why.TOO_FEW_TOOLS if tools else Why.NO_PROVIDER, facts)
    return None


def ready(engine: Engine, world: World, node: str, actors: Sequence[str]) -> Goal:
    """Enough people with what it takes in hand are in its room, it is in order and loaded.

    Args:
        engine: of the scene as it is.
        world: the state as it is.
        node: the apparatus.
        actors: who may act.
    """
    load = rig_of(engine, node).needs.loaded
    parts: list[Goal] = []
    if load is not None and load not in inside(world, node):
        places = ["on", *(["in"] if engine.blueprint.things[node].is_container else [])]
        at = [At(at=AtFact.model_validate({"object": load, place: node})) for place in places]
        parts.append(AnyOf(any=tuple(at)))
    room = str(world.room_of(node))
    crew = _crew(engine, node, room, actors)
    return AllOf(all=(*parts, *_in_order(engine, node), _there(node, room), crew))


def required(engine: Engine, bare: Engine, world: World, node: str, actors: Sequence[str]) -> Goal:
    """What holds whenever a run begins: the same, wherever the apparatus is by then.

    Args:
        engine: of the scene as it is.
        bare: the same without apparatus, whatever the goal.
        world: the state in `bare`.
        node: the apparatus.
        actors: who may act.
    """
    load = rig_of(engine, node).needs.loaded
    rooms = [str(world.room_of(node))]
    problem = Problem(bare, world, actors=actors, command_class=CommandClass.PLAIN)
    if next(PhysicalRelaxation(problem).movers(node, world), None) is not None:
        rooms = list(world.blueprint.rooms)
    alternatives: list[Goal] = []
    for room in rooms:
        there = [_there(each, room) for each in (node, load) if each is not None]
        crew = _crew(engine, node, room, actors)
        alternatives.append(AllOf(all=(*there, *_in_order(engine, node), crew)))
    return AnyOf(any=tuple(alternatives))


def _crew(engine: Engine, node: str, room: str, actors: Sequence[str]) -> Goal:
    """As many as it takes are in a room, each with a tool in hand if it takes one."""
    needs = rig_of(engine, node).needs
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
        yield HasState(has_state=HasStateFact(object=node, state=state, equals=True))
    if "is_broken" in engine.blueprint.states.get(node, {}):
        yield HasState(has_state=HasStateFact(object=node, state="is_broken", equals=False))


def _there(node: str, room: str) -> Goal:
    return InsideRoom(inside_room=InsideRoomFact(object=node, room=room))


def _providers(engine: Engine, ability: str | None) -> tuple[str, ...]:
    things = engine.blueprint.things
    return tuple([node for node, thing in things.items() if ability in thing.provides])
