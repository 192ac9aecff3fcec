"""Tiny random scenarios, valid by the real schema, in which much can be in the way of much."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from earsim.schema import AgentSpec, Scenario, Scene, Task

RULESETS = ("physical", "ear-bench")
ABILITIES = ("open", "close", "lock", "unlock", "clean", "stain", "turn_on", "turn_off")
NOTHING: dict[str, Any] = {"any": []}
"""A goal that is never true."""

Data = dict[str, Any]


def scenario_of(
    ruleset: str,
    rooms: Sequence[Data | str],
    objects: Sequence[Data],
    agents: Sequence[Data],
    goal: Data,
    *,
    doors: Sequence[Data] = (),
    abilities: Sequence[str] | None = ABILITIES,
) -> Scenario:
    """A scenario from what a file would say; a room may be its bare id, connected to the others."""
    ids = [room if isinstance(room, str) else room["id"] for room in rooms]
    full = [
        {"id": r, "connects": [n for n in ids if n != r]} if isinstance(r, str) else r
        for r in rooms
    ]
    scene = {"id": "tiny", "rooms": full, "doors": doors, "objects": objects}
    if abilities is not None:
        scene["abilities"] = abilities
    return Scenario(
        id="tiny/task",
        ruleset=ruleset,
        scene=Scene.model_validate(scene, by_alias=True),
        agents=tuple(AgentSpec.model_validate(agent, by_alias=True) for agent in agents),
        task=task_of(goal),
    )


def task_of(goal: Any) -> Task:
    """A task with a goal, given as data."""
    data = {"id": "task", "category": "direct_command", "instruction": "-", "goal": goal}
    return Task.model_validate(data, by_alias=True)


def with_goal(scenario: Scenario, goal: Data) -> Scenario:
    """The same scene with another goal, validated."""
    return Scenario(
        id=scenario.id,
        ruleset=scenario.ruleset,
        scene=scenario.scene,
        agents=scenario.agents,
        task=task_of(goal),
    )


# -- at random -----------------------------------------------------------------------------------


def small_world(seed: int, ruleset: str, *, agents: int = 1, objects: int = 7) -> Scenario:
    """Two or three rooms, up to `objects` things in and on each other; its goal is never true."""
    rng = Random(f"{ruleset} {agents} {seed}")
    names = ["hall", "attic", "store"][: rng.choice([2, 2, 3])]
    things = _things(rng, names, rng.randint(4, objects), physical=ruleset == "physical")
    rooms, doors = _rooms(rng, names, [thing["id"] for thing in things])
    if ruleset != "physical":
        rooms, doors = [{"id": name} for name in names], []
    abilities: Sequence[str] | None = ABILITIES
    if rng.random() < 0.25:
        abilities = rng.sample(ABILITIES, 6)
    elif rng.random() < 0.15:
        abilities = None
    people = [_agent(rng, f"agent_{n + 1}", names) for n in range(agents)]
    if ruleset == "physical":
        more = Random(f"more {agents} {seed}")
        abilities = _with_faults(more, things, abilities)
        _narrow(more, doors)
        _set_on_wheels(more, things, doors)
    return scenario_of(ruleset, rooms, things, people, NOTHING, doors=doors, abilities=abilities)


def _with_faults(
    rng: Random, things: list[Data], abilities: Sequence[str] | None
) -> Sequence[str] | None:
    """In every third world tools are out of order, and things stay, or bear little."""
    if rng.random() < 0.67:
        return abilities
    verbs: list[str] = []
    for thing in things:
        states = thing["states"]
        if rng.random() < 0.25:
            thing["max_load_kg"] = rng.choice([0.2, 2, 5])
        if "provides" in thing and rng.random() < 0.4:
            states["is_broken"] = rng.random() < 0.7
            verbs += ["repair", "damage"]
        elif "provides" in thing and rng.random() < 0.6:
            states["is_on"], thing["needs"] = rng.random() < 0.3, ["is_on"]
            verbs += ["turn_on", "turn_off"]
        elif rng.random() < 0.4:
            states["is_plugged_in"], thing["needs"] = rng.random() < 0.6, ["is_plugged_in"]
            verbs += ["plug_in", "unplug"]
        if "provides" in thing and rng.random() < 0.4:
            thing["provides"] = [*thing["provides"], "repair"]
    return None if abilities is None else tuple(dict.fromkeys([*abilities, *verbs]))


def _narrow(rng: Random, doors: list[Data]) -> None:
    """Some doors are narrow."""
    if rng.random() < 0.3:
        for door in doors:
            door["width_m"] = rng.choice([0.1, 0.2, 0.3])


def _set_on_wheels(rng: Random, things: list[Data], doors: list[Data]) -> None:
    """Something rolls, and does not everywhere."""
    if rng.random() < 0.3:
        rng.choice(things)["wheels"] = rng.choice([{}, {"max_load_kg": 5}])
        for door in doors:
            door["stairs"] = rng.random() < 0.4


def _rooms(rng: Random, names: list[str], things: list[str]) -> tuple[list[Data], list[Data]]:
    """Each room is joined to an earlier one, mostly by a door; some to two."""
    rooms: list[Data] = [{"id": name} for name in names]
    doors: list[Data] = []
    for number, name in enumerate(names):
        for other in rng.sample(names[:number], min(number, rng.choice([1, 1, 2]))):
            luck = rng.random()
            if luck < 0.35:
                rooms[number].setdefault("connects", []).append(other)
            elif luck < 0.95:
                doors.append(_door(rng, f"door_{len(doors)}", [name, other], things))
    return rooms, doors


def _door(rng: Random, name: str, between: list[str], things: list[str]) -> Data:
    is_open = rng.random() < 0.3
    is_locked = not is_open and rng.random() < 0.5
    door: Data = {"id": name, "between": between}
    door["states"] = {"is_open": is_open, "is_locked": is_locked}
    if is_locked and rng.random() < 0.7:
        door["key"] = rng.choice([things[-1], *things])
    return door


ROLES = ("cabinet", "table", "box", "box", "tool", "tool", "heavy", "cup", "cup", "lamp", "key")


def _things(rng: Random, rooms: list[str], count: int, *, physical: bool) -> list[Data]:
    roles = rng.sample(ROLES, count)
    roles.sort(key=ROLES.index)
    things: list[Data] = []
    for number, role in enumerate(roles):
        thing = {"id": f"{role}_{number}", **_matter(rng, role), **_place(rng, things, rooms)}
        if physical and rng.random() < 0.4:
            thing["size_m"] = [rng.choice([0.1, 0.2, 0.5]) for _ in range(3)]
        elif physical and rng.random() < 0.3:
            thing["volume_l"] = rng.choice([1, 5, 20])
        things.append(thing)
    ids = [thing["id"] for thing in things]
    for thing in things:
        if thing["states"].get("is_locked") is not None and rng.random() < 0.6:
            thing["key"] = rng.choice([ids[-1], *ids])
    return things


def _matter(rng: Random, role: str) -> Data:
    """What a thing is, by its role."""
    states: Data = {}
    thing: Data = {
        "kind": "item",
        "mass_kg": rng.choice([0, 0.1, 0.2, 0.7, 2, 4.4]),
        "states": states,
    }
    if role in ("cabinet", "box"):
        thing["container"] = {"capacity_l": rng.choice([5, 20])} if rng.random() < 0.3 else {}
        if rng.random() < 0.7:
            states["is_open"] = rng.random() < 0.4
        if rng.random() < 0.3:
            states["is_locked"] = states.get("is_open") is not True and rng.random() < 0.7
    if role in ("cabinet", "table"):
        thing["kind"] = rng.choice(["furniture", "furniture", "item"])
        thing["mass_kg"] = rng.choice([3, 9, 30])
    elif role == "heavy":
        thing["kind"] = rng.choice(["furniture", "item"])
        thing["mass_kg"] = rng.choice([9, 12, 18])
    elif role == "tool":
        thing["provides"] = rng.sample(["clean", "lock", "unlock", "stain", "open"], 2)
    elif role == "lamp":
        states["is_on"] = rng.choice([True, False, False, 0, 1, None, "dim"])
    if role in ("cup", "table") or rng.random() < 0.2:
        states["is_dirty"] = rng.random() < 0.7
    if rng.random() < 0.1:
        thing["attributes"] = {"is_on": rng.random() < 0.5}
    return thing


def _place(rng: Random, earlier: list[Data], rooms: list[str]) -> Data:
    containers = [thing["id"] for thing in earlier if "container" in thing]
    if containers and rng.random() < 0.45:
        return {"in": rng.choice(containers)}
    if earlier and rng.random() < 0.35:
        return {"on": rng.choice(earlier)["id"]}
    return {"in": rng.choice([rooms[0], *rooms])}


def _agent(rng: Random, name: str, rooms: list[str]) -> Data:
    agent: Data = {
        "id": name,
        "max_mass_kg": rng.choice([0.3, 2.7, 5, 9, 12, 12]),
        "hands": rng.choice([0, 1, 1, 2, 2, 2]),
        "in": rng.choice([rooms[0], *rooms]),
    }
    if rng.random() < 0.3:
        agent["max_size_m"] = [0.2, 0.3, rng.choice([0.2, 0.5])]
    return agent
