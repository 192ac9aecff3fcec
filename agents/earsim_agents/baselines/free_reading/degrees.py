"""Degrees: `the second lightest`, `third for price`, `weighs more than`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from earsim.units import split_quantity
from earsim_agents.baselines.free_reading.measures import (
    COMPARED_LESS,
    COMPARED_MORE,
    OWN_VERBS,
    ROWS,
    VAGUE_LESS,
    VAGUE_MORE,
)
from earsim_agents.baselines.free_reading.tokens import is_mark, singular

_NEAR: Final = 9
"""How far from a word of degree the number may be told."""


class MeasureWords(NamedTuple):
    """Words for a number."""

    nouns: frozenset[str]
    more: tuple[str, ...]
    less: tuple[str, ...]


class ToldDegree(NamedTuple):
    """What a word of degree says.

    Attributes:
        at: The token.
        key: The number.
        is_more: More of it.
        score: How sure the number is.
    """

    at: int
    key: str
    is_more: bool
    score: float


@cache
def measure_of(key: str) -> MeasureWords:
    """The words for a number; those of its key are among them."""
    parts = split_quantity(key)
    own = (key if parts is None else parts.quantity).split("_")
    unit = [] if parts is None else [parts.unit]
    best = max((row for row in _rows() if key.startswith(row[0])), key=_length, default=None)
    best = best or next((row for row in _rows() if row[0] == own[-1]), None)
    told = best or ("", "", "", "")
    nouns = {*own, *(singular(word) for word in own), *unit, *_terms(told[1])}
    nouns |= {f"{word}s" for word in nouns}
    return MeasureWords(frozenset(nouns - {"count", "score"}), _terms(told[2]), _terms(told[3]))


@cache
def _rows() -> list[tuple[str, str, str, str]]:
    found = []
    for line in ROWS.strip().splitlines():
        cells = [*line.split("|"), "", ""]
        found.append((cells[0], cells[1], cells[2], cells[3]))
    return found


def _length(row: tuple[str, str, str, str]) -> int:
    return len(row[0])


def _terms(said: str) -> tuple[str, ...]:
    return tuple(term.strip() for term in said.split(",") if term.strip())


def _is_form(token: str, stems: Iterable[str], endings: tuple[str, ...]) -> bool:
    for stem in stems:
        for begin in {stem, stem + stem[-1], stem.removesuffix("e"), stem.removesuffix("y") + "i"}:
            if token.startswith(begin) and token[len(begin) :] in endings:
                return True
    return False


_MOST: Final = ("est", "iest", "st")
_MORE: Final = ("er", "ier", "r")
_PLAIN: Final = ("", "y", "e", "ly")


def superlatives(tokens: Sequence[str], keys: Sequence[str]) -> Iterator[ToldDegree]:
    """Words such as `heaviest` and `most`, with the number that each may tell of."""
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else ""
        if before in ("at", "very") and token in ("least", "most", "best", "last"):
            continue
        yield from _degrees(tokens, at, token, keys, _MOST)


def comparatives(tokens: Sequence[str], keys: Sequence[str]) -> Iterator[ToldDegree]:
    """Words such as `heavier` and `more`, with the number that each may tell of."""
    for at, token in enumerate(tokens):
        if token in OWN_VERBS:
            stem, is_more = OWN_VERBS[token]
            for key in keys:
                if key.startswith(stem):
                    yield ToldDegree(at, key, is_more, 2.5)
        yield from _degrees(tokens, at, token, keys, _MORE)


def _degrees(
    tokens: Sequence[str], at: int, token: str, keys: Sequence[str], endings: tuple[str, ...]
) -> Iterator[ToldDegree]:
    is_most = endings is _MOST
    more_words = VAGUE_MORE if is_most else COMPARED_MORE
    less_words = VAGUE_LESS if is_most else COMPARED_LESS
    adverbs = ("most", "least") if is_most else ("more", "less")
    for key in keys:
        own = measure_of(key)
        near = _nearness(tokens, at, own.nouns)
        if _is_form(token, own.more, endings):
            yield ToldDegree(at, key, True, 2.0 + near)
        elif _is_form(token, own.less, endings):
            yield ToldDegree(at, key, False, 2.0 + near)
        elif token in more_words or token in less_words:
            is_more = token in more_words
            behind = tokens[at + 1] if at + 1 < len(tokens) else ""
            if token in adverbs and _is_form(behind, own.more, _PLAIN):
                yield ToldDegree(at, key, is_more, 2.6)
            elif token in adverbs and _is_form(behind, own.less, _PLAIN):
                yield ToldDegree(at, key, not is_more, 2.6)
            elif token == "closest" and key == "charge_percent":
                yield ToldDegree(at, key, False, 0.8 + near)
            elif near:
                yield ToldDegree(at, key, is_more, 0.6 + near)
            else:
                common = key.startswith(("mass", "price", "age", "worth"))
                yield ToldDegree(at, key, is_more, 0.1 if common else 0.4)


def _nearness(tokens: Sequence[str], at: int, nouns: frozenset[str]) -> float:
    best = 0.0
    for way in (1, -1):
        for step in range(1, _NEAR):
            place = at + way * step
            if not 0 <= place < len(tokens) or (is_mark(tokens[place]) and tokens[place] != ","):
                break
            if tokens[place] in nouns:
                best = max(best, 1.4 - 0.1 * step)
                break
    return best


def plain_degrees(tokens: Sequence[str], keys: Sequence[str]) -> Iterator[ToldDegree]:
    """Of `not as old as` and `not so heavy as`: less of it."""
    for at, token in enumerate(tokens):
        before = tokens[max(0, at - 2) : at]
        if "as" not in before and "so" not in before:
            continue
        wide = tokens[max(0, at - 7) : at]
        if not any(word in ("not", "no", "none", "never") for word in wide):
            continue
        for key in keys:
            own = measure_of(key)
            if _is_form(token, own.more, _PLAIN) or (token in ("much", "many") and own):
                near = _nearness(tokens, at, own.nouns) if token in ("much", "many") else 1.0
                if near:
                    yield ToldDegree(at, key, False, 3.0)
            elif _is_form(token, own.less, _PLAIN):
                yield ToldDegree(at, key, True, 3.0)
