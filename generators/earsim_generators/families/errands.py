"""Errands beside what a family is about: one of several things alike, to be brought to a table.

Which one is meant follows from two numbers: it is on one side of a thing that they are compared
with, and has a rank among those that are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from earsim_generators.families.compared_errand import ComparedErrand, ComparedErrands
from earsim_generators.families.draft import Fields, SceneDraft
from earsim_generators.families.goods import GOODS, Goods, GoodsNumber

_ALIKE: Final = 6
"""Things of one name."""

_LEAST_MEANT: Final = 2
"""On the side of the gauge that is spoken of."""

_BOTH_SIDES: Final = 0.75
"""Share of errands with a rank among those that are above by one number and below by the other;
of the rest, it is a rank of one number on one side of the other."""

_ORDINALS: Final = ("", "second ", "third ")

_MM: Final = 0.001

_Pair = tuple[int, int]
"""Both numbers of a thing, in mm."""

_ORDERED: Final = 0.5


def draft_with_errands(
    rng: Random, difficulty: str, domain: str, places: dict[str, str], count: int
) -> SceneDraft:
    """A draft with so many errands, about things and tables in any of its rooms."""
    draft = SceneDraft(rng, difficulty, domain, places)
    if count:
        draft.errands = drawn_errands(draft, count, draft.rooms)
    return draft


def drawn_errands(
    draft: SceneDraft,
    count: int,
    rooms: Sequence[str],
    *,
    gauges: str = "",
    ordered: float = _ORDERED,
) -> ComparedErrands:
    """Errands about different goods, whose things are added to the draft.

    Args:
        draft: The scene.
        count: How many, from 1 to 6.
        rooms: Where the things and the tables are.
        gauges: The room of what they are compared with; drawn for each if none is given.
        ordered: How often the order of two matters, of those of which one is done right after the
            other.
    """
    rng = draft.rng
    tables = rng.sample([draft.table(room) for room in rooms], min(count, len(rooms)))
    found = [
        _errand(draft, goods, tables[number % len(tables)], rooms, gauges or rng.choice(rooms))
        for number, goods in enumerate(rng.sample(GOODS, count))
    ]
    goal = [part for errand in found for part in errand.goal]
    told = [errand.said for errand in rng.sample(found, count)]
    for first, then in pairwise(found):
        if rng.random() < ordered:
            goal.append({"before": {"first": first.done, "then": then.done}})
            told.append(_order(rng, first.one, then.one))
    return ComparedErrands(tuple(found), tuple(goal), " ".join(told))


def _order(rng: Random, first: str, then: str) -> str:
    forms = (
        f"The {first} is there before the {then} is.",
        f"The {then} comes to its place only after the {first} has come to its own.",
    )
    return rng.choice(forms)


def _errand(
    draft: SceneDraft, goods: Goods, table: str, rooms: Sequence[str], gauge_room: str
) -> ComparedErrand:
    rng = draft.rng
    choice = _drawn(rng, goods)
    gauge = _put(draft, goods.gauge, goods, choice.gauge, draft.table(gauge_room))
    company = rng.choice(tuple(_COMPANY))
    wrong = rng.choice([each for each in range(_ALIKE) if each != choice.target])
    away = [draft.table(room) for room in rooms if draft.table(room) != table]
    nodes: dict[int, str] = {}
    for each in rng.sample(range(_ALIKE), _ALIKE):
        is_there = each == wrong and company != "free"
        place = table if is_there else rng.choice(away)
        nodes[each] = _put(draft, goods.name, goods, choice.things[each], place)
    stays = [nodes[wrong]] if company == "beside" else []
    others = sorted({*nodes.values()} - {nodes[choice.target], *stays})
    name = goods.one.split()[-1]
    goal = (
        _on(f"${name}", table),
        *(_on(node, table) for node in stays),
        {"not": {"any": [_on(node, table) for node in others]}},
    )
    which, where = choice.said(goods, gauge), f"the {{{table}}} in the {{{draft.room_of(table)}}}"
    return ComparedErrand(
        one=goods.one,
        thing=nodes[choice.target],
        gauge=gauge,
        table=table,
        cleared=nodes[wrong] if company == "alone" else "",
        spare=rng.choice(away),
        select={name: choice.selector(goods, gauge)},
        goal=goal,
        said=f"{which} onto {where}{_COMPANY[company]}.",
    )


def _put(draft: SceneDraft, name: str, goods: Goods, numbers: _Pair, table: str) -> str:
    """A thing of that shape on a table; its id."""
    first, second = numbers
    mass_kg, size = goods.shape(first * _MM, second * _MM)
    told = zip(goods.numbers, numbers, strict=True)
    return draft.item(
        name,
        mass_kg=round(mass_kg, 2),
        size=(round(size[0], 3), round(size[1], 3), round(size[2], 3)),
        on=table,
        **{number.key: float(value) for number, value in told},
    )


_COMPANY: Final = {
    "alone": ", and take away the one that lies there now",
    "beside": ", beside the one that lies there now, which stays",
    "free": ", and none of the others",
}
"""What becomes of another one of that name that lies there, or that does not."""


class _Side(NamedTuple):
    """On which side of the gauge the things that are meant are.

    Attributes:
        number: The first or the second number, 0 or 1.
        is_above: Theirs is greater.
    """

    number: int
    is_above: bool

    def holds(self, thing: _Pair, gauge: _Pair) -> bool:
        """Whether a thing is on that side."""
        return (thing[self.number] > gauge[self.number]) is self.is_above


class _Rule(NamedTuple):
    """Which of several things is meant.

    Attributes:
        things: Numbers of each.
        gauge: Numbers of what they are compared with.
        sides: What those have in common among which one is chosen.
        by: The first or the second number, 0 or 1, by which it is chosen.
        is_largest: The order counts from the largest number, not from the smallest.
        rank: In that order, from 1.
    """

    things: tuple[_Pair, ...]
    gauge: _Pair
    sides: tuple[_Side, ...]
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


def _drawn(rng: Random, goods: Goods) -> _Rule:
    """A choice of which every part matters; all numbers are far enough apart."""
    is_both = rng.random() < _BOTH_SIDES
    while True:
        first, second = (_spread(rng, number) for number in goods.numbers)
        things = tuple(zip(first, rng.sample(second, _ALIKE), strict=True))
        gauge = (_between(rng, first), _between(rng, second))
        side, is_largest = _Side(0, rng.random() < 0.5), rng.random() < 0.5
        rank = rng.randint(1, len(_ORDINALS))
        # A filter has room for one number above that of another thing, and one below.
        sides = (side, _Side(1, not side.is_above)) if is_both else (side,)
        by = rng.randrange(2) if is_both else 1
        found = _Rule(things, gauge, sides, by, is_largest, rank)
        if found.needs_all:
            return found


def _between(rng: Random, values: Sequence[int]) -> int:
    """A number in the middle between two neighbours."""
    place = rng.randrange(1, len(values))
    return round((values[place - 1] + values[place]) / 2)


def _spread(rng: Random, number: GoodsNumber) -> list[int]:
    """Numbers that are far enough apart, from the least to the greatest."""
    step = (number.most - number.least) // _ALIKE
    return [number.least + step * place + rng.randint(0, step // 2) for place in range(_ALIKE)]


def _on(thing: str, table: str) -> Fields:
    return {"at": {"object": thing, "on": table}}
