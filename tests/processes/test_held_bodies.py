"""What melts or boils keeps its temperature, and acts on what is around it meanwhile."""

from collections.abc import Mapping
from typing import Any

import pytest

from earsim.processes.clock import Unwatched, begin, elapse
from earsim.schema import AgentSpec
from earsim.schema.scene import Scene
from earsim.world import Blueprint, Physics, World
from earsim.world.numbers import number_of

ROOM_C = 21.0
BOX = {
    "id": "box",
    "kind": "item",
    "in": "room",
    "mass_kg": 2.0,
    "temperature_c": 5.0,
    "container": {},
    "states": {"is_open": False},
    "processes": [{"compartment": {"air_jpk": 400.0, "wall_wpk": 0.3}}],
}
LATENT_J = 334000.0
PACK = {
    "id": "pack",
    "kind": "item",
    "in": "box",
    "mass_kg": 1.0,
    "temperature_c": 0.0,
    "processes": [
        {"heat": {"material": "ice", "conductance_wpk": 1.0}},
        {"phase": {"at_c": 0.0, "latent_j": LATENT_J}},
    ],
}


def started(*objects: Mapping[str, Any]) -> World:
    rooms = [{"id": "room", "temperature_c": ROOM_C}]
    scene = Scene.model_validate({"id": "s", "rooms": rooms, "objects": objects})
    agent = AgentSpec.model_validate({"id": "ada", "max_mass_kg": 30.0})
    world = World(Blueprint.compile(scene, (agent,)), Physics())
    begin(world, Unwatched())
    return world


def temperature(world: World, node: str) -> float:
    value = number_of(world, node, "temperature_c")
    assert value is not None
    return value


def test_a_pack_that_melts_keeps_the_air_around_it_cold():
    world = started(BOX, PACK)
    elapse(world, 36000, Unwatched())
    steady = 0.3 * ROOM_C / (0.3 + 1.0)
    assert temperature(world, "pack") == 0.0
    assert temperature(world, "box") == pytest.approx(steady, abs=1e-9)


def test_the_heat_that_comes_through_the_wall_is_what_melts_the_pack():
    world = started({**BOX, "temperature_c": 0.3 * ROOM_C / 1.3}, PACK)
    elapse(world, 3600, Unwatched())
    melted = number_of(world, "pack", "melted_percent")
    through = 0.3 * (ROOM_C - temperature(world, "box")) * 3600
    assert melted == pytest.approx(100 * through / LATENT_J, rel=1e-9)


def test_what_lies_on_ice_melts_it():
    insulated = {"heat": {"material": "ice", "conductance_wpk": 0.0}}
    slab = {**PACK, "in": "room", "processes": [insulated, PACK["processes"][1]]}
    can = {
        "id": "can",
        "kind": "item",
        "on": "pack",
        "mass_kg": 0.5,
        "temperature_c": 20.0,
        "processes": [{"heat": {"material": "water", "area_m2": 0.01}}],
    }
    world = started(slab, can)
    elapse(world, 36000, Unwatched())
    to_ice, to_room = 40.0 * 0.01, 10.0 * 0.01
    steady = to_room * ROOM_C / (to_ice + to_room)
    assert temperature(world, "can") == pytest.approx(steady, abs=0.01)
    before = number_of(world, "pack", "melted_percent") or 0.0
    elapse(world, 3600, Unwatched())
    after = number_of(world, "pack", "melted_percent") or 0.0
    assert after - before == pytest.approx(100 * to_ice * steady * 3600 / LATENT_J, rel=1e-3)


def test_a_pan_that_boils_cools_the_plate_it_stands_on():
    plate = {
        "id": "plate",
        "kind": "furniture",
        "in": "room",
        "mass_kg": 3.0,
        "temperature_c": ROOM_C,
        "processes": [
            {"heat": {"material": "iron", "area_m2": 0.1}},
            {"heats": {"power_w": 1000.0}},
        ],
    }
    pan = {
        "id": "pan",
        "kind": "item",
        "on": "plate",
        "mass_kg": 1.0,
        "temperature_c": 99.0,
        "container": {"capacity_l": 3.0},
        "liquids": {"water": 3.0},
        "processes": [
            {"heat": {"material": "steel", "area_m2": 0.2}},
            {"boils": {"substance": "water"}},
        ],
    }
    world = started(plate, pan)
    elapse(world, 3000, Unwatched())
    to_pan, to_room = 40.0 * 0.2, 10.0 * 0.1
    steady = (1000.0 + to_pan * 100.0 + to_room * ROOM_C) / (to_pan + to_room)
    assert temperature(world, "pan") == 100.0
    assert temperature(world, "plate") == pytest.approx(steady, abs=0.01)


def test_what_lies_on_a_pan_on_a_plate_is_as_warm_wherever_the_plate_is_listed():
    """The plate and the pan act on each other; the lid follows the pan."""

    def body(node: str, on: str, start_c: float, *processes: Any) -> dict[str, Any]:
        heat = {"heat": {"heat_capacity_jpk": 200.0 if node == "lid" else 900.0, "area_m2": 0.02}}
        place = {"in" if on == "room" else "on": on}
        more = {"temperature_c": start_c, "processes": [heat, *processes]}
        return {"id": node, "kind": "item", "mass_kg": 1.0, **place, **more}

    heated = {"heats": {"power_w": 100.0}}
    objects = [body("plate", "room", 90.0, heated), body("pan", "plate", 20.0)]
    objects.append(body("lid", "pan", 5.0))
    found = []
    plate, *others = objects
    for place in range(3):
        world = started(*others[:place], plate, *others[place:])
        elapse(world, 600, Unwatched())
        found.append([temperature(world, node) for node in ("plate", "pan", "lid")])
    assert found == [pytest.approx(found[0], abs=1e-6)] * 3
    plate_c, pan_c, lid_c = found[0]
    assert plate_c > pan_c > lid_c > ROOM_C + 10.0
