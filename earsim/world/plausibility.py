"""What in a scene cannot be in nature, or is hard to believe: numbers, and states that exclude."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from earsim.schema import Scene, SceneObject
from earsim.schema.model import FieldProblem
from earsim.schema.scene_parts import Measured
from earsim.schema.verb_table import verb_table
from earsim.units import UNITS, format_field, format_quantity, split_quantity
from earsim.world.limits import is_within_size
from earsim.world.live import LiveScene
from earsim.world.plausible_processes import implausible_processes, odd_fittings, turned_in

_ABSOLUTE_ZERO = MappingProxyType({"c": -273.15, "k": 0.0, "f": -459.67})

_PARTS_OF_A_WHOLE = frozenset(
    [
        "alcohol",
        "battery",
        "charge",
        "fat",
        "fill",
        "humidity",
        "oxygen",
        "protein",
        "purity",
        "salt",
        "sugar",
    ]
)
"""Percentages of these end at 100; a discount, a deviation or the moisture of wood need not."""

_NEVER_NEGATIVE = frozenset(
    {"mass", "area", "volume", "frequency", "amount", "concentration", "information"}
    | {"illuminance", "flux", "dose", "activity", "energy"}
)
"""Dimensions whose numbers count from nothing."""

DENSEST_KGPM3 = MappingProxyType(
    {
        "cork": 300, "feather": 150, "foam": 300, "balsa": 260, "cardboard": 900, "paper": 1300,
        "bamboo": 1100, "pine": 800, "oak": 1100, "walnut": 900, "mahogany": 900, "plywood": 900,
        "wood": 1350, "wax": 1050, "ice": 920, "water": 1030, "leather": 1300, "wool": 1350,
        "cotton": 1600, "linen": 1600, "nylon": 1400, "plastic": 2300, "rubber": 2200,
        "glass": 6300, "ceramic": 6100, "porcelain": 2600, "brick": 2400, "concrete": 2700,
        "marble": 2900, "granite": 2900, "stone": 3400, "titanium": 4900, "aluminium": 2900,
        "aluminum": 2900, "zinc": 7300, "iron": 7950, "cast iron": 7500, "steel": 8200,
        "stainless steel": 8200, "brass": 8800, "copper": 9000, "silver": 10600, "lead": 11400,
        "gold": 19400, "platinum": 21600,
    }
)  # fmt: skip
"""The most that a cubic metre of a material weighs: its densest sort, without any hollow."""

_DENSEST_KG_M3 = 22_700
"""Osmium."""

_LIGHTEST_KGPL = 0.001
"""Of the box around a thing: less than air."""

_EXCLUDING = (
    ("is_frozen", "is_boiling"),
    ("is_frozen", "is_melted"),
    ("is_frozen", "is_hot"),
    ("is_full", "is_drained"),
    ("is_full", "is_empty"),
    ("is_locked", "is_open"),
)
"""States that no thing has both of at once."""

_NUMBERS = "one of its numbers"
_SAID_BY = {
    "what it is in or on": (
        "is_drained is_filed is_full is_inserted is_loaded is_mounted is_packed is_poured "
        "is_reloaded is_scooped is_stacked"
    ),
    "what it is joined to": "is_connected is_plugged_in",
    "who has read its numbers": "is_measured is_pressure_checked is_weighed",
    _NUMBERS: "is_boiling is_charged is_frozen is_fueled is_hot",
}
MARKS = MappingProxyType({mark: by for by, marks in _SAID_BY.items() for mark in marks.split()})
"""States that in the world would follow from something else, and what that is.

