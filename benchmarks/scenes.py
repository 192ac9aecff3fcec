"""Scenes made to measure: sets of eleven objects, with tools, containers and switches, in rooms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, repeat
from typing import Any

from earsim import Scenario

OBJECTS_PER_SET = 11
RULESETS = ("ear-bench", "physical")


def scenario_dict(
    *,
    objects: int = 44,
    rooms: int = 0,
    unvisited_objects: int = 0,
    unvisited_rooms: int = 0,
    agents: int = 1,
    knowledge: str = "shared",
    ruleset: str = "physical",
) -> dict[str, Any]:
    """A scenario as a scenario file holds it.

    Args:
        objects: how many there are in the rooms that agents walk in.
        rooms: how many rooms these are; one per set of eleven objects when 0.
        unvisited_objects: further ones, in rooms that nobody enters.
        unvisited_rooms: how many rooms those are.
        agents: how many there are, all in the first room.
        knowledge: whether what one perceives all know, or each its own (`own`, `physical` alone).
        ruleset: the rules to play by.
    """
    walked = walked_rooms(objects, rooms)
    shut = [f"hall_{number}" for number in range(len(walked), len(walked) + unvisited_rooms)]
    sets = _sets(objects)
    found = _spread(range(sets), walked)[:objects]
    if unvisited_objects:
        found += _spread(range(sets, sets + _sets(unvisited_objects)), shut)[:unvisited_objects]
    return {
        "schema": "earsim.scenario/1",
        "id": "benchmark",
        "ruleset": ruleset,
        "knowledge": knowledge,
        "scene": {
            "schema": "earsim.scene/1",
            "id": "workshop",
            "rooms": [_room(number) for number in range(len(walked) + len(shut))],
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
                    {"at": {"object": "wrench_0", "in": f"cabinet_{sets - 1}"}},
                    {"has_state": {"object": "lamp_0", "state": "is_on"}},
                ]
            },
        },
    }


def scenario(**settings: Any) -> Scenario:
    """The same as `scenario_dict`, validated."""
    return Scenario.model_validate(scenario_dict(**settings))


def walked_rooms(objects: int = 44, rooms: int = 0) -> list[str]:
    """The rooms that the objects agents deal with are in."""
    return [f"hall_{number}" for number in range(rooms or _sets(objects))]


def _sets(objects: int) -> int:
    return -(-objects // OBJECTS_PER_SET)


def _spread(sets: range, rooms: list[str]) -> list[dict[str, Any]]:
    """Sets in rooms: each in a room of its own if there are as many, or dealt out in pieces."""
    if len(rooms) == len(sets):
        return [
            thing
            for number, room in zip(sets, rooms, strict=True)
            for thing in _things(number, repeat(room))
        ]
    deal = cycle(rooms)
    return [thing for number in sets for thing in _things(number, deal)]


def _room(number: int) -> dict[str, Any]:
    room = {"id": f"hall_{number}", "name": f"Hall {number}", "area_m2": 40 + number}
    return room if number == 0 else {**room, "connects": [f"hall_{number - 1}"]}


def _things(n: int, rooms: Iterator[str]) -> list[dict[str, Any]]:
    """A set: five pieces, each in the next of some rooms, and on and in three of them six items."""
    bench, box = f"bench_{n}", f"box_{n}"
    cabinet, shelf = f"cabinet_{n}", f"shelf_{n}"
    closed = {"is_open": False}
    switch = {"is_on": False}
    return [
        _thing(bench, "Work bench", 60, [1.8, 0.8, 0.9], {"in": next(rooms)}, kind="furniture"),
        _thing(
            cabinet, "Steel cabinet", 55, [0.9, 0.5, 1.9], {"in": next(rooms)}, kind="furniture",
            container={"capacity_l": 300}, states={"is_open": True},
        ),
        _thing(
            shelf, "Oak shelf", 35, [1.2, 0.3, 1.8], {"in": next(rooms)}, kind="furniture",
            container={}, attributes={"material": "oak", "finish": "oiled"},
        ),
        _thing(box, "Tool box", 3.2, [0.5, 0.3, 0.3], {"on": bench}, container={}, states=closed),
        _thing(f"lamp_{n}", "Desk lamp", 1.4, [0.2, 0.2, 0.5], {"on": bench}, states=switch),
        _thing(f"wrench_{n}", "Pipe wrench", 1.9, [0.5, 0.1, 0.1], {"on": bench}),
        _thing(f"meter_{n}", "Volt meter", 0.6, [0.2, 0.1, 0.1], {"in": cabinet}, states=switch),
        _thing(f"crate_{n}", "Fish crate", 6.5, [0.6, 0.4, 0.3], {"in": next(rooms)}, container={}),
        _thing(f"flask_{n}", "Glass flask", 0.4, [0.1, 0.1, 0.2], {"in": shelf}, volume_l=1.5),
        _thing(
            f"driver_{n}", "Screw driver", 0.2, [0.2, 0.1, 0.1], {"in": shelf},
            provides=["disassemble"],
        ),
        _thing(
            f"motor_{n}", "Drive motor", 28, [0.5, 0.4, 0.4], {"in": next(rooms)}, states=switch
        ),
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
