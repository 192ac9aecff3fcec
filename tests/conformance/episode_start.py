"""Comparing how an episode starts: agents, verbs, tasks, and what loading made of the objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from earsim.suites.ear_bench import is_cooperative
from earsim.world import World
from tests.conformance.scenes import Raw, RecordedSetting

LOAD_TOLERANCE = 1e-9
JOINT_MARKS = "states.cooperative_modified_attributes"

_SHOWN_ONLY: Mapping[str, tuple[Any, ...]] = {
    "properties.fragile": (False,),
    "properties.size": ([0.1, 0.1, 0.1], [1, 1, 1]),
}
"""Defaults that the reference adds for display and reads nowhere (EAR-Bench 1.1); we add none."""

Compared = tuple[str, Any, Any]


def differ(what: str, recorded: Any, replayed: Any) -> Iterator[Compared]:
    """The difference, if there is one."""
    if recorded != replayed:
        yield what, recorded, replayed


def compare_start(head: Raw, setting: RecordedSetting, world: World) -> Iterator[Compared]:
    """Everything that a recording tells about the start; what it leaves out is not asked for."""
    yield from compare_agents(world, head["init_agents"])
    now = "".join("01"[goal.holds(world)] for goal in setting.goals)
    replayed = {
        "agent_ids": list(world.agents),
        "verbs": _verbs(setting),
        "tasks": [_task(task) for task in setting.raw_tasks],
        "now0": now,
        "missing_objects": [node for node in setting.raw_objects if node not in world.location],
    }
    for what, value in replayed.items():
        if what in head:
            yield from differ(what, _told(what, head[what]), value)
    if "init_obj_diff" in head:
        yield from _compare_loaded(head["init_obj_diff"], _loaded(setting.raw_objects, world))


def compare_agents(world: World, recorded: Mapping[str, Any]) -> Iterator[Compared]:
    """All that is recorded of each agent after a command."""
    yield from differ("agents", list(recorded), list(world.agents))
    for agent_id, then in recorded.items():
        agent = world.agents.get(agent_id)
        if agent is None:
            continue
        yield from differ(f"{agent_id} room", then["loc"], agent.room)
        yield from differ(f"{agent_id} inventory", then["inv"], list(agent.inventory))
        yield from differ(f"{agent_id} near", then["near"], sorted(agent.near))
        yield from differ(f"{agent_id} abilities", then["abil"], sorted(agent.abilities))
        yield from differ(f"{agent_id} lock", then["coop"], agent.carrying)
        if not abs(then["load"] - agent.load) <= LOAD_TOLERANCE:  # a recorded NaN differs too
            yield f"{agent_id} load", then["load"], agent.load


def _told(what: str, recorded: Any) -> Any:
    """The recorded value in the form we compare."""
    if what == "verbs":
        return sorted(recorded)
    if what == "tasks":
        return [{key: task.get(key) for key in ("cat", "coop_rule", "checks")} for task in recorded]
    return recorded


def _verbs(setting: RecordedSetting) -> list[str]:
    """The attribute verbs of the scene."""
    verbs = setting.engine.verbs.values()
    return sorted(verb.name for verb in verbs if verb.attribute is not None and not verb.joint)


def _task(raw: Raw) -> dict[str, Any]:
    category, description = raw["task_category"], raw["task_description"]
    return {
        "cat": category,
        "coop_rule": is_cooperative(category, description),
        "checks": raw["validation_checks"],
    }


def _compare_loaded(recorded: Mapping[str, Raw], ours: Mapping[str, Raw]) -> Iterator[Compared]:
    for node in dict.fromkeys((*recorded, *ours)):
        told = {
            field: value
            for field, value in recorded.get(node, {}).items()
            if value not in _SHOWN_ONLY.get(field, ())
        }
        yield from differ(f"start of {node}", told, ours.get(node, {}))


def _loaded(raw_objects: Mapping[str, Raw], world: World) -> dict[str, dict[str, Any]]:
    """What loading changed in the objects of the file, in the recordings' words."""
    known = next(iter(world.known.values()), frozenset())
    changed = {}
    for node, raw in raw_objects.items():
        if node in world.location:
            fields = dict(_fields_loaded(raw, node, world, known=node in known))
            if fields:
                changed[node] = fields
    return changed


def _fields_loaded(raw: Raw, node: str, world: World, *, known: bool) -> Iterator[tuple[str, Any]]:
    place = world.location[node].text
    if place != _place_text(raw["location_id"]):
        yield "location_id", place
    states = raw.get("states") or {}
    for state, value in world.states[node].items():
        if state not in states or states[state] != value:
            yield f"states.{state}", value
    if states.get("cooperative_modified_attributes"):
        yield JOINT_MARKS, []  # emptied at load (EAR-Bench 1.3)
    mass = world.blueprint.things[node].mass_kg
    if raw["properties"].get("weight") != mass:
        yield "properties.weight", mass
    if known != bool(raw.get("is_discovered")):
        yield "is_discovered", known


def _place_text(raw: str) -> str:
    """A `location_id` with its relation spelled out (EAR-Bench 1.2)."""
    relation, colon, holder = raw.partition(":")
    return f"{relation or 'in'}:{holder}" if colon else f"in:{raw}"
