"""What in the scenes of suites does not cohere: `python -m docs.figures.coherence SUITE ...`.

Reads the scenes alone, each once however many scenarios it has, not the catalogue that they were
made from. Prints how many things fail each check, and rank correlations of numbers of one name that
ought to go together. `--examples N` lists some failures; `--page` writes both tables into
`docs/earsim-bench-2.md`.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from docs.figures.number_pairs import correlations, together
from docs.pages import updated
from earsim import open_suite
from earsim.schema import Scene, SceneObject
from earsim.tables.document import Cell, Table
from earsim.tables.markdown import table_text
from earsim.units import format_field
from earsim.world.plausibility import DENSEST_KGPM3

SUITES = tuple(
    f"earsim-bench-2{part}"
    for part in ("", "-vocabulary", "-domain", "-time", "-talk", "-language")
)
"""`-mini` has no scene that is not in the first."""

PAGE = Path(__file__).parents[1] / "earsim-bench-2.md"

MANY = 100
"""The page has pairs of at least so many things."""

ROUNDING = 1.02
AIR_KGPM3 = 1.2

_NUMBER = re.compile(r" \d+$")


class Found(NamedTuple):
    """A thing that a check is about."""

    check: str
    fails: bool
    told: str


class Place:
    """A scene with what is where.

    Attributes:
        contents: Things that are directly in or on a thing, or in a room.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.things = {thing.id: thing for thing in scene.objects}
        self.contents: dict[str, list[SceneObject]] = defaultdict(list)
        for thing in scene.objects:
            self.contents[thing.holder].append(thing)

    def inside(self, thing: SceneObject) -> list[SceneObject]:
        """What is directly in a thing."""
        return [other for other in self.contents.get(thing.id, ()) if other.in_ == thing.id]

    def upon(self, thing: SceneObject) -> list[SceneObject]:
        """What is directly on a thing."""
        return [other for other in self.contents.get(thing.id, ()) if other.on == thing.id]

    def shut_in(self, thing: SceneObject) -> SceneObject | None:
        """The nearest closed thing around a thing."""
        around = self.things.get(thing.holder)
        while around is not None:
            if thing.in_ is not None and around.states.get("is_open") is False:
                return around
            thing, around = around, self.things.get(around.holder)
        return None

    def mass_kg(self, thing: SceneObject) -> float:
        """Of a thing with all that is in and on it."""
        held = (self.mass_kg(other) for other in self.contents.get(thing.id, ()))
        return thing.mass_kg + sum((thing.liquids or {}).values(), 0.0) + sum(held)

    def around_c(self, thing: SceneObject) -> float | None:
        """The temperature of what a thing is in or on, or of its room."""
        rooms = {room.id: room for room in self.scene.rooms}
        around = thing.holder
        while around in self.things:
            if "temperature_c" in self.things[around].quantities:
                return self.things[around].quantities["temperature_c"]
            around = self.things[around].holder
        return rooms[around].quantities.get("temperature_c")


def scenes_of(suites: Iterable[str]) -> Iterator[Place]:
    """Every scene once."""
    seen = set[str]()
    for suite in suites:
        for scenario in open_suite(suite):
            if scenario.scene.id not in seen:
                seen.add(scenario.scene.id)
                yield Place(scenario.scene)


def name_of(thing: SceneObject) -> str:
    """Its name without a number."""
    return _NUMBER.sub("", thing.name)


def volume_l(thing: SceneObject) -> float:
    """Of the box around a thing; 0 where it has none."""
    return math.prod(thing.size_m) * 1000 if thing.size_m else 0.0


def _top_m2(thing: SceneObject) -> float:
    return thing.size_m[0] * thing.size_m[1] if thing.size_m else 0.0


# -- checks --------------------------------------------------------------------------------------


def check_scene(place: Place) -> Iterator[Found]:
    """What the checks find in a scene, whether it fails or not."""
    yield from floors(place)
    for thing in place.scene.objects:
        for check in (densities, spaces, energies, contradictions, claims):
            yield from check(thing, place)


def floors(place: Place) -> Iterator[Found]:
    """Furniture covers no more than the floor of its room."""
    for room in place.scene.rooms:
        if room.area_m2:
            covered = sum(_top_m2(thing) for thing in place.contents.get(room.id, ()))
            told = f"{covered:.3g} of {room.area_m2:g} m2 in {room.name}"
            yield Found("things cover more than the floor", covered > room.area_m2, told)


