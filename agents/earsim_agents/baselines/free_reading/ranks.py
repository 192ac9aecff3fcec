"""Ranks: which of several things of a name is meant by how much of something it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from earsim.schema.selector import Filter, Largest, Rank, RankBy, Smallest
from earsim_agents.baselines.free_reading.degrees import comparatives, measure_of, superlatives
from earsim_agents.baselines.free_reading.tokens import is_end, is_mark
from earsim_agents.baselines.free_reading.words import words_of

_WIDE: Final = 9
_ORDINALS: Final = {"second": 2, "third": 3, "fourth": 4, "2nd": 2, "3rd": 3, "fifth": 5}
_JUST: Final = words_of("only exactly just precisely")
_EXCEPT: Final = words_of("but bar save except barring")
_COUNTED: Final = {"one": 1, "single": 1, "two": 2, "three": 3}


class RankInText(NamedTuple):
    """A rank.

    Attributes:
        at: The token that tells it.
        key: The number.
        is_more: From the largest.
        place: From 1 on.
        score: How sure it is.
    """

    at: int
    key: str
    is_more: bool
    place: int
    score: float

    def selector(self, among: Filter) -> Any:
        """What picks the thing of this rank."""
        if self.place > 1:
            rank = RankBy(
                of=self.key, k=self.place, order="largest" if self.is_more else "smallest"
            )
            return Rank(rank=rank, among=among)
        if self.is_more:
            return Largest(largest=self.key, among=among)
        return Smallest(smallest=self.key, among=among)


def ranks_in(tokens: Sequence[str], keys: Sequence[str]) -> list[RankInText]:
    """All ranks that a part of a text tells, the surest first."""
    found: list[RankInText] = []
    for degree in superlatives(tokens, keys):
        place = _place(tokens, degree.at)
        found.append(RankInText(degree.at, degree.key, degree.is_more, place, degree.score))
    for degree in comparatives(tokens, keys):
        counted = _counted(tokens, degree.at)
        if counted is not None:
            place, flips = counted
            is_more = degree.is_more is not flips
            found.append(RankInText(degree.at, degree.key, is_more, place, degree.score - 0.2))
    found += _named(tokens, keys)
    return sorted(found, key=lambda rank: -rank.score)


def _named(tokens: Sequence[str], keys: Sequence[str]) -> list[RankInText]:
    """Of `third for lightness`, `runner-up in age`, `number two by price`."""
    found = []
    for at, token in enumerate(tokens):
        place = _ORDINALS.get(token, 0)
        behind = list(tokens[at + 1 : at + 6])
        if token == "runner" and behind[:1] == ["up"]:
            place, behind = 2, behind[1:]
        if token == "number" and behind[:1] and behind[0] in ("two", "three", "2", "3"):
            place, behind = {"two": 2, "2": 2, "three": 3, "3": 3}[behind[0]], behind[1:]
        if behind[:1] in (["place"], ["rank"], ["best"]):
            behind = behind[1:]
        if not place or not behind or behind[0] not in ("for", "in", "by", "when", "on", "as"):
            continue
        for key in keys:
            own = measure_of(key)
            hits = [word for word in behind if word in own.nouns]
            less = any(word in _LESS_NOUNS for word in behind)
            less = less or any(word.startswith(own.less) and own.less for word in behind)
            more = any(own.more and word.startswith(own.more) for word in behind)
            if hits or less or more:
                known = any(own.less and word.startswith(own.less) for word in behind) or more
                score = 1.2 + 0.6 * bool(hits) + 0.6 * known
                if not hits and not known:
                    continue
                found.append(RankInText(at, key, not less, place, score))
    return found


_LESS_NOUNS: Final = words_of(
    "lightness cheapness newness youth shortness lowness smallness fewest least lowest smallest "
    "shortest thinness freshness flatness recency"
)


def _place(tokens: Sequence[str], at: int) -> int:
    """The place from the end that a superlative tells."""
    before = tokens[max(0, at - 5) : at]
    behind = tokens[at + 1 : at + 6]
    for word in reversed(before[-2:]):
        if word in _ORDINALS:
            return _ORDINALS[word]
        if word == "next":
            return 2
    for step, word in enumerate(behind):
        if is_mark(word) and word != ",":
            break
        if word in _EXCEPT:
            later = behind[step + 1 : step + 3]
            return 1 + next((_COUNTED[w] for w in later if w in _COUNTED), 1)
    wide = _clause(tokens, at)
    for word, place in (("runner", 2), ("third", 3), ("second", 2)):
        if word in wide:
            return place
    later = wide[wide.index("number") + 1 :] if "number" in wide else ()
    return {"two": 2, "three": 3, "2": 2, "3": 3}.get(later[0], 1) if later else 1


def _clause(tokens: Sequence[str], at: int) -> Sequence[str]:
    """The tokens next to one, up to the marks around it."""
    low, high = at, at + 1
    while low > max(0, at - _WIDE) and not is_mark(tokens[low - 1]):
        low -= 1
    while high < min(len(tokens), at + _WIDE) and not is_mark(tokens[high]):
        high += 1
    return tokens[low:high]


def _counted(tokens: Sequence[str], at: int) -> tuple[int, bool] | None:
    """Of `only two others are older`: place three, and the other way round."""
    before = list(tokens[max(0, at - 9) : at])
    behind = list(tokens[at + 1 : at + 13])
    before = before[max((n + 1 for n, t in enumerate(before) if is_end(t)), default=0) :]
    behind = behind[: next((n for n, t in enumerate(behind) if is_end(t)), len(behind))]
    if "than" in behind[:8]:
        return _than(before, behind)
    if set(before) & _JUST and set(before) & set(_COUNTED):
        number = next(_COUNTED[w] for w in before if w in _COUNTED)
        return 1 + number, False
    return (1, False) if set(before) & {"none", "no", "nothing"} else None


def _than(before: Sequence[str], behind: Sequence[str]) -> tuple[int, bool] | None:
    """Of `older than all but one`."""
    rest = behind[behind.index("than") + 1 :]
    head = rest[:5]
    if "but" in head or "except" in head or "save" in head:
        number = next((_COUNTED[w] for w in head if w in _COUNTED), 1)
        return 1 + number, False
    if set(head[:2]) & {"any", "all", "every", "each", "others"} or "others" in head:
        few = {"one", "two", "single", "three"} & set(head[:3])
        if not few:
            return 1, False
    told = next((_COUNTED[w] for w in head[:4] if w in _COUNTED), 0)
    if told and set(head[:4]) & {"only", "just", "exactly", "other", "single"}:
        return 1 + told, True
    number = next((_COUNTED[w] for w in before if w in _COUNTED), 0)
    if number and (set(before) & {"only", "exactly", "just", "precisely", "other", "others"}):
        return 1 + number, False
    return None
