"""Clues to a rank in a passage: `every other one is cheaper`, `but it's the one right after`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.choices import ErrandChoice
from earsim_agents.baselines.errand_reading.degrees import (
    DegreeWord,
    DegreeWords,
    between,
    is_comparative,
)
from earsim_agents.baselines.errand_reading.rank_words import (
    ALL,
    ALL_BUT_ONE,
    BUT_ONE,
    DOWN,
    FROM,
    GUESS,
    LOSES,
    MEANT,
    NEXT,
    NO_SECOND,
    NONE,
    ONE,
    ONLY_MOST,
    SO_MANY,
    TAKEN_BACK,
    UP,
)
from earsim_agents.baselines.errand_reading.words import TextSpan

_STOP = re.compile(r"[.!?;:]")
_CLAUSE = re.compile(r"[.!?;:,]| (?:but|yet|while)\b")
_THAN = re.compile(r"\bthan (?:mine|ours|it|that|the (?:one|ones|\w+ (?:i|we)))\b")
_UNSAID, _COUNTABLE = 0.2, 0.2
_REACH: Final = 75
_BACK: Final = 160
_SPOKEN: Final = 30
_NEAR: Final = 45
_JOINED: Final = 14
_LATER: Final = 0.3
"""What a clue weighs more for each that comes before it."""

_COUNTED, _SECOND, _PLAIN, _GUESSED = 3.4, 3.2, 2.4, 0.5


class RankClue(NamedTuple):
    """What hints at a rank.

    Attributes:
        keys: How likely it is of a number, of those that it may be of.
        is_most: From which end it counts; None if it does not say.
    """

    keys: dict[str, float]
    is_most: bool | None
    place: int
    weight: float
    span: TextSpan


def rank_clues(
    text: str, span: TextSpan, degrees: DegreeWords, keys: frozenset[str]
) -> list[RankClue]:
    """All clues of a passage."""
    words = between(degrees.words, span.start, span.end)
    counted = [*_counted(text, span, words, degrees, keys)]
    taken = [clue.span for clue in counted]
    most = [w for w in words if w.is_most and not any(t.start <= w.start < t.end for t in taken)]
    found = [*counted, *_most(text, span, most, degrees, keys)]
    found += _next(text, span, words, most, degrees, keys)
    found.sort(key=lambda clue: clue.span)
    return [c._replace(weight=c.weight + _LATER * n) for n, c in enumerate(found)]


def rank_score(
    clues: Sequence[RankClue], choice: ErrandChoice, stressed: Mapping[str, float]
) -> float:
    """How well a choice goes with the clues, and with the numbers that are said to count."""
    best = max((_match(clue, choice) for clue in clues), default=0.0)
    return best + stressed.get(choice.key, 0.0)


def _match(clue: RankClue, choice: ErrandChoice) -> float:
    score = clue.weight + min(clue.keys.get(choice.key, -0.7 if clue.keys else 0.0), 1.6)
    if clue.is_most is not None and clue.is_most is not choice.is_most:
        score -= 2.6
    return score - 2.0 * (clue.place != choice.place)


def _keys_of(degrees: DegreeWords, word: DegreeWord, keys: frozenset[str]) -> dict[str, float]:
    found = {key: score for key in keys if (score := degrees.score(word, key)) > 0}
    if not word.keys:
        for key in keys:
            if not key.startswith(("age", "price")):  # the others are seldom left unsaid
                found[key] = found.get(key, 0.0) + _UNSAID + _COUNTABLE * key.endswith("_count")
    return found


def _counted(
    text: str,
    span: TextSpan,
    words: Sequence[DegreeWord],
    degrees: DegreeWords,
    keys: frozenset[str],
) -> Iterator[RankClue]:
    """Of `just one of them is older`, `all but one`, `every other one`, `none`."""
    ends = list[int]()
    for match in LOSES.finditer(text, span.start, span.end):
        named = degrees.named(keys, match.end(), match.end() + 50)
        named = named or degrees.named(keys, match.start() - 40, match.start())
        yield RankClue({named: 1.0} if named else {}, True, 2, _COUNTED, TextSpan(*match.span()))
    for match in NONE.finditer(text, span.start, span.end):
        many = SO_MANY.search(text, match.end(), min(match.end() + _NEAR, span.end))
        named = degrees.named(keys, many.end(), many.end() + _NEAR) if many else ""
        if many is not None and named:
            at = TextSpan(match.start(), many.end())
            yield RankClue({named: 1.0}, many["more"] is not None, 1, _COUNTED, at)
    for pattern, flips, place in _COUNTS:
        for match in pattern.finditer(text, span.start, span.end):
            stop = _CLAUSE.search(text, match.end())
            end = min(stop.start() if stop else len(text), match.end() + _REACH, span.end)
            than = _THAN.search(text, match.end(), end)
            near = [
                word
                for word in words
                if match.end() - 1 <= word.start < (than.start() + 1 if than else end)
                and is_comparative(text, word)
            ]
            if not near and pattern is NONE:  # none of those is as old
                near = [w for w in words if match.end() <= w.start < end and _is_as(text, w)]
            if not near or near[-1].start in ends:
                continue
            word = near[-1]
            ends.append(word.start)
            own, at = _keys_of(degrees, word, keys), TextSpan(match.start(), word.end)
            yield RankClue(own, word.is_more is not flips, place, _COUNTED, at)


def _is_as(text: str, word: DegreeWord) -> bool:
    return text.endswith(" as ", 0, word.start)


_COUNTS: Final = ((ALL_BUT_ONE, True, 2), (NONE, False, 1), (ONE, False, 2), (ALL, True, 1))


def _most(
    text: str,
    span: TextSpan,
    words: Sequence[DegreeWord],
    degrees: DegreeWords,
    keys: frozenset[str],
) -> Iterator[RankClue]:
    """Of `the oldest`, which may be a guess that is put right."""
    for word in words:
        weight = _GUESSED if _is_guess(text, span, word) else _PLAIN
        place = 2 if re.search(r"\b(?:second|next)[ -](?:\w+ )?$", text[: word.start][-16:]) else 1
        before = text[max(0, word.start - 20) : word.start]
        if BUT_ONE.match(text, word.end) or ONLY_MOST.search(before) or FROM.search(before):
            place, weight = 2, max(weight, _PLAIN)
        weight += 0.7 * (place > 1)
        yield RankClue(
            _keys_of(degrees, word, keys),
            word.is_more,
            place,
            weight,
            TextSpan(word.start, word.end),
        )


def _is_guess(text: str, span: TextSpan, word: DegreeWord) -> bool:
    if TAKEN_BACK.match(text, word.end):
        return True
    stops = [s.end() for s in _STOP.finditer(text, span.start, word.start)]
    begin = max([span.start, word.start - _REACH, *stops])
    said = text[begin : word.start]
    guesses = [m.end() for m in GUESS.finditer(said)]
    meant = [m.end() for m in MEANT.finditer(said)]
    return bool(guesses) and max(guesses) > max(meant, default=0)


def _next(
    text: str,
    span: TextSpan,
    words: Sequence[DegreeWord],
    most: Sequence[DegreeWord],
    degrees: DegreeWords,
    keys: frozenset[str],
) -> Iterator[RankClue]:
    """Of `the next one up`, and of `the one right above the cheapest`."""
    for match in NEXT.finditer(text, span.start, span.end):
        if match[0] == "second" and NO_SECOND.search(text[span.start : match.start()]):
            continue
        before = [w for w in most if w.end <= match.start() + 1 and match.start() - w.end < _BACK]
        joined = [w for w in words if 0 <= w.start - match.end() < _JOINED]
        at = TextSpan(match.start(), match.end())
        if joined and joined[0].is_most and match[0] in ("next", "second"):
            continue  # the second cheapest
        if joined and (joined[0].is_most or match[0].endswith(("next", "just ", "notch "))):
            own = _keys_of(degrees, joined[0], keys)
            yield RankClue(own, joined[0].is_more is joined[0].is_most, 2, _SECOND + 0.3, at)
        elif before:
            own, is_most = _keys_of(degrees, before[-1], keys), before[-1].is_more
            if match.start() - before[-1].end > _SPOKEN and UP.search(_behind(text, match)):
                is_most = is_most if own and _is_age(own) else False
            yield RankClue(own, is_most, 2, _SECOND, at)
        else:
            yield _second(text, match, words, degrees, keys)


def _second(
    text: str,
    match: re.Match[str],
    words: Sequence[DegreeWord],
    degrees: DegreeWords,
    keys: frozenset[str],
) -> RankClue:
    """Of `the runner-up in price`, before which nothing is ranked."""
    at, behind = TextSpan(match.start(), match.end()), _behind(text, match)
    key = degrees.named(keys, match.end(), match.end() + _NEAR)
    after = [word for word in words if 0 <= word.start - match.end() < _NEAR]
    if not key and after:
        own = _keys_of(degrees, after[0], keys)
        return RankClue(own, after[0].is_more, 2, _SECOND - 0.4, at)
    way = False if UP.search(behind) else True if DOWN.search(behind) else None
    way = True if way is None and "runner" in match[0] else way
    return RankClue({key: 0.8} if key else {}, way, 2, _SECOND - 0.4, at)


def _behind(text: str, match: re.Match[str]) -> str:
    """What tells up from down."""
    behind = text[match.end() : match.end() + _NEAR // 2]
    stop = _STOP.search(behind)
    behind = behind[: stop.start()] if stop else behind
    return behind if "runner" in match[0] else behind + match[0]


def _is_age(keys: dict[str, float]) -> bool:
    return max(keys, key=lambda key: keys[key]).startswith("age")