def densities(thing: SceneObject, place: Place) -> Iterator[Found]:
    """A thing weighs no more than a block of its material, and no less than air."""
    if not thing.size_m:
        return
    density = thing.mass_kg / volume_l(thing) * 1000
    material = str(thing.attributes.get("material", ""))
    densest = DENSEST_KGPM3.get(material)
    told = f"{name_of(thing)}: {thing.mass_kg:g} kg, {density:.3g} kg/m3 {material}"
    if densest is not None:
        check = "heavier than a block of its material"
        yield Found(check, density > densest * ROUNDING, told)
    yield Found("lighter than air", density < AIR_KGPM3, told)
    if material:
        yield Found("told to be made of water", material == "water", name_of(thing))


def spaces(thing: SceneObject, place: Place) -> Iterator[Found]:
    """A thing fits where it is, with what is beside it, and something bears it."""
    inside, upon, name = place.inside(thing), place.upon(thing), name_of(thing)
    capacity_l = thing.container.capacity_l if thing.container else None
    if capacity_l and thing.size_m:
        told = f"{name}: {capacity_l:g} of {volume_l(thing):.3g} L"
        yield Found("holds more than its box", capacity_l > volume_l(thing) * ROUNDING, told)
    if capacity_l and inside:
        held_l = sum(map(volume_l, inside))
        told = f"{name}: {held_l:.3g} L in {capacity_l:g} L"
        yield Found("contents exceed the capacity", held_l > capacity_l * ROUNDING, told)
    for other in inside:
        if thing.size_m and other.size_m:
            edges = zip(sorted(other.size_m), sorted(thing.size_m), strict=True)
            told = f"{name_of(other)} in {name}"
            fails = any(edge > room for edge, room in edges)
            yield Found("longer than what it is in", fails, told)
    if upon and thing.size_m:
        covered = sum(map(_top_m2, upon))
        told = f"{name}: {covered:.3g} of {_top_m2(thing):.3g} m2"
        yield Found("things cover more than its top", covered > _top_m2(thing) * ROUNDING, told)
    if upon and "max_load_kg" in thing.quantities:
        load, most = sum(map(place.mass_kg, upon)), thing.quantities["max_load_kg"]
        yield Found("bears more than it can", load > most, f"{name}: {load:.3g} of {most:g} kg")
    small = thing.kind == "item" and 0 < volume_l(thing) < 1
    if small:
        on_the_floor = thing.holder not in place.things
        yield Found("less than a litre, and on the floor", on_the_floor, name)
    if thing.on is not None:
        bears = place.things[thing.on].kind == "furniture"
        told = f"{name} on {name_of(place.things[thing.on])}"
        yield Found("stands on something that is no furniture", not bears, told)


def energies(thing: SceneObject, place: Place) -> Iterator[Found]:
    """What is lit, hot or on is not shut in, and has its power; what is cold is kept so."""
    states, shut = thing.states, place.shut_in(thing)
    told = f"{name_of(thing)} in {name_of(shut)}" if shut else ""
    for check, names in (
        ("alight, and shut in", ("is_alight",)),
        ("hot or boiling, and shut in", ("is_hot", "is_boiling")),
        ("on or running, and shut in", ("is_on", "is_running")),
    ):
        if any(states.get(name) for name in names):
            yield Found(check, shut is not None, told)
    is_on = states.get("is_on") or states.get("is_running")
    if is_on and "is_plugged_in" in states and "charge_percent" not in thing.quantities:
        yield Found("on without its plug", not states["is_plugged_in"], name_of(thing))
    if is_on and "is_broken" in states:
        yield Found("on though broken", states["is_broken"] is True, name_of(thing))
    own, around = thing.quantities.get("temperature_c"), place.around_c(thing)
    if own is None or around is None:
        return
    told = f"{name_of(thing)}: {own:g} C in {around:g} C"
    if thing.container and "is_plugged_in" in states and own < around - 5:
        yield Found("a cold store without its plug", not states["is_plugged_in"], told)
    if own >= 100 and "is_on" in states:
        yield Found("100 C or more and off", not states["is_on"], told)
    yield Found("below -90 or above 1,000 C", not -90 <= own <= 1000, told)


_EXCLUDE = (
    ("is_open", "is_sealed"),
    ("is_open", "is_zipped"),
    ("is_open", "is_locked"),
    ("is_open", "is_packed"),
    ("is_dirty", "is_polished"),
    ("is_dirty", "is_sterile"),
    ("is_frozen", "is_hot"),
    ("is_frozen", "is_boiling"),
)


