"""Ranks: `the second cheapest`, `only one of them is older`, `the runner-up in pages`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.degrees import DegreeWord, DegreeWords
from earsim_agents.baselines.errand_reading.words import TextSpan

_ONE = r"(?:(?:a|one|the) (?:single|sole|lone)(?: (?:other|one))?|one(?: single| other)?)"
_SECOND = re.compile(
    r"\bsecond[- ](?:\w+est\b|most\b|least\b|highest|lowest|longest|in\b|by\b|place\b|only to\b"
    r"|best\b|as to\b)|\b(?:comes?|came|is|places?|ranks?|being) second\b|\bsecond[- ]to\b"
    r"|\bsecond(?: one)?,? (?:counting|counted|going|when|from|if|in order)\b"
    r"|\brunners?[- ]up\b|\bnumber two\b|\bin second\b|\bthe second of\b"
    rf"|\b(?:but|bar|save|except|excepting|apart from|other than|barring|aside from)"
    rf"(?: for| just| only)* {_ONE}\b(?! of its)"
    r"|\bnext(?:[- ](?:to|in))?(?:[- ]the)?[- ](?:\w+est|most|least|line|place|cheapness|order)\b"
    r"|\bnext (?:one|up|down)\b|\b(?:is|was|are|would be|being) (?:far |just |already )?too \w+"
    r"|\b(?:the )?(?:one|piece|next) (?:right|just|directly|immediately|straight) (?:below"
    r"|above|under)\b"
    r"|\bthe (?:one|next) (?:below|above|under)\b|\bonly not the\b|\btake the next\b|\bthe "
    r"next\b|\bnext after\b"
    r"|\b(?:one|first) (?:that |which )?(?:(?:directly |right |just )?(?:follows|after"
    r"|behind)|comes"
    r" (?:right |just |directly |next )?(?:after|behind|next))"
    r"|\b(?:least|most|\w+est) (?:right |just )?after (?:it|that)\b|\bnot (?:quite )?the "
    r"(?:very )?(?:\w+est|most|least)\b"
)
_COUNTED = re.compile(
    r"\b(?:(?:only|just|exactly|precisely|no more than|not more than) (?:a |the )?"
    r"(?:single |sole |lone )?(?:one|other|\w+er(?= one))(?: single| other)?|(?:a|one) "
    r"(?:single|sole|lone)"
    r" (?:one|other)|(?P<all>all|every \w+|any) (?:of them )?(?:but|except|save|bar) (?:for )?"
    r"(?:one|a single one))\b"
    r"(?! of (?:its|that|this|his|her|their) (?:kind|sort|type)| on\b| there\b| with\b| beside\b)"
    r"(?: of the (?:\w+er|more \w+|less \w+) ones)?"
)
_REACH: Final = 70
_APART: Final = 0.15
"""What each sentence between a rank and a comparison costs."""

_STOP = re.compile(r"[.!?;:]")
_RUNNER = re.compile(
    r"\brunners?[- ]up (?:in|by|for|as to)\b|\bsecond(?: place)? (?:in|by|as to|when it comes to)\b"
)


_NONE = re.compile(
    r"\b(?:none|no (?:one|other|\w+)|nothing)(?: of (?:all )?(?:them|those|these|the \w+)| that \w+"
    r"| other)?(?: there)?"
    r" (?:is|are|was|were|has|have|had|costs?|beats|lasts|holds|keeps|goes|shows|can|may be)\b"
)


class ToldRank(NamedTuple):
    """What ranks things.

    Attributes:
        place: From 1 on.
    """

    key: str
    is_most: bool
    place: int
    score: float


def told_rank(
    text: str,
    part: TextSpan,
    masked: Sequence[TextSpan],
    degrees: DegreeWords,
    keys: frozenset[str],
) -> ToldRank | None:
    """What a part of a text says that ranks things with these numbers."""
    words = [
        word
        for word in degrees.words
        if part.start <= word.start
        and word.end <= part.end
        and not any(mask.start <= word.start < mask.end for mask in masked)
    ]
    found = [*_counted(text, part, words, degrees, keys)]
    place = 2 if _is_second(text, part, masked) else 1
    end = min((mask.start for mask in masked), default=part.start)
    for word in words:
        told = degrees.told(word, keys) if word.is_most else None
        if told is not None:
            far = _APART * text.count(". ", *sorted((end, word.start)))
            found.append(ToldRank(told.key, told.is_more, place, told.score - far))
    found += _unbeaten(text, part, words, degrees, keys)
    found += _named(text, part, degrees, keys)
    return max(found, key=lambda rank: rank.score, default=None)


def _within(pattern: re.Pattern[str], text: str, part: TextSpan) -> list[re.Match[str]]:
    found = _matches(pattern, text)
    return [m for m in found if part.start <= m.start() and m.end() <= part.end]


@lru_cache(maxsize=64)
def _matches(pattern: re.Pattern[str], text: str) -> tuple[re.Match[str], ...]:
    return tuple(pattern.finditer(text))


def _is_second(text: str, part: TextSpan, masked: Sequence[TextSpan]) -> bool:
    return any(
        not any(mask.start <= match.start() < mask.end for mask in masked)
        for match in _within(_SECOND, text, part)
    )


def _counted(
    text: str,
    part: TextSpan,
    words: Sequence[DegreeWord],
    degrees: DegreeWords,
    keys: frozenset[str],
) -> Iterator[ToldRank]:
    """Of `only one of them is older`."""
    for match in _within(_COUNTED, text, part):
        before = [word for word in words if 0 < match.start() - word.end < 40]
        if text.endswith("than ", 0, match.start()) and before:
            told = degrees.told(before[-1], keys)  # sweeter than just a single other
            if told is not None:
                yield ToldRank(told.key, not told.is_more, 2, told.score + 0.9)
            continue
        stop = _STOP.search(text, match.end())
        end = min(stop.start() if stop else len(text), match.end() + _REACH)
        for word in words:
            if match.start() <= word.start and word.end <= end and not word.is_most:
                told = degrees.told(word, keys)
                if told is not None and told.score > 0.4:
                    is_all = match["all"] is not None
                    yield ToldRank(told.key, told.is_more is not is_all, 2, told.score + 0.9)
                    break
        else:
            verb = re.search(r"\b(?:beats?|exceeds?|outdoes|surpass\w*)\b", text[match.end() : end])
            key = degrees.named(keys, match.end(), end + 20) if verb else ""
            if key:
                yield ToldRank(key, True, 2, 1.5)


def _unbeaten(
    text: str,
    part: TextSpan,
    words: Sequence[DegreeWord],
    degrees: DegreeWords,
    keys: frozenset[str],
) -> Iterator[ToldRank]:
    """Of `none of those is newer`."""
    for match in _within(_NONE, text, part):
        near = [word for word in words if 0 <= word.start - match.end() < _REACH // 2]
        told = degrees.told(near[0], keys) if near and not near[0].is_most else None
        if told is not None and not _STOP.search(text, match.end(), near[0].start):
            yield ToldRank(told.key, told.is_more, 1, told.score + 0.9)


def _named(
    text: str, part: TextSpan, degrees: DegreeWords, keys: frozenset[str]
) -> Iterator[ToldRank]:
    """Of `the runner-up in pages`."""
    for match in _within(_RUNNER, text, part):
        key = degrees.named(keys, match.end(), match.end() + 40)
        if key:
            down = "cheapness" in text[match.end() : match.end() + 14]
            yield ToldRank(key, not down, 2, 1.9)
