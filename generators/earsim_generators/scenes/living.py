"""Processes in a scene of a domain: what shows a temperature or a charge has one that moves.

A fridge holds its temperature while it is plugged in and shut, food and drink come to that of what
is around them, a kettle heats while it is on and switches itself off, and batteries run down while
a thing is on and are charged while it is plugged in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from earsim.dynamics.constants import SPECIFIC_HEAT_JPKGK
from earsim.schema import Scene, SceneObject
from earsim_generators.scenes.generator import MadeScene

Processes = list[dict[str, Any]]

_FOOD: Final = frozenset({"bread", "cheese", "dough", "fruit", "meat", "sugar", "vegetable"})
_OTHER_JPKGK: Final = 1000.0
"""Estimate where the material has no specific heat of its own: most solids are within a half."""

_WALL_WPM2K: Final = 0.6
_AIR_JPKL: Final = 40.0
"""Estimates for fridges: a wall of foam, and the air of a litre with its share of the lining."""

_OFF_C: Final = 95.0
"""A kettle switches itself off there."""

_WH_PKG: Final = 60.0
_HOURS_ON: Final = 3.0
_CHARGED_PH: Final = 40.0
"""Estimates for things with a battery: energy of a kilogram of thing, time that a full one lasts,
and percent an hour on the mains."""


def with_processes(made: MadeScene) -> MadeScene:
    """The same scene with processes for what shows a temperature or a charge."""
    scene = made.scene
    air = {room.id: room.quantities.get("temperature_c") for room in scene.rooms}
    if None in air.values():
        return made
    places = {thing.id: thing.in_ or thing.on or "" for thing in scene.objects}
    things = []
    for thing in scene.objects:
        room = thing.id
        while room not in air:
            room = places[room]
        found, numbers = _of(thing, air[room] or 0.0)
        things.append(thing.model_dump(mode="json", by_alias=True, exclude_defaults=True) | numbers)
        if found:
            things[-1]["processes"] = found
    data = scene.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return replace(made, scene=Scene.model_validate({**data, "objects": things}))


def _of(thing: SceneObject, air_c: float) -> tuple[Processes, dict[str, float]]:
    """The processes of a thing in a room of so many degrees, and numbers that they need."""
    numbers: dict[str, float] = {}
    processes: Processes = []
    if "temperature_c" in thing.quantities and thing.mass_kg is not None:
        processes += _cold(thing, air_c) if thing.container else _heat(thing)
    if "charge_percent" in thing.quantities and "is_on" in thing.states:
        energy_wh = round(max(1.0, _WH_PKG * thing.mass_kg), 1)
        numbers["capacity_wh"] = energy_wh
        power_w = round(energy_wh / _HOURS_ON, 2)
        processes.append({"discharge": {"power_w": power_w, "while": {"is_on": True}}})
        if "is_plugged_in" in thing.states:
            charge = {"percent_ph": _CHARGED_PH, "while": {"is_plugged_in": True}}
            processes.append({"charge": charge})
    return processes, numbers


def _cold(thing: SceneObject, air_c: float) -> Processes:
    """A compartment whose motor balances what comes through its walls; none without a plug."""
    inside_c = thing.quantities["temperature_c"]
    if not {"is_open", "is_plugged_in"} <= thing.states.keys() or inside_c >= air_c:
        return []
    assert thing.container is not None, "only containers are asked about"
    wall_wpk = round(_WALL_WPM2K * _surface_m2(thing), 2)
    air_jpk = round(_AIR_JPKL * (thing.container.capacity_l or 100.0), 1)
    power_w = round(-wall_wpk * (air_c - inside_c), 2)
    return [
        {"compartment": {"air_jpk": air_jpk, "wall_wpk": wall_wpk, "open_wpk": 20 * wall_wpk}},
        {"heats": {"power_w": power_w, "while": {"is_plugged_in": True}}},
    ]


def _heat(thing: SceneObject) -> Processes:
    capacity_jpk = round(max(1.0, thing.mass_kg * _jpkgk(thing)), 1)
    area_m2 = round(max(0.001, _surface_m2(thing)), 4)
    return [{"heat": {"heat_capacity_jpk": capacity_jpk, "area_m2": area_m2}}, *_kettle(thing)]


def _kettle(thing: SceneObject) -> Iterator[dict[str, Any]]:
    power_w = thing.quantities.get("power_w")
    if power_w is not None and "is_on" in thing.states:
        yield {"heats": {"power_w": power_w, "while": {"is_on": True}}}
        crossing = {"of": "temperature_c", "at_least": _OFF_C, "sets": {"is_on": False}}
        yield {"crossing": crossing}


def _jpkgk(thing: SceneObject) -> float:
    """Specific heat, of the contents of vessels where these are what a thing is made of.

    Where water is, no material is told.
    """
    material = str(thing.attributes.get("material", "water"))
    if material in _FOOD:
        return SPECIFIC_HEAT_JPKGK["food"]
    return SPECIFIC_HEAT_JPKGK.get(material.rpartition(" ")[2], _OTHER_JPKGK)


def _surface_m2(thing: SceneObject) -> float:
    """The surface of the box around a thing."""
    if thing.size_m is None:
        return 0.1
    length, width, height = thing.size_m
    return 2 * (length * width + width * height + height * length)