In `physical` a verb sets them, and nothing follows from them.
"""

_ROUNDING = 1.02

Loc = tuple[str | int, ...]


class _Volumes(NamedTuple):
    """What is directly in a container: how many things, and the space all takes up with liquids."""

    things: int
    volume_l: float


def implausible_in(scene: Scene) -> Iterator[FieldProblem]:
    """Numbers and states of a scene that nothing in the world has."""
    for index, room in enumerate(scene.rooms):
        yield from _numbers(("rooms", index), room)
    things = {thing.id: thing for thing in scene.objects}
    contents = _contents(scene)
    yield from _loads(scene)
    yield from implausible_processes(scene)
    for index, thing in enumerate(scene.objects):
        loc = ("objects", index)
        yield from _numbers(loc, thing)
        yield from _too_dense(loc, thing, _DENSEST_KG_M3)
        yield from _capacity(loc, thing, contents)
        holder = things.get(thing.in_ or "")
        if holder is not None and "is_open" in holder.states:
            yield from _size(loc, thing, holder)
        yield from _states(loc, thing)


def odd_in(scene: Scene) -> Iterator[FieldProblem]:
    """What is odd in a scene and may be meant: states no verb changes, and strange masses."""
    changed = {verb.attribute for verb in verb_table().values()}
    sensed = {name for thing in scene.objects for name in thing.senses}
    turned, live = turned_in(scene), LiveScene.of(scene)
    yield from odd_fittings(scene)
    for index, thing in enumerate(scene.objects):
        loc = ("objects", index)
        moving = set[str]() if live is None else live.unlabelled(thing.id)
        yield from _perceived(loc, thing, sensed, moving)
        material = str(thing.attributes.get("material", "")).replace("_", " ").casefold()
        if material in DENSEST_KGPM3:
            yield from _too_dense(loc, thing, DENSEST_KGPM3[material], f" of {material}")
        yield from _too_light(loc, thing)
        for name in thing.states:
            if name not in changed and name not in turned[thing.id]:
                reason = f"no verb changes {name!r} of {thing.name!r}"
                expected = "a state of the table of verbs, or put it under 'attributes'"
                yield FieldProblem((*loc, "states", name), reason, expected)


def _perceived(
    loc: Loc, thing: SceneObject, sensed: Collection[str], moving: Collection[str]
) -> Iterator[FieldProblem]:
    for name, way in thing.perceived_by.items():
        if name != "mass_kg" and name not in thing.quantities and name not in moving:
            reason = f"{thing.name!r} has no {name}"
            yield FieldProblem((*loc, "perceived_by", name), reason, "a number of this object")
        elif way == "sensed" and name not in sensed:
            reason = f"nothing in the scene senses {name}"
            expected = "an object, or an agent, that 'senses' it"
            yield FieldProblem((*loc, "perceived_by", name), reason, expected)


def marks_in(scene: Scene) -> Iterator[FieldProblem]:
    """States that a verb sets although they would follow from something else; each told once."""
    found: dict[str, list[tuple[int, SceneObject]]] = {}
    turned = turned_in(scene)
    for index, thing in enumerate(scene.objects):
        for state in thing.states:
            if state in MARKS and state not in thing.needs and state not in turned[thing.id]:
                found.setdefault(state, []).append((index, thing))
    for state, marked in found.items():
        index, thing = marked[0]
        more = f" and {len(marked) - 1} more" if len(marked) > 1 else ""
        reason = f"{state!r} of {thing.name!r}{more}: a verb sets it, nothing else bears on it"
        until = " until numbers change" if MARKS[state] == _NUMBERS else ""
        expected = f"meant as a mark{until}; {MARKS[state]} would say so"
        yield FieldProblem(("objects", index, "states", state), reason, expected)


def _contents(scene: Scene) -> Mapping[str, _Volumes]:
    found: dict[str, _Volumes] = defaultdict(lambda: _Volumes(0, 0.0))
    for thing in scene.objects:
        if thing.in_ is not None:
            held = found[thing.in_]
            found[thing.in_] = _Volumes(held.things + 1, held.volume_l + (_volume_l(thing) or 0.0))
    live = LiveScene.of(scene)
    if live is None:
        return found
    for vessel, grams in live.vessels.items():
        held = found[vessel]
        litres = sum(
            [g / 1000 / live.substances[name].density_kgpl for name, g in grams.items()], 0.0
        )
        found[vessel] = held._replace(volume_l=held.volume_l + litres)
    return found


def _volume_l(thing: SceneObject) -> float | None:
    """The space that it takes up, as the rules reckon it; None where the file does not say."""
    stated = thing.quantities.get("volume_l")
    return stated if stated is not None else _box_l(thing)


def _box_l(thing: SceneObject) -> float | None:
    return None if thing.size_m is None else math.prod(thing.size_m) * 1000


def _numbers(loc: Loc, thing: Measured) -> Iterator[FieldProblem]:
    for field, value in thing.quantities.items():
        name = split_quantity(field)
        if name is None:
            continue
        low, high, what = -math.inf, math.inf, ""
        dimension = UNITS[name.unit].dimension
        if dimension == "temperature":
            low, what = _ABSOLUTE_ZERO[name.unit], "is below absolute zero"
        elif name.unit == "percent" and name.quantity in _PARTS_OF_A_WHOLE:
            low, high, what = 0.0, 100.0, "is no part of a whole"
        elif name.quantity == "age" or dimension in _NEVER_NEGATIVE:
            low, what = 0.0, "is less than nothing"
        if value < low:
            told = f"at least {format_quantity(low, name.unit)}"
        elif value > high:
            told = f"at most {format_quantity(high, name.unit)}"
        else:
            continue
        yield FieldProblem((*loc, field), f"{format_field(field, value)} {what}", told)


def _too_dense(
    loc: Loc, thing: SceneObject, densest: float, of: str = ""
) -> Iterator[FieldProblem]:
    """What is heavier than a block of its size, of anything or of its material."""
    box_l = _box_l(thing)
    if box_l is None:
        return
    most = box_l / 1000 * densest
    if thing.mass_kg > most * _ROUNDING:
        reason = f"{_weighs(thing)} in a box of {box_l:,.4g} L"
        yield FieldProblem((*loc, "mass_kg"), reason, f"a block{of} of that size has {most:,.4g}")


def _too_light(loc: Loc, thing: SceneObject) -> Iterator[FieldProblem]:
    box_l = _box_l(thing)
    if not thing.mass_kg:
        yield FieldProblem(
            (*loc, "mass_kg"), _weighs(thing), "above 0: everything weighs something"
        )
    elif box_l is not None and thing.mass_kg < box_l * _LIGHTEST_KGPL:
        reason = f"{_weighs(thing)} in a box of {box_l:,.4g} L, less than the air in it"
        least = f"at least {box_l * _LIGHTEST_KGPL:,.4g}, if not a wire"
        yield FieldProblem((*loc, "mass_kg"), reason, least)


def _weighs(thing: SceneObject) -> str:
    return f"{thing.name!r} weighs {thing.mass_kg:g} kg"


def _capacity(
    loc: Loc, thing: SceneObject, contents: Mapping[str, _Volumes]
) -> Iterator[FieldProblem]:
    capacity_l = thing.container.capacity_l if thing.container else None
    if capacity_l is None:
        return
    where = (*loc, "container", "capacity_l")
    outer_l = _box_l(thing) or thing.quantities.get("volume_l")
    if outer_l is not None and capacity_l > outer_l * _ROUNDING:
        reason = f"{thing.name!r} holds {capacity_l:,.4g} L and takes up {outer_l:,.4g} L itself"
        yield FieldProblem(where, reason, f"at most {outer_l:,.4g} L, or a larger size_m")
    held = contents.get(thing.id)
    if held is not None and held.things and held.volume_l > capacity_l * _ROUNDING:
        many = "the thing" if held.things == 1 else f"the {held.things} things"
        if thing.liquids:
            many += " and the liquid"
        takes = "takes" if held.things == 1 and not thing.liquids else "take"
        reason = f"{many} in {thing.name!r} {takes} up {held.volume_l:,.4g} L of {capacity_l:,.4g}"
        yield FieldProblem(where, reason, "contents that fit, or more capacity")


def _loads(scene: Scene) -> Iterator[FieldProblem]:
    """What stands on a thing from the start, at any depth, weighs no more than it bears."""
    if not any("max_load_kg" in thing.quantities for thing in scene.objects):
        return
    things = {thing.id: thing for thing in scene.objects}
    loads: dict[str, float] = defaultdict(float)
    for thing in scene.objects:
        around: SceneObject | None = thing
        while around is not None:  # outwards
            if around.on is not None:
                loads[around.on] += thing.mass_kg + sum((thing.liquids or {}).values(), 0.0)
            around = things.get(around.holder)
    for index, thing in enumerate(scene.objects):
        most, load = thing.quantities.get("max_load_kg"), loads[thing.id]
        if most is not None and load > most * _ROUNDING and most >= 0:
            reason = f"{load:,.4g} kg stand on {thing.name!r}, which bears {most:,.4g}"
            expected = "less on it, or more that it bears"
            yield FieldProblem(("objects", index, "max_load_kg"), reason, expected)


def _size(loc: Loc, thing: SceneObject, holder: SceneObject) -> Iterator[FieldProblem]:
    """What lies in a thing that closes lies wholly within it."""
    if thing.size_m and holder.size_m and not is_within_size(thing.size_m, holder.size_m):
        edges = " x ".join(f"{edge:g}" for edge in holder.size_m)
        reason = f"{thing.name!r} is in {holder.name!r}, which is {edges} m"
        yield FieldProblem((*loc, "size_m"), reason, "a thing that fits in it")


def _states(loc: Loc, thing: SceneObject) -> Iterator[FieldProblem]:
    for pair in _EXCLUDING:
        if all(thing.states.get(name) is True for name in pair):
            both = " and ".join(name.removeprefix("is_") for name in pair)
            reason = f"{thing.name!r} is {both} at once"
            yield FieldProblem((*loc, "states", pair[1]), reason, "at most one of them is true")
