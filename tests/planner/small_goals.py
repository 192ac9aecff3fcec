"""Goals for a scene: some picked from states that can be reached, some of every kind at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from earsim.goals import compile_goal
from earsim.world import HELD, World
from tests.planner.brute_force import Space
from tests.planner.goal_text import fact_of
from tests.planner.small_worlds import Data, task_of


def holds(goal: Data, world: World) -> bool:
    """Whether a goal, given as data, is true."""
    return compile_goal(task_of(goal).goal, {}).holds(world)


def goals_for(rng: Random, space: Space, *, picked: int, random: int) -> list[Data]:
    """Goals that hold in some far state of the space, and goals that need not hold anywhere."""
    far = range(len(space.worlds) // 4, len(space.worlds))
    found = [
        picked_goal(rng, space.worlds[0], space.worlds[rng.choice(far)]) for _ in range(picked)
    ]
    return found + [random_goal(rng, space.worlds[0]) for _ in range(random)]


def picked_goal(rng: Random, start: World, world: World) -> Data:
    """Some of what is true in a state; mostly what is not true at the start."""
    true = list(facts_of(world))
    new = [fact for fact in true if not holds(fact, start)]
    gone = [{"not": fact} for fact in facts_of(start) if not holds(fact, world)]
    parts = rng.sample(new, min(len(new), rng.choice([1, 1, 2, 2, 3])))
    if gone and rng.random() < 0.3:
        parts.append(rng.choice(gone))
    if rng.random() < 0.3:
        parts.append(rng.choice(true))
    if parts and rng.random() < 0.2:
        parts[0] = {"any": rng.sample([parts[0], random_fact(rng, start)], 2)}
    return parts[0] if len(parts) == 1 else {"all": parts}


def random_goal(rng: Random, world: World, depth: int = 2) -> Data:
    """A tree of random facts, possible or not."""
    luck = rng.random()
    if depth == 0 or luck < 0.6:
        return random_fact(rng, world)
    if luck < 0.7:
        return {"not": random_goal(rng, world, depth - 1)}
    parts = [random_goal(rng, world, depth - 1) for _ in range(rng.choice([0, 1, 2, 2, 2, 3]))]
    return {"all" if luck < 0.87 else "any": parts}


# -- facts ---------------------------------------------------------------------------------------


def facts_of(world: World) -> Iterator[Data]:
    """Facts about places, hands and states that are true in a world."""
    for node in world.location:
        yield from _facts_of_place(world, node)
    for agent_id, agent in world.agents.items():
        if not world.physics.held_things_stay_behind:
            yield {"inside_room": {"object": agent_id, "room": agent.room}}
        if agent.carrying is not None:
            yield {"held_by": {"object": agent.carrying, "agent": agent_id}}
    for node, states in world.states.items():
        for state, value in states.items():
            yield {"has_state": {"object": node, "state": state, "equals": value}}
    for node, marks in world.jointly.items():
        for state in marks:
            value = world.states[node].get(state)
            changed = {"has_state": {"object": node, "state": state, "equals": value}}
            yield fact_of("marked", node, state)
            yield {"all": [changed, fact_of("marked", node, state)]}


def _facts_of_place(world: World, node: str) -> Iterator[Data]:
    place = world.location[node]
    if place.relation in ("in", "on"):
        yield fact_of("at", node, place.relation, place.holder)
    if place.relation == HELD:
        yield fact_of("held", node, place.holder)
    yield fact_of("place", node, f":{place.holder}")
    yield fact_of("place", node, place.text)
    room = world.room_of(node)
    if room is not None:
        yield fact_of("inside", node, room)


def random_fact(rng: Random, world: World) -> Data:
    """A fact of any kind about anything, true, possible or neither."""
    blueprint = world.blueprint
    things, rooms, agents = list(blueprint.things), list(blueprint.rooms), list(blueprint.bodies)
    nodes = [*things, *blueprint.doors, *rooms]
    thing = rng.choice(things)
    match rng.choice(
        ["at", "at", "place", "place", "room", "state", "state", "held", "quantity", "joint"]
    ):
        case "at":
            holder = rng.choice([*things, *rooms, rng.choice(agents)])
            return {"at": {"object": thing, rng.choice(["in", "on"]): holder}}
        case "place":
            holder = rng.choice([*things, *rooms, *agents, "nowhere"])
            prefix = rng.choice(["in:", "on:", ":", "", "IN:", "under:"])
            return {"at": {"object": thing, "place": prefix + holder}}
        case "room":
            who = rng.choice([thing, thing, *agents])
            return {"inside_room": {"object": who, "room": rng.choice(rooms)}}
        case "state":
            return {"has_state": _state(rng, world, rng.choice([thing, *nodes]))}
        case "held":
            return {"held_by": {"object": thing, "agent": rng.choice([None, *agents])}}
        case "quantity":
            bound = {rng.choice(["at_least", "at_most", "equals"]): rng.choice([0, 0.7, 2, 9])}
            of = rng.choice(["mass_kg", "mass_kg", "length_m", "capacity_l", "volume_l"])
            return {"quantity": {"object": rng.choice(nodes), "of": of, **bound}}
        case _:
            fact = _state(rng, world, rng.choice([thing, *nodes]))
            del fact["equals"]
            return {"done_jointly": fact}


def _state(rng: Random, world: World, node: str) -> dict[str, Any]:
    own: Sequence[str] = list(world.states.get(node, ()))
    state = rng.choice([*own, *own, *own, "is_open", "is_dirty", "is_on", "is_odd"])
    value = rng.choice([True, True, False, False, 1, 0, None, "dim"])
    return {"object": node, "state": state, "equals": value}
