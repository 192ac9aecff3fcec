"""Selector sampling: a thing is drawn first, then a selector that picks it and nothing else.

So every candidate is the answer equally often, and no kind of selector leaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import NamedTuple

from earsim.errors import NoSingleAnswer
from earsim.goals.selectors import pick
from earsim.schema.selector import Filter, Largest, Only, Rank, RankBy, Smallest
from earsim_generators.tasks.distractor_sets import DistractorSet, DistractorSets, both
from earsim_generators.tasks.scene_index import LEAST_CANDIDATES, SceneIndex

Fit = Callable[[str, Sequence[str]], bool]
"""Whether a thing, picked among others, may be the answer."""

Selector = Largest | Smallest | Rank | Only

Way = Callable[[str, DistractorSet], Iterator[Selector]]
"""Selectors that may pick a thing among candidates."""

_APART = 0.005
"""Numbers of neighbours in an order differ at least by this part, so that one sees it."""

_BY_PLACE = 0.1
"""How readily the things in one place are taken instead of those of one name."""

_DEEPEST = 3
"""Nobody asks for the fourth heaviest."""


class SampledSelector(NamedTuple):
    """A selector, its answer, and all that the noun of its phrase fits, the answer included."""

    selector: Selector
    answer: str
    candidates: tuple[str, ...]


class SelectorSampler:
    """Makes selectors in one scene."""

    def __init__(self, index: SceneIndex, rng: Random) -> None:
        self._index = index
        self._rng = rng
        self._sets = DistractorSets(index, rng)

    def pick(
        self, eligible: Fit, *, conditions: int = 1, avoid: Collection[str] = ()
    ) -> SampledSelector | None:
        """A selector for something eligible; None where the scene has nothing of the sort.

        Args:
            eligible: What may be the answer.
            conditions: Number of conditions of the selector, if possible.
            avoid: Things that may not be candidates.
        """
        found_sets = [one for one in self._sets.all() if set(avoid).isdisjoint(one.members)]
        self._rng.shuffle(found_sets)
        found_sets.sort(key=self._comes_late)
        for candidates in found_sets:
            fit = [node for node in candidates.members if eligible(node, candidates.members)]
            if fit:
                found = self._phrase(self._rng.choice(fit), candidates, conditions)
                if found is not None:
                    return found
        return None

    def _comes_late(self, candidates: DistractorSet) -> bool:
        """Whether to try a set after others: mostly those that share a place."""
        return candidates.among.name is None and self._rng.random() > _BY_PLACE

    def _phrase(
        self, answer: str, candidates: DistractorSet, conditions: int
    ) -> SampledSelector | None:
        """The first of the ways to say it, in random order, that picks the answer."""
        ways = self._of_one_condition() if conditions < 2 else self._of_several()
        self._rng.shuffle(ways)
        for way in dict.fromkeys([*ways, self._by_rank]):
            for selector in way(answer, candidates):
                if self._picks(selector, answer):
                    return SampledSelector(selector, answer, candidates.members)
        return None

    def _of_one_condition(self) -> list[Way]:
        """Kinds of selectors with repetitions, as weights."""
        others = [self._by_bound, self._by_comparison, self._by_trait, self._by_place]
        return [self._by_rank, self._by_rank, self._by_rank, *others]

    def _of_several(self) -> list[Way]:
        return [*([self._by_rank_of_some] * 4), self._by_bound, self._by_comparison]

    def _picks(self, selector: Selector, answer: str) -> bool:
        try:
            found = pick(selector, self._index.world, {})
        except NoSingleAnswer:
            return False
        enough = isinstance(selector, Only) or len(found.candidates) >= LEAST_CANDIDATES
        return found.answer == answer and enough

    # -- orders ------------------------------------------------------------------------------------

    def _by_rank(self, answer: str, candidates: DistractorSet) -> Iterator[Selector]:
        """The second heaviest."""
        for of in self._sets.numbers(candidates):
            yield from self._ranked(answer, candidates, of)

    def _by_rank_of_some(self, answer: str, candidates: DistractorSet) -> Iterator[Selector]:
        """The second heaviest of those in the workshop, or of those that cost more than ..."""
        parts = [*self._sets.around(answer, candidates)]
        parts += [
            part for part in self._sets.compared(answer, candidates) if _is_proper(part, candidates)
        ]
        self._rng.shuffle(parts)
        for part in parts:
            yield from self._by_rank(answer, part)

    def _ranked(self, answer: str, candidates: DistractorSet, of: str) -> Iterator[Selector]:
        value = self._sets.value
        order = sorted(candidates.members, key=lambda node: -value(node, of))
        place = order.index(answer)
        neighbours = order[max(0, place - 1) : place + 2]
        if any(_is_near(value(n, of), value(answer, of)) for n in neighbours if n != answer):
            return
        high, low = place + 1, len(order) - place
        is_largest = high < low or (high == low and self._rng.random() < 0.5)
        if _says_it_already(candidates.among, of, is_largest=is_largest):
            return
        k = min(high, low)
        if 1 < k <= _DEEPEST:
            yield Rank(
                rank=RankBy(of=of, k=k, order="largest" if is_largest else "smallest"),
                among=candidates.among,
            )
        elif k == 1 and is_largest:
            yield Largest(largest=of, among=candidates.among)
        elif k == 1:
            yield Smallest(smallest=of, among=candidates.among)

    # -- the only one ------------------------------------------------------------------------------

    def _by_trait(self, answer: str, candidates: DistractorSet) -> Iterator[Selector]:
        """The only one that is red, or that is not."""
        others = tuple(node for node in candidates.members if node != answer)
        for trait in self._sets.traits(candidates):
            if trait.bearers == (answer,):
                yield Only(only=both(candidates.among, trait.condition))
            elif trait.bearers == others and trait.is_deniable:
                yield Only(only=both(candidates.among, Filter(not_=trait.condition)))

    def _by_place(self, answer: str, candidates: DistractorSet) -> Iterator[Selector]:
        """The only one in the workshop, or on the shelf."""
        index = self._index
        if candidates.among.name is None:
            return
        room, place = index.room_of(answer), index.world.location[answer]
        places = [("inside_room", room)]
        places += [place] if place.holder != room else []
        for field, node in places:
            if index.naming.called(node) is not None:
                yield Only(only=both(candidates.among, Filter.model_validate({field: node})))

    def _by_bound(self, answer: str, candidates: DistractorSet) -> Iterator[Selector]:
        """The only one that weighs at least 5 kg, or between 5 and 7."""
        for of in self._sets.numbers(candidates):
            own = self._sets.value(answer, of)
            others = [self._sets.value(node, of) for node in candidates.members if node != answer]
            above = [value for value in others if value > own]
            below = [value for value in others if value < own]
            at_most = {of: _between(own, min(above))} if above else {}
            at_least = {of: _between(max(below), own)} if below else {}
            if own not in others and None not in (*at_most.values(), *at_least.values()):
                bounds = Filter.model_validate({"at_least": at_least, "at_most": at_most})
                yield Only(only=both(candidates.among, bounds))

    def _by_comparison(self, answer: str, candidates: DistractorSet) -> Iterator[Selector]:
        """The only one that is heavier than the anvil."""
        for part in self._sets.compared(answer, candidates):
            if part.members == (answer,):
                yield Only(only=part.among)


def _is_proper(part: DistractorSet, candidates: DistractorSet) -> bool:
    return LEAST_CANDIDATES <= len(part.members) < len(candidates.members)


def _says_it_already(among: Filter, of: str, *, is_largest: bool) -> bool:
    """Whether a part is for nothing: the heaviest of those that are heavier than the anvil."""
    compared = among.more_than if is_largest else among.less_than
    return compared is not None and compared.of == of


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= _APART * max(abs(one), abs(other))


def _between(low: float, high: float) -> float | None:
    """A number between two others, as round as will do; between whole numbers it is one too."""
    middle = (low + high) / 2
    are_whole = low == int(low) and high == int(high)
    for digits in range(1, 7):
        number = float(f"{middle:.{digits - 1}e}")
        if low < number < high and (not are_whole or number == int(number)):
            return number
    return None
