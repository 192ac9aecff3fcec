"""Connectivity of a scene: the rooms that no agent of a scenario can ever get to."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.engine import Engine
from earsim.errors import Finding
from earsim.planner.known_verbs import unknown_verbs
from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.result import CommandClass
from earsim.schema import Scenario
from earsim.schema.goal import AllOf
from earsim.world import room_graph


def unreachable_rooms(scenario: Scenario) -> Iterator[Finding]:
    """Rooms that no way leads to, and those behind doors that nobody can ever open.

    A passage that only one of its rooms tells leads both ways. None are found under rules by which
    one enters any room from anywhere (EAR-Bench 2.3).

    Raises:
        NoSingleAnswer: A selector of the task fits nothing, or several things alike.
    """
    import networkx as nx

    # Where agents can get to does not depend on the goal, which the planner need not know.
    task = scenario.task.model_copy(update={"goal": AllOf(all=())})
    engine = Engine(scenario.model_copy(update={"task": task}))
    if not engine.ruleset.physics.doors_stop:
        return
    rooms = room_graph(engine.blueprint)
    starts = dict.fromkeys(body.start_room for body in engine.blueprint.bodies.values())
    joined = set[str]().union(*(nx.node_connected_component(rooms, start) for start in starts))
    entered = joined if unknown_verbs(engine) else _enterable(engine)  # which may open doors
    behind = rooms.subgraph(joined - entered)
    for index, room in enumerate(rooms):
        place = f"scene.rooms[{index}]"
        if room not in joined:
            reason = f"{room!r} cannot be reached"
            expected = f"a passage or a door on a way from {' or '.join(map(repr, starts))}"
            yield Finding(scenario.id, place, reason, expected)
        elif room not in entered:
            part = nx.node_connected_component(behind, room)
            shut = {
                way["door"] for _, there, way in rooms.edges(part, data=True) if there in entered
            }
            doors = " or ".join(repr(door) for door in engine.blueprint.doors if door in shut)
            reason = f"{room!r} cannot be reached: nobody can open {doors}"
            expected = "a door that is open, or a verb, a key or a tool for it within reach"
            yield Finding(scenario.id, place, reason, expected)


def _enterable(engine: Engine) -> set[str]:
    """The rooms that some agent can ever be in, as the planner proves it."""
    start = engine.start()
    problem = Problem(engine, start, actors=tuple(start.agents), command_class=CommandClass.PLAIN)
    return set(PhysicalRelaxation(problem).rooms)
