"""Physical attributes: size, material, mass and numbers of the things of one kind in one scene.

All things of a kind are drawn together, so that no two have the same number: a question such as
"which is the heaviest?" has one visible answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from earsim_generators.catalogue.scales import Scale
from earsim_generators.catalogue.stock import ThingStock

MASS_GAP = 0.04
"""By which part of its mass a thing differs at least from every other of its kind."""

NUMBER_GAP = 0.03
"""By which part of it a number that depends on the size differs from that of every other."""

_EDGE_FREEDOM = 0.1
"""By which part of its range an edge may be longer or shorter than the size of the thing says."""

_TRIES = 24


@dataclass(slots=True)
class PhysicalAttributes:
    """Measurable attributes of one thing.

    Attributes:
        size_m: Length, width and height in metres.
        positions: Of size, fill, material, mass and numbers in their ranges, 0 to 1.
        numbers: Rounded.
    """

    material: str
    size_m: tuple[float, float, float]
    mass_kg: float
    positions: dict[str, float]
    numbers: dict[str, float] = field(default_factory=dict)

    @property
    def area_m2(self) -> float:
        """Area that it covers where it stands or lies."""
        return self.size_m[0] * self.size_m[1]

    @property
    def volume_l(self) -> float:
        """Volume of the box around it in litres."""
        length, width, height = self.size_m
        return length * width * height * 1000.0


def draw_attributes(
    kind: ThingStock, count: int, scales: Sequence[Scale], rng: Random
) -> list[PhysicalAttributes]:
    """Attributes of `count` things in random order, different in mass and in each of ``scales``.

    Numbers that depend on the place are left to `measure_surroundings`.
    """
    bodies = _with_masses(kind, count, rng)
    for scale in scales:
        if scale.source != "surroundings":
            _measure(scale, bodies, rng)
    return bodies


def measure_surroundings(
    scale: Scale, bodies: Sequence[PhysicalAttributes], places: Sequence[float], rng: Random
) -> None:
    """Give all things of a kind a number near that of their places, no two the same."""
    drawn = [place + scale.at(rng.random()) for place in places]
    for body, number in zip(bodies, _apart(drawn, scale), strict=True):
        body.numbers[scale.field] = number


def _apart(numbers: Sequence[float], scale: Scale) -> list[float]:
    """The numbers rounded; one that is too near to an earlier one moves up until it is not."""
    found: list[float] = []
    for drawn in numbers:
        number = scale.rounded(drawn)
        while any(abs(number - other) < _gap(number, scale) for other in found):
            number = scale.rounded(number + scale.step_at(number))
        found.append(number)
    return found


def _gap(number: float, scale: Scale) -> float:
    """By how much a number must differ from others: two steps, or a part of a share."""
    least = 1.99 * scale.step_at(number)
    return max(least, NUMBER_GAP * abs(number)) if scale.source == "share" else least


# -- mass ----------------------------------------------------------------------------------------


def _with_masses(kind: ThingStock, count: int, rng: Random) -> list[PhysicalAttributes]:
    """Bodies whose masses do not tie; the best of some tries, for a kind of little variety."""
    best = _drawn(kind, count, rng)
    for _ in range(_TRIES if count > 1 else 0):
        if _least_gap(best) >= MASS_GAP:
            break
        best = max(best, _drawn(kind, count, rng), key=_least_gap)
    return best


def _drawn(kind: ThingStock, count: int, rng: Random) -> list[PhysicalAttributes]:
    if count == 1:
        return [_body(kind, rng.random(), rng)]
    sizes = spread([rng.random() for _ in range(count)], rng)
    return [_body(kind, position, rng) for position in sizes]


def _body(kind: ThingStock, position: float, rng: Random) -> PhysicalAttributes:
    """A body at a position between the smallest and the largest, its edges nearly so."""
    random = rng.random
    made_of = int(random() * len(kind.makes))
    make = kind.makes[made_of]
    filled = random()
    length, width, height = [
        edge.at(position + _EDGE_FREEDOM * (random() - 0.5)) for edge in kind.edges
    ]
    fill = make.fill.low + make.fill.width * filled
    mass = round_mass(length * width * height * make.density_kg_m3 * fill)
    positions = {
        "size": position,
        "fill": filled,
        "material": made_of / (len(kind.makes) - 1) if made_of else 0.0,
        "mass_kg": _mass_position(kind, mass),
    }
    return PhysicalAttributes(make.material, (length, width, height), mass, positions)


def round_mass(mass: float) -> float:
    """A mass in kg to three significant digits, at most four decimals."""
    return round(mass, min(4, 2 - math.floor(math.log10(mass)))) if mass > 0 else 0.0


def _mass_position(kind: ThingStock, mass: float) -> float:
    low, high = kind.mass_kg
    if not 0 < low < high or mass <= low:
        return 0.5 if low == high else 0.0
    return min(1.0, math.log(mass / low) / math.log(high / low))


def _least_gap(bodies: Sequence[PhysicalAttributes]) -> float:
    masses = sorted(body.mass_kg for body in bodies)
    gaps = [(high - low) / high for low, high in pairwise(masses) if high > 0]
    return min(gaps, default=1.0)


# -- other numbers -------------------------------------------------------------------------------


def _measure(scale: Scale, bodies: Sequence[PhysicalAttributes], rng: Random) -> None:
    """Give every body a number on a scale, in line with what the number follows."""
    positions = spread([_followed(scale, body, rng) for body in bodies], rng)
    numbers = [scale.at(position) for position in positions]
    if scale.source == "share":
        numbers = [
            number * body.volume_l * scale.units_per_l
            for number, body in zip(numbers, bodies, strict=True)
        ]
    for body, position, number in zip(bodies, positions, _apart(numbers, scale), strict=True):
        body.positions[scale.field] = position
        body.numbers[scale.field] = number


def _followed(scale: Scale, body: PhysicalAttributes, rng: Random) -> float:
    """A position: chance, and the positions that it follows, by their weights."""
    rest = 1.0
    position = 0.0
    for field_, weight in scale.follows:
        other = body.positions[field_]
        position += weight * other if weight > 0 else -weight * (1.0 - other)
        rest -= abs(weight)
    return position + rest * rng.random()


def spread(positions: Sequence[float], rng: Random) -> list[float]:
    """Positions in the same order, each in the middle of its own part of the range."""
    count = len(positions)
    if count == 1:
        return [min(1.0, max(0.0, positions[0]))]
    order = sorted(range(count), key=positions.__getitem__)
    found = [0.0] * count
    for rank, index in enumerate(order):
        found[index] = (rank + 0.25 + 0.5 * rng.random()) / count
    return found
