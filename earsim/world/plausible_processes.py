"""What of the processes of a scene cannot be in nature, or is hard to believe."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from earsim.dynamics.constants import FILM_WPM2K
from earsim.errors import did_you_mean, near_misses
from earsim.schema import Scene, SceneObject
from earsim.schema.model import FieldProblem
from earsim.schema.process import Process
from earsim.world.live import TEMPERATURE

_ABSOLUTE_ZERO_C = -273.15
_MOST = {"power_w": (1e8, "W"), "lpm": (1e6, "litres a minute"), "kgph": (1e6, "kg an hour")}
"""The order of what the largest arc furnaces take, pumps move and turbines burn."""

Loc = tuple[str | int, ...]


def implausible_processes(scene: Scene) -> Iterator[FieldProblem]:
    """Powers and flows beyond any machine, and cold below absolute zero."""
    rooms = [room.quantities[TEMPERATURE] for room in scene.rooms if TEMPERATURE in room.quantities]
    for index, thing in enumerate(scene.objects):
        for place, process in enumerate(thing.processes):
            loc = ("objects", index, "processes", place, process.kind)
            yield from _size(loc, process)
        if thing.processes:
            yield from _cold(("objects", index), thing, min(rooms, default=0.0))


def _size(loc: Loc, process: Process) -> Iterator[FieldProblem]:
    law = getattr(process, process.kind)
    for name, (most, unit) in _MOST.items():
        value = getattr(law, name, None)
        if value is not None and abs(value) > most:
            yield FieldProblem((*loc, name), f"{value:g} {unit}", f"at most {most:g} {unit}")


def _cold(loc: Loc, thing: SceneObject, coldest_c: float) -> Iterator[FieldProblem]:
    """Where all that takes heat away is on for long, the body is not below absolute zero."""
    leak_wpk = next((_leak_wpk(p) for p in thing.processes if _leak_wpk(p) is not None), None)
    heaters = [
        (place, process.heats)
        for place, process in enumerate(thing.processes)
        if process.heats is not None and process.heats.to == "self"
    ]
    taken_w = -sum([heats.power_w for _, heats in heaters if heats.power_w < 0.0], 0.0)
    if leak_wpk is None or not taken_w:
        return
    ends_c = coldest_c - taken_w / leak_wpk if leak_wpk else -math.inf
    if ends_c < _ABSOLUTE_ZERO_C:
        place = next(place for place, heats in heaters if heats.power_w < 0.0)
        reason = f"it takes {taken_w:g} W from {thing.name!r}, which leads below absolute zero"
        most = leak_wpk * (coldest_c - _ABSOLUTE_ZERO_C)
        expected = f"at most {most:,.4g} W of {leak_wpk:g} W/K"
        yield FieldProblem((*loc, "processes", place, "heats", "power_w"), reason, expected)


def _leak_wpk(process: Process) -> float | None:
    """The conductance of a body to what is around it."""
    if process.compartment is not None:
        return process.compartment.wall_wpk
    if process.heat is None:
        return None
    heat = process.heat
    if heat.conductance_wpk is not None:
        return heat.conductance_wpk
    return (heat.area_m2 or 0.0) * FILM_WPM2K["air"]


def odd_fittings(scene: Scene) -> Iterator[FieldProblem]:
    """Fittings to which nothing in the scene can be connected."""
    kinds = Counter(kind for thing in scene.objects for kind in thing.fittings)
    leads = {kind for thing in scene.objects for kind in _leading(thing)}
    for index, thing in enumerate(scene.objects):
        for kind in thing.fittings:
            if kinds[kind] > 1 and kind not in leads:
                reason = f"nothing leads {kind!r} from {thing.name!r} to anything"
                expected = f"an object with 'fittings: {{{kind}: 2}}' between, or 'supplies' of one"
                yield FieldProblem(("objects", index, "fittings", kind), reason, expected)
            if kinds[kind] == 1:
                reason = f"nothing else has the fitting {kind!r} of {thing.name!r}"
                near = near_misses(kind, kinds.keys() - {kind})
                expected = did_you_mean(near) or "another object with it"
                yield FieldProblem(("objects", index, "fittings", kind), reason, expected)


def _leading(thing: SceneObject) -> Iterator[str]:
    """The kinds of fittings by which other things are joined through it, or get power."""
    yield from thing.supplies
    if thing.liquids is None and not any(process.flow for process in thing.processes):
        yield from (kind for kind, ends in thing.fittings.items() if ends > 1)


def turned_in(scene: Scene) -> Mapping[str, set[str]]:
    """By object, the states that change by themselves, or by what it is connected to."""
    found: dict[str, set[str]] = {}
    for thing in scene.objects:
        own = found.setdefault(thing.id, set())
        if thing.fittings:
            own.update(("is_plugged_in", "is_connected"))
        for process in thing.processes:
            if process.state is not None:
                own.add(process.state.name)
            if process.crossing is not None:
                own.update(process.crossing.sets)
            run_down = process.discharge or process.burns
            if run_down is not None:
                found.setdefault(run_down.of or thing.id, set()).update(run_down.while_)
    return found
