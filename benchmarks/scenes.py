"""Scenes made to measure: rooms of eleven objects each, with tools, containers and switches."""

from __future__ import annotations

from typing import Any

from earsim import Scenario

OBJECTS_PER_ROOM = 11
RULESETS = ("ear-bench", "physical")


def scenario_dict(
    *, objects: int = 44, full_rooms: int = 0, agents: int = 1, ruleset: str = "physical"
) -> dict[str, Any]:
    """A scenario as a scenario file holds it.

    Args:
        objects: how many there are in the rooms that agents walk in.
        full_rooms: further rooms of eleven objects each, that nobody enters.
        agents: how many there are, all in the first room.
        ruleset: the rules to play by.
    """
    rooms = -(-objects // OBJECTS_PER_ROOM)
    found = [thing for room in range(rooms) for thing in _things(room)][:objects]
    found += [thing for room in range(rooms, rooms + full_rooms) for thing in _things(room)]
    return {
        "schema": "earsim.scenario/1",
        "id": "benchmark",
        "ruleset": ruleset,
        "scene": {
            "schema": "earsim.scene/1",
            "id": "workshop",
            "rooms": [_room(number) for number in range(rooms + full_rooms)],
            "objects": found,
        },
        "agents": [
            {"id": f"agent_{n}", "name": f"Agent {n}", "max_mass_kg": 40, "hands": 2}
            for n in range(agents)
        ],
        "task": {
            "id": "tidy",
            "category": "direct_command",
            "instruction": "Bring the wrench to the last cabinet and switch the lamp on.",
            "goal": {
                "all": [
                    {"at": {"object": "wrench_0", "in": f"cabinet_{rooms - 1}"}},
                    {"has_state": {"object": "lamp_0", "state": "is_on"}},
                ]
            },
        },
    }


def scenario(**settings: Any) -> Scenario:
    """The same as `scenario_dict`, validated."""
    return Scenario.model_validate(scenario_dict(**settings))


def walked_rooms(objects: int = 44) -> list[str]:
    """The rooms that the objects agents deal with are in."""
    return [f"hall_{number}" for number in range(-(-objects // OBJECTS_PER_ROOM))]


def _room(number: int) -> dict[str, Any]:
    room = {"id": f"hall_{number}", "name": f"Hall {number}", "area_m2": 40 + number}
    return room if number == 0 else {**room, "connects": [f"hall_{number - 1}"]}


def _things(room: int) -> list[dict[str, Any]]:
    """Three pieces of furniture, and on, in and between them eight items."""
    hall, bench, box = f"hall_{room}", f"bench_{room}", f"box_{room}"
    cabinet, shelf = f"cabinet_{room}", f"shelf_{room}"
    closed = {"is_open": False}
    switch = {"is_on": False}
    return [
        _thing(bench, "Work bench", 60, [1.8, 0.8, 0.9], {"in": hall}, kind="furniture"),
        _thing(
            cabinet, "Steel cabinet", 55, [0.9, 0.5, 1.9], {"in": hall}, kind="furniture",
            container={"capacity_l": 300}, states={"is_open": True},
        ),
        _thing(
            shelf, "Oak shelf", 35, [1.2, 0.3, 1.8], {"in": hall}, kind="furniture",
            container={}, attributes={"material": "oak", "finish": "oiled"},
        ),
        _thing(box, "Tool box", 3.2, [0.5, 0.3, 0.3], {"on": bench}, container={}, states=closed),
        _thing(f"lamp_{room}", "Desk lamp", 1.4, [0.2, 0.2, 0.5], {"on": bench}, states=switch),
        _thing(f"wrench_{room}", "Pipe wrench", 1.9, [0.5, 0.1, 0.1], {"on": bench}),
        _thing(f"meter_{room}", "Volt meter", 0.6, [0.2, 0.1, 0.1], {"in": cabinet}, states=switch),
        _thing(f"crate_{room}", "Fish crate", 6.5, [0.6, 0.4, 0.3], {"in": hall}, container={}),
        _thing(f"flask_{room}", "Glass flask", 0.4, [0.1, 0.1, 0.2], {"in": shelf}, volume_l=1.5),
        _thing(
            f"driver_{room}", "Screw driver", 0.2, [0.2, 0.1, 0.1], {"in": shelf},
            provides=["disassemble"],
        ),
        _thing(f"motor_{room}", "Drive motor", 28, [0.5, 0.4, 0.4], {"in": hall}, states=switch),
    ]  # fmt: skip


def _thing(
    thing_id: str,
    name: str,
    mass_kg: float,
    size_m: list[float],
    place: dict[str, str],
    **more: Any,
) -> dict[str, Any]:
    """An item, unless it says otherwise."""
    return {
        "id": thing_id,
        "name": name,
        "kind": "item",
        "mass_kg": mass_kg,
        "size_m": size_m,
        "attributes": {"color": "grey"},
        **place,
        **more,
    }
