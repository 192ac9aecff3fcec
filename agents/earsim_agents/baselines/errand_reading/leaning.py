"""Errands that lean on one another, read all at once.

Every group has as many things, and there are as many things that they may be compared with, so
that it is known how many errands there are, and little is left that each of them may mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from earsim.schema import Selector
from earsim.schema.selector import Filter, Largest, Rank, RankBy, Smallest
from earsim_agents.baselines.errand_reading.choices import ErrandChoice, choices_of, shared_keys
from earsim_agents.baselines.errand_reading.degrees import degrees_of
from earsim_agents.baselines.errand_reading.fates import ToldFates
from earsim_agents.baselines.errand_reading.orders import ToldOrder, told_orders
from earsim_agents.baselines.errand_reading.passages import ErrandPassage, Passages
from earsim_agents.baselines.errand_reading.places import ToldPlaces
from earsim_agents.baselines.errand_reading.rank_clues import RankClue, rank_clues, rank_score
from earsim_agents.baselines.errand_reading.scene import ALIKE, ErrandScene, TablePlace
from earsim_agents.baselines.errand_reading.side_clues import side_clues
from earsim_agents.baselines.errand_reading.sides import SideClue, side_score
from earsim_agents.baselines.errand_reading.stress import stressed_keys
from earsim_agents.baselines.errand_reading.words import FULL, Hit, TextSpan, weight_of

MANY: Final = 5
"""Errands that are all compared with what is in one room."""

FEW: Final = 3
"""Errands that are compared with what is in any room."""

_OTHERS: Final = 2
"""Groups that no errand is about."""

_THERE: Final = 3.0
"""What it costs that a thing is to be brought to where it lies."""

_NEAR: Final = 45
_SHARE: Final = 0.3
"""Of its weight, likeness has that where a rank is told as well."""

_LIKE = re.compile(
    r"\b(?:same (?:again|rules?|rank|choice|way|thing|end|goes|holds|with|is true|for|as)"
    r"|it's the same|it is the same|that same|(?:as|like) (?:with|for|the)\b|again|likewise"
    r"|takes? the (?:part|place) of|in place of|is the measure)\b"
)


class LeaningErrand(NamedTuple):
    """What one passage asks."""

    passage: ErrandPassage
    choice: ErrandChoice
    table: TablePlace
    keeps: bool

    def selector(self, name: str) -> Selector:
        """What picks the thing that is meant, of things that are written with this name."""
        compared: dict[str, object] = {}
        for side in self.choice.sides:
            way = "more_than" if side.is_more else "less_than"
            compared[way] = {"of": side.key, "object": self.passage.gauge.node}
        among = Filter.model_validate({"name": name, **compared})
        key, is_most = self.choice.key, self.choice.is_most
        if self.choice.place > 1:
            order: Literal["largest", "smallest"] = "largest" if is_most else "smallest"
            return Rank(rank=RankBy(of=key, k=self.choice.place, order=order), among=among)
        return Largest(largest=key, among=among) if is_most else Smallest(smallest=key, among=among)


class PassageClues(NamedTuple):
    """What hints at the choice of one passage."""

    ranks: Sequence[RankClue]
    sides: Sequence[SideClue]
    stressed: Mapping[str, float]


def count_of_errands(scene: ErrandScene) -> int:
    """How many errands there are, if there is all that they are about; else zero."""
    whole = [group for group in scene.groups if len(group.nodes) == ALIKE]
    rooms = {scene.lexicon.room_of(gauge.node) for gauge in scene.gauges}
    if len(whole) == len(scene.gauges) == MANY + _OTHERS:
        return MANY if len(rooms) == 1 else 0
    is_few = len(whole) == FEW + _OTHERS <= len(scene.gauges)
    return FEW if is_few else 0


def count_beside_needed(scene: ErrandScene) -> int:
    """How many errands there are beside things that are needed: about all groups but one."""
    return max(0, sum(len(group.nodes) == ALIKE for group in scene.groups) - 1)


class LeaningErrands:
    """The errands of one text.

    Attributes:
        errands: In the order of the text; none if it does not speak of enough.
        orders: Which of them come before others.
        rest: The sentences that are about something else.
    """

    def __init__(self, text: str, scene: ErrandScene, count: int) -> None:
        """Read a text.

        Args:
            text: All of it.
            scene: What it may speak of.
            count: How many errands there are.
        """
        self.errands, self.orders, self.rest = list[LeaningErrand](), list[ToldOrder](), text
        groups = [
            group._replace(hits=_apart(scene, group.hits))
            for group in scene.groups
            if len(group.nodes) == ALIKE
        ]
        gauges = [gauge._replace(hits=_apart(scene, gauge.hits)) for gauge in scene.gauges]
        shared = {
            (group.name, gauge.node): shared_keys(scene, group, gauge)
            for group in groups
            for gauge in gauges
        }
        has_rest = count != MANY
        search = Passages(text, groups, gauges, shared, scene.tables, has_rest=has_rest)
        passages = search.found(count)
        if len(passages) == count and scene.tables:
            self.errands += _read(text, scene, search.sentences, passages, shared)
        if self.errands:
            self.orders += told_orders(text, search.sentences, passages) if has_rest else []
            self.rest = self._rest(text, search, passages) if has_rest else ""

    def _rest(self, text: str, search: Passages, passages: Sequence[ErrandPassage]) -> str:
        taken = [*(p.span for p in passages), *(order.span for order in self.orders)]
        left = [
            text[slice(*sentence)].strip()
            for sentence, is_beside in zip(search.sentences, search.beside, strict=True)
            if is_beside or not any(each.start <= sentence.start < each.end for each in taken)
        ]
        return " ".join(left)


def _read(
    text: str,
    scene: ErrandScene,
    sentences: Sequence[TextSpan],
    passages: Sequence[ErrandPassage],
    shared: Mapping[tuple[str, str], frozenset[str]],
) -> list[LeaningErrand]:
    """What the passages ask."""
    clues = {p.group.name: _clues(text, p, shared[p.group.name, p.gauge.node]) for p in passages}
    ranked = {name: [clue.span for clue in each.ranks] for name, each in clues.items()}
    places = ToldPlaces(text, passages, scene.tables, ranked)
    fates = ToldFates(text, passages, sentences, lambda part: places.named(part, None))
    found = list[LeaningErrand]()
    for passage, table in zip(passages, places.best(), strict=True):
        told = clues[passage.group.name]
        choice = _best(scene, passage, table, told, _leant_on(text, passage, found))
        if choice is not None:
            keeps = fates.keeps(passage, scene.tables.index(table))
            found.append(LeaningErrand(passage, choice, table, keeps))
    return found


def _apart(scene: ErrandScene, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Words that are of no name of a table or a room."""
    places = [hit for table in scene.tables for hit in (*table.hits, *table.room_hits)]
    whole = [hit for hit in places if hit.weight >= FULL]
    return tuple(
        hit
        for hit in hits
        if hit.weight >= FULL or not any(p.start <= hit.start and hit.end <= p.end for p in whole)
    )


