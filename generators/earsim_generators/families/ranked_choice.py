"""Which of several things alike an errand means: a rank among those on one side of a gauge.

Both numbers of all things, and those of the gauge that they are compared with, are drawn so that
every word of the choice matters.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

from earsim.render.words.instruction import plural
from earsim_generators.families.goods import DrawnGoods, Goods, drawn_bodies
from earsim_generators.language.nouns import noun_of
from earsim_generators.language.quantities import comparison, superlative

_LEAST_MEANT: Final = 2
"""On the side of the gauge that is spoken of."""

_RANKS: Final = (1, 2)
"""By chance."""

_BOTH_SIDES: Final = 0.75
"""Share of errands with a rank among those that are above by one number and below by the other,
where a gauge has both; of the rest, it is on one side of one number."""

NumberPair = tuple[float, float]
"""Both numbers of a thing."""


class GaugeSide(NamedTuple):
    """On which side of the gauge the things that are meant are.

    Attributes:
        number: The first or the second number, 0 or 1.
        is_above: Theirs is greater.
    """

    number: int
    is_above: bool

    def holds(self, thing: NumberPair, gauge: tuple[float, ...]) -> bool:
        """Whether a thing is on that side."""
        return (thing[self.number] > gauge[self.number]) is self.is_above


class RankedChoice(NamedTuple):
    """Which of several things is meant.

    Attributes:
        things: Numbers of each.
        gauge: Of both numbers, those that what they are compared with has.
        sides: What those have in common among which one is chosen.
        by: The first or the second number, 0 or 1, by which it is chosen.
        is_largest: The order counts from the largest number, not from the smallest.
        rank: In that order, from 1.
    """

    things: tuple[NumberPair, ...]
    gauge: tuple[float, ...]
    sides: tuple[GaugeSide, ...]
    by: int
    is_largest: bool
    rank: int

    def with_numbers(self, goods: Goods, bodies: DrawnGoods) -> RankedChoice:
        """The same words about other numbers."""
        first, second = goods.numbers
        things = [(thing.numbers[first], thing.numbers[second]) for thing in bodies.things]
        gauge = [bodies.gauge.numbers[key] for key in goods.numbers[: goods.compared]]
        return self._replace(things=tuple(things), gauge=tuple(gauge))

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
        """Whether some things are above the gauge and some below, in each number that it has."""
        sides = zip(self.gauge, zip(*self.things, strict=True), strict=False)
        return all(min(numbers) < at < max(numbers) for at, numbers in sides)

    def selector(self, goods: Goods, gauge: str) -> dict[str, Any]:
        """As a scene has it."""
        among: dict[str, Any] = {"name": goods.name}
        for side in self.sides:
            compared = {"of": goods.numbers[side.number], "object": gauge}
            among["more_than" if side.is_above else "less_than"] = compared
        how, key = "largest" if self.is_largest else "smallest", goods.numbers[self.by]
        if self.rank == 1:
            return {how: key, "among": among}
        return {"rank": {"of": key, "k": self.rank, "order": how}, "among": among}

    def said(self, goods: Goods, gauge: str) -> str:
        """As a sentence begins."""
        compared = [
            plural(comparison(goods.numbers[side.number], f"the {{{gauge}}}", more=side.is_above))
            for side in self.sides
        ]
        number = goods.numbers[self.by]
        before, after = superlative(number, self.rank, largest=self.is_largest)
        one = " ".join(filter(None, ("the", before, "one", after)))
        return f"Of the {noun_of(goods.name).many} that {' and '.join(compared)}, put {one}"


def drawn_choice(rng: Random, goods: Goods) -> tuple[RankedChoice, DrawnGoods]:
    """A choice of which every part matters, and the bodies that it is about."""
    is_both = goods.compared > 1 and rng.random() < _BOTH_SIDES
    while True:
        bodies = drawn_bodies(rng, goods)
        side, is_largest = GaugeSide(0, rng.random() < 0.5), rng.random() < 0.5
        # A filter has room for one number above that of another thing, and one below.
        sides = (side, GaugeSide(1, not side.is_above)) if is_both else (side,)
        words = RankedChoice((), (), sides, rng.randrange(2), is_largest, rng.choice(_RANKS))
        found = words.with_numbers(goods, bodies)
        if found.needs_all:
            return found, bodies
