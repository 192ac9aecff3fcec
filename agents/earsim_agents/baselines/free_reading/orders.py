"""Orders: which errand comes first, and which is urgent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from earsim_agents.baselines.free_reading.assignment import FreeErrand
from earsim_agents.baselines.free_reading.mentions import TextMentions
from earsim_agents.baselines.free_reading.times import ToldTime
from earsim_agents.baselines.free_reading.tokens import is_end
from earsim_agents.baselines.free_reading.words import words_of

_FIRST: Final = words_of(
    "first firstly start starts begin begins beginning opens open opening starting initially"
)
_LAST: Final = words_of(
    "last lastly final finally finish finishing close closes closing conclude concluding end "
    "ultimately conclusion wind"
)
_URGENT: Final = words_of(
    "urgent urgently pressing presses press hurry quick quickly rush haste latest clock deadline "
    "within asap"
)


def _spans(
    tokens: Sequence[str], mentions: TextMentions, errands: Sequence[FreeErrand]
) -> list[tuple[int, int]]:
    """The part of a text that is about each errand, with what leads to it."""
    cores = []
    for errand in errands:
        place = mentions.places[errand.place]
        ends = [errand.anchor.start, place.start], [errand.anchor.end, place.end]
        cores.append((min(ends[0]), max(ends[1])))
    found = []
    for start, end in cores:
        before = [e for _, e in cores if e <= start]
        behind = [s for s, _ in cores if s >= end]
        low, high = max(before, default=0), min(behind, default=len(tokens))
        low = _after_mark(tokens, low, start)
        high = _until_mark(tokens, end, high)
        found.append((low, high))
    return found


def _after_mark(tokens: Sequence[str], low: int, start: int) -> int:
    """A part begins behind the first mark, if there is one."""
    if low == 0:
        return 0
    for at in range(low, start):
        if is_end(tokens[at]):
            return at + 1
    for at in range(low, start):
        if tokens[at] == ",":
            return at + 1
    return low


def _until_mark(tokens: Sequence[str], end: int, high: int) -> int:
    if high == len(tokens):
        return high
    for at in range(end, high):
        if is_end(tokens[at]):
            return at
    for at in range(end, high):
        if tokens[at] == ",":
            return at
    return high


def in_told_order(
    tokens: Sequence[str], mentions: TextMentions, errands: Sequence[FreeErrand]
) -> list[int]:
    """Places of errands in the order in which they are to be done."""
    spans = _spans(tokens, mentions, errands)
    told = sorted(range(len(errands)), key=lambda at: spans[at])
    ranks: dict[int, float] = {}
    texts = {at: list(tokens[slice(*spans[at])]) for at in told}
    backwards = 0
    for number, at in enumerate(told):
        words = texts[at]
        is_first = any(word in _FIRST for word in words)
        is_last = any(word in _LAST for word in words)
        said = f" {' '.join(words)} "
        if number and any(cue in said for cue in _BEFORE):
            backwards += 1
        if is_first and not is_last:
            ranks[at] = -10.0
        elif is_last and not is_first:
            ranks[at] = 10.0
    sign = -1.0 if backwards else 1.0
    return sorted(told, key=lambda at: (ranks.get(at, 0.0), sign * told.index(at)))


_BEFORE: Final = (
    " before that", " before this", " before it ", " prior to", " just before", " ahead of that",
    " preceded by", " before either", " earlier than", " before then", " before you do",
)  # fmt: skip


def urgent_of(
    tokens: Sequence[str],
    mentions: TextMentions,
    errands: Sequence[FreeErrand],
    times: Sequence[ToldTime],
) -> int:
    """The place of the errand that a time is told of."""
    time = times[0]
    best, score = 0, -99.0
    begin, stop = mentions.sentence(time.start)
    for at, errand in enumerate(errands):
        place = mentions.places[errand.place]
        start, end = min(errand.anchor.start, place.start), max(errand.anchor.end, place.end)
        if start <= time.start < end:
            fit = 2.0
        else:
            low, high = (end, time.start) if end <= time.start else (time.end, start)
            between = tokens[low:high]
            fit = -0.06 * (high - low) - 1.5 * sum(is_end(t) for t in between)
            fit -= 0.2 * sum(t == "," for t in between)
        fit += 0.7 * any(token in _URGENT for token in tokens[max(begin, start - 6) : end])
        fit += 1.0 * (begin <= errand.anchor.start < stop)
        if fit > score:
            best, score = at, fit
    return best