def _clues(text: str, passage: ErrandPassage, shared: frozenset[str]) -> PassageClues:
    degrees = degrees_of(text, passage.group.keys)
    ranks = rank_clues(text, passage.span, degrees, passage.group.keys)
    spans = [clue.span for clue in ranks]
    sides = side_clues(text, passage.span, passage.at, passage.group, degrees, shared, spans)
    return PassageClues(
        ranks, sides, stressed_keys(text, passage.span, degrees, passage.group.keys)
    )


def _leant_on(
    text: str, passage: ErrandPassage, told: Sequence[LeaningErrand]
) -> ErrandChoice | None:
    """The choice that a passage says its own is like; None if it says nothing of it."""
    match = _LIKE.search(text, *passage.span)
    if match is None or not told:
        return None
    near = TextSpan(match.start(), min(match.end() + _NEAR, passage.span.end))
    weighed = [
        (weight_of(hit for hit in errand.passage.group.hits if near.has(hit)), number)
        for number, errand in enumerate(told)
    ]
    return told[max(weighed)[1]].choice


def _likeness(choice: ErrandChoice, other: ErrandChoice) -> float:
    score = 0.8 * (choice.sides == other.sides) + 0.6 * (choice.key == other.key)
    score += 0.4 * ({side.is_more for side in choice.sides} == {s.is_more for s in other.sides})
    return score + 0.6 * (choice.is_most is other.is_most) + 0.6 * (choice.place == other.place)


def _best(
    scene: ErrandScene,
    passage: ErrandPassage,
    table: TablePlace,
    clues: PassageClues,
    like: ErrandChoice | None,
) -> ErrandChoice | None:
    scored = [
        (
            rank_score(clues.ranks, choice, clues.stressed)
            + side_score(clues.sides, choice.sides)
            + (_likeness(choice, like) * (1.0 if not clues.ranks else _SHARE) if like else 0.0)
            - _THERE * (scene.lexicon.holder_of(choice.target) == table.node),
            choice,
        )
        for choice in choices_of(scene, passage.group, passage.gauge)
    ]
    return max(scored, key=lambda each: each[0])[1] if scored else None
