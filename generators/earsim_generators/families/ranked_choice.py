"""Which of several things alike an errand means: a rank among those on one side of a gauge.

Both numbers of all things, and of the gauge that they are compared with, are drawn so that every
word of the choice matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from earsim_generators.families.draft import Fields
from earsim_generators.families.goods import Goods, GoodsNumber

_MM: Final = 0.001

ALIKE: Final = 6
"""Things of one name."""

_LEAST_MEANT: Final = 2
"""On the side of the gauge that is spoken of."""

_BOTH_SIDES: Final = 0.75
"""Share of errands with a rank among those that are above by one number and below by the other;
of the rest, it is a rank of one number on one side of the other."""

_ORDINALS: Final = ("", "second ", "third ")

NumberPair = tuple[int, int]
"""Both numbers of a thing, in mm."""


class GaugeSide(NamedTuple):
    """On which side of the gauge the things that are meant are.

    Attributes:
        number: The first or the second number, 0 or 1.
        is_above: Theirs is greater.
    """

    number: int
    is_above: bool

    def holds(self, thing: NumberPair, gauge: NumberPair) -> bool:
        """Whether a thing is on that side."""
        return (thing[self.number] > gauge[self.number]) is self.is_above


class RankedChoice(NamedTuple):
    """Which of several things is meant.

    Attributes:
        things: Numbers of each.
        gauge: Numbers of what they are compared with.
        sides: What those have in common among which one is chosen.
        by: The first or the second number, 0 or 1, by which it is chosen.
        is_largest: The order counts from the largest number, not from the smallest.
        rank: In that order, from 1.
    """

    things: tuple[NumberPair, ...]
    gauge: NumberPair
    sides: tuple[GaugeSide, ...]
    by: int
    is_largest: bool
    rank: int

    @property
    def order(self) -> list[int]:
        """The things on those sides, as the order counts them."""
        meant = [
            each
            for each, thing in enumerate(self.things)
            if all(side.holds(thing, self.gauge) for side in self.sides)
        ]
        return sorted(meant, key=lambda each: self.things[each][self.by], reverse=self.is_largest)

    @property
    def target(self) -> int:
        """The one that is meant."""
        return self.order[self.rank - 1]

    @property
    def needs_all(self) -> bool:
        """Whether a comparison that is left out, or the other end, would mean another thing."""
        if len(self.order) < max(self.rank, _LEAST_MEANT):
            return False
        less = [
            self._replace(sides=tuple([side for side in self.sides if side is not left_out]))
            for left_out in self.sides
        ]
        less.append(self._replace(is_largest=not self.is_largest))
        return all(other.target != self.target for other in less)

    @property
    def is_around_gauge(self) -> bool:
        """Whether some things are above the gauge and some below, in either number."""
        sides = zip(self.gauge, zip(*self.things, strict=True), strict=True)
        return all(min(numbers) < at < max(numbers) for at, numbers in sides)

    def selector(self, goods: Goods, gauge: str) -> Fields:
        """As a scene has it."""
        among: Fields = {"name": goods.name}
        for side in self.sides:
            compared = {"of": goods.numbers[side.number].key, "object": gauge}
            among["more_than" if side.is_above else "less_than"] = compared
        how, key = "largest" if self.is_largest else "smallest", goods.numbers[self.by].key
        if self.rank == 1:
            return {how: key, "among": among}
        return {"rank": {"of": key, "k": self.rank, "order": how}, "among": among}

    def said(self, goods: Goods, gauge: str) -> str:
        """As a sentence begins."""
        many, that = goods.many, f"that of the {{{gauge}}}"
        words = [goods.numbers[side.number].word for side in self.sides]
        how = [
            f"whose {w} is {'greater' if s.is_above else 'less'}"
            for w, s in zip(words, self.sides, strict=True)
        ]
        rank = _ORDINALS[self.rank - 1] + ("largest" if self.is_largest else "smallest")
        return (
            f"Of the {many} {' and '.join(how)} than {that}, put the one with the {rank} "
            f"{goods.numbers[self.by].word}"
        )


def drawn_choice(rng: Random, goods: Goods) -> RankedChoice:
    """A choice of which every part matters; all numbers are far enough apart."""
    is_both = rng.random() < _BOTH_SIDES
    while True:
        things, gauge = drawn_numbers(rng, goods)
        side, is_largest = GaugeSide(0, rng.random() < 0.5), rng.random() < 0.5
        rank = rng.randint(1, len(_ORDINALS))
        # A filter has room for one number above that of another thing, and one below.
        sides = (side, GaugeSide(1, not side.is_above)) if is_both else (side,)
        by = rng.randrange(2) if is_both else 1
        found = RankedChoice(things, gauge, sides, by, is_largest, rank)
        if found.needs_all:
            return found


def drawn_numbers(rng: Random, goods: Goods) -> tuple[tuple[NumberPair, ...], NumberPair]:
    """Numbers of the things, and of a gauge that some are above and some below in each."""
    first, second = (_spread(rng, number) for number in goods.numbers)
    things = tuple(zip(first, rng.sample(second, ALIKE), strict=True))
    return things, (_between(rng, first), _between(rng, second))


def _between(rng: Random, values: Sequence[int]) -> int:
    """A number in the middle between two neighbours."""
    place = rng.randrange(1, len(values))
    return round((values[place - 1] + values[place]) / 2)


def _spread(rng: Random, number: GoodsNumber) -> list[int]:
    """Numbers that are far enough apart, from the least to the greatest."""
    step = (number.most - number.least) // ALIKE
    return [number.least + step * place + rng.randint(0, step // 2) for place in range(ALIKE)]


def numbers_of(goods: Goods, numbers: NumberPair) -> Fields:
    """Arguments of `SceneDraft.item` for a thing with these numbers: also its mass and size."""
    first, second = numbers
    mass_kg, size = goods.shape(first * _MM, second * _MM)
    told = zip(goods.numbers, numbers, strict=True)
    return {
        "mass_kg": round(mass_kg, 2),
        "size": (round(size[0], 3), round(size[1], 3), round(size[2], 3)),
        **{number.key: float(value) for number, value in told},
    }
