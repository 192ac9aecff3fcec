"""Numbers of things that ought to go together, such as price and size, by rank correlation."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import correlation
from typing import NamedTuple

from earsim.schema import Scene, SceneObject
from earsim.tables.document import Cell, Table

LEAST_OF_A_NAME = 5
"""Names with fewer things that have both numbers are left out."""

LEAST_OF_A_PAIR = 20
"""So are pairs with fewer things."""

_NUMBER = re.compile(r" \d+$")


class Pair(NamedTuple):
    """Two numbers; sign is 1 where both should grow, -1 where one should fall."""

    first: str
    second: str
    sign: int


PAIRS = (
    Pair("price_eur", "mass_kg", 1),
    Pair("price_eur", "volume_l", 1),
    Pair("price_eur", "age_years", -1),
    Pair("price_eur", "discount_percent", -1),
    Pair("price_eur", "power_w", 1),
    Pair("price_eur", "brightness_lm", 1),
    Pair("price_eur", "screen_cm", 1),
    Pair("price_eur", "memory_gb", 1),
    Pair("price_eur", "speed_mhz", 1),
    Pair("price_eur", "zoom_score", 1),
    Pair("price_eur", "content_l", 1),
    Pair("price_eur", "usable_volume_l", 1),
    Pair("price_eur", "pieces_count", 1),
    Pair("worth_eur", "age_years", 1),
    Pair("worth_eur", "mass_kg", 1),
    Pair("speed_rpm", "age_years", -1),
    Pair("memory_gb", "age_years", -1),
    Pair("storage_gb", "age_years", -1),
    Pair("zoom_score", "age_years", -1),
    Pair("noise_db", "age_years", 1),
    Pair("speed_mhz", "memory_gb", 1),
    Pair("temperature_c", "age_h", -1),
    Pair("power_w", "mass_kg", 1),
    Pair("power_kw", "mass_kg", 1),
    Pair("power_w", "brightness_lm", 1),
    Pair("power_w", "screen_cm", 1),
    Pair("power_w", "memory_gb", 1),
    Pair("power_w", "ports_count", 1),
    Pair("power_kw", "cores_count", 1),
    Pair("noise_db", "power_kw", 1),
    Pair("beam_range_m", "brightness_lm", 1),
    Pair("reach_m", "bore_mm", 1),
    Pair("storage_tb", "disks_count", 1),
    Pair("storage_tb", "slots_count", 1),
    Pair("energy_kwh", "mass_kg", 1),
    Pair("payload_kg", "volume_l", 1),
    Pair("payload_kg", "usable_volume_l", 1),
    Pair("screen_cm", "volume_l", 1),
    Pair("content_l", "volume_l", 1),
    Pair("content_ml", "volume_l", 1),
    Pair("usable_volume_l", "volume_l", 1),
    Pair("sheets_pages", "mass_kg", 1),
    Pair("pieces_count", "mass_kg", 1),
    Pair("fruits_count", "mass_kg", 1),
)
"""Expected of what is made and sold; `volume_l` is that of the box around a thing, `worth_eur` the
worth of antiques and of loads."""


class Together(NamedTuple):
    """How far the things of each name go together in a pair.

    Attributes:
        names: Names of things that have both numbers, each in one kind of place.
        rho: Correlation of the ranks within names; positive where it is as expected.
    """

    pair: Pair
    names: int
    things: int
    rho: float

    @property
    def margin(self) -> float:
        """Half of the 95 % interval."""
        return 1.96 / math.sqrt(self.things - self.names)


def correlations(scenes: Iterable[Scene]) -> list[Together]:
    """Of every pair that some things have."""
    numbers: dict[Pair, dict[tuple[str, str], list[tuple[float, float]]]]
    numbers = defaultdict(lambda: defaultdict(list))
    for scene in scenes:
        for thing in scene.objects:
            known = _numbers(thing)
            key = (scene.domain or "", _NUMBER.sub("", thing.name))
            for pair in PAIRS:
                if pair.first in known and pair.second in known:
                    numbers[pair][key].append((known[pair.first], known[pair.second]))
    return [found for pair in PAIRS if (found := _together(pair, numbers[pair].values()))]


def _numbers(thing: SceneObject) -> Mapping[str, float]:
    known = {"mass_kg": thing.mass_kg, **thing.quantities}
    if thing.size_m:
        known["volume_l"] = math.prod(thing.size_m) * 1000
    return known


def _together(pair: Pair, groups: Iterable[Sequence[tuple[float, float]]]) -> Together | None:
    """Ranks within each name, from 0 to 1, so that names of other scale do not count as related."""
    first: list[float] = []
    second: list[float] = []
    enough = [group for group in groups if len(group) >= LEAST_OF_A_NAME]
    for group in enough:
        columns = list(zip(*group, strict=True))
        first += ranks(columns[0])
        second += ranks(columns[1])
    if len(first) < LEAST_OF_A_PAIR or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    return Together(pair, len(enough), len(first), pair.sign * correlation(first, second))


def ranks(numbers: Sequence[float]) -> list[float]:
    """The rank of each between 0 and 1; those alike have their mean."""
    places: dict[float, list[int]] = defaultdict(list)
    for place, number in enumerate(sorted(numbers)):
        places[number].append(place)
    return [(sum(at) / len(at) + 0.5) / len(numbers) for at in map(places.__getitem__, numbers)]


def together(found: Iterable[Together]) -> Table:
    """Pairs, those that go together best first."""
    rows: list[tuple[Cell, ...]] = []
    for each in sorted(found, key=lambda each: -each.rho):
        verb = "grows with" if each.pair.sign > 0 else "falls with"
        told = f"{each.pair.first} {verb} {each.pair.second}"
        rho = f"{round(each.rho, 2) + 0.0:.2f} ± {each.margin:.2f}"
        rows.append((told, each.names, each.things, rho))
    head = ("expected", "names", "things", "rank correlation")
    return Table("", head, spaced=True).with_rows(rows)
