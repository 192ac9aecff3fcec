"""Mixtures: so much of a liquid with so much water, poured with a jug that has a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from earsim_agents.baselines.slot_reading.numbers import NumberSpot, numbers

_LIQUID: Final = re.compile(r"\b(juice|milk|soup|brine|oil|syrup|vinegar|ethanol)\b")
_TWICE: Final = (1, 2)
"""How often a jug is poured out."""

_FEW: Final = 4
_AT_MOST: Final = 8
"""How many numbers are looked at in all choices of so few."""


class Shares(NamedTuple):
    """Litres of a liquid, and of water."""

    liquid: str
    added: float
    water: float


def shares_of(text: str) -> Shares:
    """How much of what is to be mixed.

    The jug has a line and is full: of the numbers that are told, one is poured by its line, the
    other by its brim, once or twice. Where that leaves a choice, what stands by a liquid is that.

    Args:
        text: in digits.

    Raises:
        ValueError: No liquid or not enough numbers are told.
    """
    liquid = _LIQUID.search(text)
    told = [each for each in numbers(text) if 0 < each.value < 20]
    told = _without_percent(text, told)[:_AT_MOST]
    if liquid is None or len({each.value for each in told}) < 2:
        raise ValueError(text)
    options = list(_options([each.value for each in told]))
    values = sorted(each.value for each in told)
    added, water = (
        min(options, key=lambda option: _apart(text, told, liquid[1], option))
        if options
        else (values[0], values[-1])
    )
    return Shares(liquid[1], added, water)


def _without_percent(text: str, told: Sequence[NumberSpot]) -> list[NumberSpot]:
    return [each for each in told if not re.match(r"[\d.]+ ?percent", text[each.at :])]


def _options(values: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Amounts of the liquid and of water that fit a jug of two of the other numbers."""
    seen = set()
    for line, full, added, water in permutations(values, _FEW):
        fits = line < full and added < water
        fits = fits and any(_is(added, n * line) for n in _TWICE)
        fits = fits and any(_is(water, n * full) for n in _TWICE)
        if fits and (added, water) not in seen:
            seen.add((added, water))
            yield added, water


def _is(one: float, other: float) -> bool:
    return round(one - other, 6) == 0


def _apart(
    text: str, told: Sequence[NumberSpot], liquid: str, option: tuple[float, float]
) -> float:
    """How far the numbers stand from what they would be of."""
    words = (rf"\b{liquid}\b|\bcanister\b", r"\bwater\b|\btap\b")
    total = 0.0
    for value, word in zip(option, words, strict=True):
        marks = [match.start() for match in re.finditer(word, text)] or [0]
        own = [each.at for each in told if _is(each.value, value)]
        total += min(abs(at - mark) for at in own for mark in marks)
    return total
