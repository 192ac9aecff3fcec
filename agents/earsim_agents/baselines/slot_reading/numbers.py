"""Numbers: words for them as digits, times in seconds, and ranges by the unit that stands near."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

_ONES: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS: Final[Mapping[str, float]] = {
    "zero": 0.0,
    **{word: float(number) for number, word in enumerate(_ONES, 1)},
    **{word: 10.0 * number for number, word in enumerate(_TENS, 2)},
}
_TEEN: Final = re.compile(rf"\b({'|'.join(_TENS)})[- ]({'|'.join(_ONES[:9])})\b")
_WORD: Final = re.compile(rf"\b({'|'.join(_WORDS)})\b")
_UNIT: Final = r"(?:hours?|minutes?|mins?|seconds?|litres?|liters?|kilos?|kg|percent|degrees?)\b"
_RATE: Final = re.compile(
    r"(?:\d+(?:\.\d+)?|half a) ?(?:kg|kilos?|kilograms?|litres?|l)\b(?:,? (?!and\b|or\b)\w+){0,3}? "
    r"(?:in )?(?:an|a|per|each|every|one|1|the|by the) (?:hour|minute)\b"
    r"|\b(?:each|every|per) (?:hour|minute)\b[^.!?\d]{0,40}\d+(?:\.\d+)? ?(?:kg|kilos?|litres?|l)\b"
    r"|\d+(?:\.\d+)? (?:hourly|litres a minute|kg hourly)\b"
)
"""So much of it per hour or minute: no time, and no number that is asked for."""

_LARGER: Final[Mapping[str, tuple[float, str]]] = {
    **dict.fromkeys(("g", "gram", "grams", "grammes"), (1e-3, "kg")),
    **dict.fromkeys(("ml", "millilitre", "millilitres", "milliliters"), (1e-3, "litres")),
    **dict.fromkeys(("cl", "centilitre", "centilitres"), (1e-2, "litres")),
    **dict.fromkeys(("dl", "decilitre", "decilitres"), (1e-1, "litres")),
}
_SMALLER: Final = re.compile(rf"(\d+(?:\.\d+)?) ?({'|'.join(_LARGER)})\b")
"""Amounts in smaller units, and what they are in those that are told otherwise."""

_PLAINER: Final = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"\bpoint (\d)", r".\1"),
        (r"(\d) \.(\d)", r"\1.\2"),
        (r"\bone(?= hundred\b| and (?:a half|a quarter|3 quarters)\b)", "1"),
        (rf"\bone (?={_UNIT})", "1 "),
        (r"\b(?:minus|negative) one\b", "-1"),
        (r"\b(?:minus|negative) (\d)", r"-\1"),
        (r"\b(?:a|one) degree below (?:zero|0|freezing)\b", "-1 degrees"),
        (r"\b(\d+)( degrees?)? below (?:zero|0|freezing)\b", r"-\1\2"),
        (r"\b(?:an|one|1) hour and a quarter\b|\bhour and a quarter\b", "75 minutes"),
        (r"\b(?:an|one|1) hour and a half\b|\b(?:1|one) and a half hours?\b", "90 minutes"),
        (r"\b(?:an |one |1 )?hour and (?:three|3)[- ]quarters?\b", "105 minutes"),
        (r"\b(?:three|3)[- ]quarters? of an hour\b|\bthree-quarter hour\b", "45 minutes"),
        (r"\bhalf an hour\b|\bhalf[- ]hour\b|\bhalf the hour\b", "30 minutes"),
        (r"\b(?:a )?quarter[- ](?:of an )?hour\b|\bquarter of the hour\b", "15 minutes"),
        (r"\b(\d+) (minute|hour|litre)s? and a half\b", r"\1.5 \2s"),
        (r"\b(\d+) and a half (minute|hour|litre|kilo|percent|degree)s?\b", r"\1.5 \2s"),
        (r"\b(\d+) and a quarter (minute|hour|litre)s?\b", r"\1.25 \2s"),
        (r"\b(\d+) and (?:three|3) quarters? (minute|hour|litre)s?\b", r"\1.75 \2s"),
        (r"\b(?:a|one|1) minute and a half\b", "1.5 minutes"),
        (r"\bhalf a minute\b|\bhalf[- ]minute\b", "30 seconds"),
        (r"\bhalf a (kilo|kg|litre|liter)", r"0.5 \1"),
        (r"\ba quarter (?:of a )?(kilo|kg|litre|liter)", r"0.25 \1"),
        (r"\b(?:a|one) (litre|liter)\b", r"1 \1"),
        (r"\b(?:a|one|1) quarter of (?:its|the|a|full) (?:\w+ )?charge\b", "25 percent"),
        (r"\b(?:three|3) quarters of (?:its|the|a|full) (?:\w+ )?charge\b", "75 percent"),
        (r"\bhalf (?:of )?(?:its|the|a) (?:\w+ )?charge\b", "50 percent"),
        (r"\bper ?cent\b|(?<=\d) ?%", " percent"),
        (
            r"\b(\d+) minutes? (\d+)(?![\d.])(?! ?(?:kg|litre|percent|degree|l\b))",
            r"\1 minutes \2s",
        ),
        (r"\bminute (\d+(?:\.\d+)?)\b", r"\1 minutes"),
        (r"\bsecond (\d+(?:\.\d+)?)\b", r"\1 seconds"),
        (r"\b(?:an|one) (?:\w+ )?(hour|minute)\b|\bthe (hour|minute)\b", r"1 \1\2"),
        (r"\b(?:within|inside|under) (hour|minute)\b", r"within 1 \1"),
    )
)
_SECONDS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0}
_TIME: Final = re.compile(
    r"(\d+(?:\.\d+)?)[- ]?(?:(?!percent|degree|litre|kilo|kg|and\b|or\b|to\b)[a-z-]+ )?"
    r"(?:(hour|minute|min|second|sec)s?|(s|h)\b)"
)
_BETWEEN: Final = re.compile(r"(?:,? and |, | plus |)\s*")
_BARE: Final = re.compile(
    r"\b(?:in|inside|within|before|after|by) (?:\w+ )?(\d+(?:\.\d+)?)"
    r"(?=[.,;:?!]|$| (?:and|at|or|are)\b)"
)
"""A number without a unit behind a word for a time: minutes, where minutes were told before."""

_REACH: Final = 5
"""How many numbers on the other end of a range may be told."""

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")


class NumberSpot(NamedTuple):
    """A number in a text."""

    value: float
    at: int


def in_digits(text: str) -> str:
    """A text with numbers as digits, times with their unit behind them, and no rates."""
    text = _TEEN.sub(lambda m: f"{_WORDS[m[1]] + _WORDS[m[2]]:g}", text)
    text = _WORD.sub(lambda m: m[0] if m[0] == "one" else f"{_WORDS[m[0]]:g}", text)
    text = re.sub(r"\b(?:a|one|1) hundred(?: and)? (\d\d?)\b", _hundred, text)
    text = re.sub(r"\b(\d) hundred(?: and)? (\d\d?)\b", _hundreds, text)
    text = re.sub(r"\b(?:(\d)|a|one) hundred\b", lambda m: f"{m[1] or 1}00", text)
    text = _SMALLER.sub(lambda m: f"{float(m[1]) * _LARGER[m[2]][0]:g} {_LARGER[m[2]][1]}", text)
    text = _RATE.sub(" ", text)
    for pattern, plain in _PLAINER:
        text = pattern.sub(plain, text)
    return text


def _hundred(match: re.Match[str]) -> str:
    return f"{100 + int(match[1])}"


def _hundreds(match: re.Match[str]) -> str:
    return f"{100 * int(match[1]) + int(match[2])}"


def times(text: str) -> list[float]:
    """Times in seconds, of a text in digits: `2 minutes and 30 seconds` are one."""
    found: list[float] = []
    end, unit = 0, 0.0
    for match in _TIME.finditer(text):
        own = _SECONDS[(match[2] or match[3])[0]]
        is_rest = bool(found) and own < unit and _BETWEEN.fullmatch(text[end : match.start()])
        if is_rest:
            found[-1] += float(match[1]) * own
        else:
            found.append(float(match[1]) * own)
        end, unit = match.end(), own
    return found


def bare_times(text: str) -> list[float]:
    """Times that are told by a number alone, as minutes: `and be through in 55`."""
    return [60.0 * float(match[1]) for match in _BARE.finditer(_TIME.sub(" ", text))]


def numbers(text: str) -> list[NumberSpot]:
    """Numbers that are no times, of a text in digits."""
    bare = _TIME.sub(lambda m: " " * len(m[0]), text)
    return [NumberSpot(float(m[0]), m.start()) for m in _NUMBER.finditer(bare)]


def range_of(
    text: str, unit: str, widest: float, is_one: Callable[[float], bool] = lambda _: True
) -> tuple[float, float]:
    """The two numbers that are told together, and near a unit.

    Args:
        text: in digits.
        unit: a regular expression.
        widest: how far apart they may be.
        is_one: whether a number may be one of them.

    Raises:
        ValueError: There are no two such.
    """
    marks = [match.start() for match in re.finditer(unit, text)] or [len(text) // 2]
    told = [each for each in numbers(text) if is_one(each.value)]
    near = {each.at: min(abs(each.at - mark) for mark in marks) for each in told}
    best: tuple[float, float, float] | None = None
    pairs = ((one, other) for at, one in enumerate(told) for other in told[at + 1 : at + _REACH])
    for one, other in pairs:
        low, high = sorted((one.value, other.value))
        if not 0 < high - low <= widest:
            continue
        cost = (other.at - one.at) + 0.5 * min(near[one.at], near[other.at])
        if best is None or cost < best[0]:
            best = cost, low, high
    if best is None:
        raise ValueError(text)
    return best[1], best[2]


def nearest(text: str, unit: str, is_one: Callable[[float], bool] = lambda _: True) -> float:
    """The number that is told next before a unit, or else next to it.

    Raises:
        ValueError: There is none.
    """
    marks = [match.start() for match in re.finditer(unit, text)] or [len(text)]
    told = [each for each in numbers(text) if is_one(each.value)]
    if not told:
        raise ValueError(text)
    return min(
        told,
        key=lambda each: min(m - each.at if m > each.at else 60 + each.at - m for m in marks),
    ).value