def contradictions(thing: SceneObject, place: Place) -> Iterator[Found]:
    """States do not exclude each other, and are what the number says that they are about."""
    states, numbers = thing.states, thing.quantities
    for pair in _EXCLUDE:
        if all(name in states for name in pair):
            told = f"{name_of(thing)} is {' and '.join(name[3:] for name in pair)}"
            fails = all(states[name] is True for name in pair)
            yield Found("open, dirty or frozen, and the contrary", fails, told)
    for state, field_, least, most in (
        ("is_frozen", "temperature_c", None, 1.0),
        ("is_boiling", "temperature_c", 90.0, None),
        ("is_hot", "temperature_c", 40.0, None),
        ("is_charged", "charge_percent", 50.0, None),
    ):
        if states.get(state) is True and field_ in numbers:
            number = numbers[field_]
            fails = number < least if least is not None else most is not None and number > most
            told = f"{name_of(thing)}: {state[3:]}, {format_field(field_, number)}"
            yield Found(f"{state[3:]}, which its number denies", fails, told)


def claims(thing: SceneObject, place: Place) -> Iterator[Found]:
    """What is told to be full, packed or loaded is so."""
    inside = place.inside(thing)
    held_l = sum(map(volume_l, inside))
    for state in ("is_full", "is_packed", "is_loaded", "is_stacked"):
        if thing.states.get(state) is not True:
            continue
        if thing.container is not None:
            half_l = (thing.container.capacity_l or 0.0) / 2
            fails = held_l < half_l and not thing.liquids
            told = f"{name_of(thing)}: {held_l:.3g} L of {2 * half_l:g}"
            yield Found(f"{state[3:]} container, less than half full", fails, told)
        else:
            fails = not place.upon(thing) and not thing.liquids
            yield Found(f"{state[3:]}, with nothing that shows it", fails, name_of(thing))
    if thing.states.get("is_full") is False and thing.container and thing.container.capacity_l:
        fails = held_l > 0.9 * thing.container.capacity_l
        yield Found("not full, and full to nine tenths", fails, name_of(thing))


def counted(places: Iterable[Place]) -> Mapping[str, list[Found]]:
    """Everything that was looked at, by check."""
    found: dict[str, list[Found]] = defaultdict(list)
    for place in places:
        for each in check_scene(place):
            found[each.check].append(each)
    return found


def violations(found: Mapping[str, Sequence[Found]]) -> Table:
    """How many of what was looked at fail, and what most often."""
    rows: list[tuple[Cell, ...]] = []
    for check, looked in found.items():
        failed = [each.told for each in looked if each.fails]
        often = Counter(failed).most_common(1)
        example = often[0][0] if often else ""
        share = f"{100 * len(failed) / len(looked):.1f}"
        rows.append((check, example, len(looked), len(failed), share))
    rows.sort(key=lambda row: (-float(str(row[4])), row[0]))
    head = ("what fails", "for example", "looked at", "fail", "%")
    return Table("", head, texts=2).with_rows(rows)


def examples(found: Mapping[str, Sequence[Found]], n: int) -> Iterator[str]:
    """The most frequent failures of each check."""
    for check, looked in found.items():
        told = Counter(each.told for each in looked if each.fails).most_common(n)
        if told:
            yield f"{check}: " + "; ".join(f"{text} ({times})" for text, times in told)


def _any_fails(looked: Iterable[Found]) -> bool:
    return any(each.fails for each in looked)


def main() -> None:
    """Print both tables, or write them into the page."""
    parser = argparse.ArgumentParser(prog="python -m docs.figures.coherence")
    parser.add_argument("suites", metavar="SUITE", nargs="*", default=SUITES)
    parser.add_argument("--examples", type=int, metavar="N", default=0)
    parser.add_argument("--page", action="store_true", help="write the tables into the page")
    options = parser.parse_args()
    places = list(scenes_of(options.suites))
    found = counted(places)
    correlated = correlations(place.scene for place in places)
    if options.page:
        page = PAGE.read_text(encoding="utf-8")
        failing = {check: looked for check, looked in found.items() if _any_fails(looked)}
        page = updated(page, "incoherent", table_text(violations(failing)))
        often = together(each for each in correlated if each.things >= MANY)
        PAGE.write_text(updated(page, "together", table_text(often)), encoding="utf-8")
        return
    things = sum(len(place.scene.objects) for place in places)
    sys.stdout.write(f"{len(places):,} scenes, {things:,} things\n\n")
    sys.stdout.write(f"{table_text(violations(found))}\n\n{table_text(together(correlated))}\n")
    sys.stdout.writelines(f"{line}\n" for line in examples(found, options.examples))


if __name__ == "__main__":
    main()
