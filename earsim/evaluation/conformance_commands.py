"""Replaying recordings of the command level: one command, one full comparison of the world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from earsim.actions.outcome import Outcome, Reason
from earsim.engine import Engine
from earsim.evaluation.conformance_scenes import load_engine
from earsim.goals import CompiledGoal
from earsim.rulesets.ear_bench import REPLAY, ear_bench
from earsim.world import World

JOINT_MARKS = "states.cooperative_modified_attributes"
LOAD_TOLERANCE = 1e-9

_EXCEPTIONS = {
    Reason.BLANK_COMMAND: "exc_IndexError",  # RULES.md Q40
    Reason.NOWHERE: "exc_RecursionError",  # RULES.md Q7
}

Found = tuple[int, str, Any, Any]


class Seen(NamedTuple):
    """What an object looked like before a command, by reference."""

    location: dict[str, Any]
    states: dict[str, Any]
    altered: dict[str, Any]
    jointly: dict[str, Any]
    known: frozenset[str]


def replay_commands(records: list[dict[str, Any]], data: Path) -> tuple[int, list[Found]]:
    """Replay one episode; returns the number of steps and every difference found."""
    head = records[0]
    engine, goals = load_engine(head, data, ear_bench(REPLAY))
    world = engine.start(discovered=bool(head.get("global_observation")))
    differences = [(-1, *found) for found in _compare_agents(world, head["init_agents"])]
    if "now0" in head:
        differences += [(-1, *found) for found in _differ("now0", head["now0"], _now(goals, world))]
    ever = [False] * len(goals)
    steps = 0
    for record in records[1:]:
        if record.get("t") == "s":
            steps += 1
            found = _replay_step(engine, world, goals, ever, record)
            differences += [(record["i"], *difference) for difference in found]
    return steps, differences


def _replay_step(
    engine: Engine,
    world: World,
    goals: list[CompiledGoal],
    ever: list[bool],
    record: Mapping[str, Any],
) -> list[tuple[str, Any, Any]]:
    before = _see(world)
    outcome = engine.execute(world, record["a"], record["c"])
    status, reason = recorded_form(outcome)
    now = _now(goals, world)
    ever[:] = [was or bit == "1" for was, bit in zip(ever, now, strict=True)]
    return [
        *_differ("status", record["st"], status),
        *_differ("class", record["f"], reason),
        *_compare_agents(world, record["ag"]),
        *_differ("changes", _sorted_marks(record["ch"]), _sorted_marks(_changes(before, world))),
        *_differ("discovered", sorted(record["new"]), sorted(_known(world) - before.known)),
        *_differ("now", record["now"], now),
        *_differ("ever", record["stk"], "".join("01"[bit] for bit in ever)),
    ]


def recorded_form(outcome: Outcome) -> tuple[str, str | None]:
    """Status and class as the recordings spell them."""
    if outcome.reason is None:
        return outcome.status.value, None
    if outcome.reason in _EXCEPTIONS:
        return "EXC", _EXCEPTIONS[outcome.reason]
    return outcome.status.value, outcome.reason.value


def _differ(what: str, recorded: Any, replayed: Any) -> list[tuple[str, Any, Any]]:
    return [] if recorded == replayed else [(what, recorded, replayed)]


def _now(goals: list[CompiledGoal], world: World) -> str:
    return "".join("01"[goal.holds(world)] for goal in goals)


def _compare_agents(world: World, recorded: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    yield from _differ("agents", list(recorded), list(world.agents))
    for agent_id, then in recorded.items():
        agent = world.agents[agent_id]
        yield from _differ(f"{agent_id} room", then["loc"], agent.room)
        yield from _differ(f"{agent_id} inventory", then["inv"], list(agent.inventory))
        yield from _differ(f"{agent_id} near", then["near"], sorted(agent.near))
        yield from _differ(f"{agent_id} abilities", then["abil"], sorted(agent.abilities))
        yield from _differ(f"{agent_id} lock", then["coop"], agent.carrying)
        if abs(then["load"] - agent.load) > LOAD_TOLERANCE:
            yield f"{agent_id} load", then["load"], agent.load


def _known(world: World) -> frozenset[str]:
    return next(iter(world.known.values()), frozenset())


def _see(world: World) -> Seen:
    return Seen(
        dict(world.location),
        dict(world.states),
        dict(world.altered),
        dict(world.jointly),
        _known(world),
    )


def _changes(before: Seen, world: World) -> dict[str, dict[str, Any]]:
    """Fields that differ from before, flattened as in the recordings."""
    changes: dict[str, dict[str, Any]] = {}
    for node, place in world.location.items():
        fields: dict[str, Any] = {}
        if place != before.location[node]:
            fields["location_id"] = place.text
        fields |= _changed("states", before.states[node], world.states[node])
        old = before.altered.get(node, world.blueprint.things[node].attributes)
        fields |= _changed("properties", old, world.attributes(node))
        if world.jointly.get(node) != before.jointly.get(node):
            fields[JOINT_MARKS] = list(world.jointly.get(node, ()))
        if fields:
            changes[node] = fields
    return changes


def _changed(prefix: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    if old is new:
        return {}
    keys = dict.fromkeys((*old, *new))
    return {f"{prefix}.{key}": new.get(key) for key in keys if old.get(key) != new.get(key)}


def _sorted_marks(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The reference's lists of joint marks are unordered."""
    return {
        node: {
            key: sorted(value) if key == JOINT_MARKS and value else value
            for key, value in fields.items()
        }
        for node, fields in changes.items()
    }
