"""Pieces of a text, each about another group of things."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.company import stays
from earsim_agents.baselines.errand_reading.readings import ErrandReading
from earsim_agents.baselines.errand_reading.words import TextSpan, weight_of

_CUT = re.compile(
    r"(?<=[.!?;])\s+(?:-+\s+)?|,? (?=and (?:also )?)|, (?=(?:but|while|then|as for)\b)|\s+-+\s+"
)
_SENTENCE = re.compile(r"[.!?;]$")
_LONGEST: Final = 9
_ERRAND: Final = 3.0
"""What a reading weighs at least that is one."""

_INNER: Final = 0.8
"""What a cut within a sentence costs."""

_SPOKEN: Final = 0.9
_SENTENCES: Final = 0.35
"""What each further sentence of a piece costs."""


class Atom(NamedTuple):
    """A part of a text that is not cut.

    Attributes:
        ends: A sentence ends with it.
    """

    span: TextSpan
    ends: bool


class ErrandPiece(NamedTuple):
    """A part of a text about one group."""

    span: TextSpan
    reading: ErrandReading


_ABOUT_ONE = re.compile(
    r"(?:and |but |so |then |please )?(?:it|that(?! leaves)|the one|don't|do not|no other|both|this"
    r"|there|leave|"
    r"its|nothing|mine|these)\b"
)
_LOCKED = re.compile(r"\b(?:locked|shut|nobody|no one|yours|regards|thanks)\b")


_OTHERS = re.compile(r"\b(?:the other (?:two|three|four|one)|the others|both of (?:these|them))\b")
_WHOLE = re.compile(r"[^.!?;]+[.!?;]?\s*")


def trimmed(text: str, pieces: Sequence[ErrandPiece]) -> list[ErrandPiece]:
    """The pieces without sentences before their comparisons that announce several of them."""
    found = list[ErrandPiece]()
    for piece in pieces:
        start = piece.span.start
        until = min((span.start for span in piece.reading.masked), default=start)
        groups = [each.reading.group for each in pieces]
        for match in _WHOLE.finditer(text, start, piece.span.end):
            said = TextSpan(match.start(), match.end())
            weights = [weight_of(h for h in group.hits if said.has(h)) for group in groups]
            if match.end() <= until and sum(weight >= _SPOKEN for weight in weights) > 1:
                start = match.end()
        found.append(piece._replace(span=TextSpan(start, piece.span.end)))
    return found


def completed(text: str, atoms: Sequence[Atom], pieces: Sequence[ErrandPiece]) -> list[ErrandPiece]:
    """The pieces with what is said behind them about the same things, or the same table."""
    found = list[ErrandPiece]()
    starts = [piece.span.start for piece in pieces] + [len(text) + 1]
    for piece, until in zip(pieces, starts[1:], strict=True):
        end, is_over = piece.span.end, False
        for atom, before in zip(atoms[1:], atoms, strict=False):
            said = text[atom.span.start : atom.span.end]
            if atom.span.start < piece.span.end or atom.span.end > until or is_over:
                continue
            own = any(atom.span.has(hit) for hit in piece.reading.group.hits)
            goes_on = own or _ABOUT_ONE.match(said) is not None
            is_over = _LOCKED.search(said) is not None or _OTHERS.search(said) is not None
            is_over = is_over or (before.ends and (not goes_on or stays(said) is None))
            end = end if is_over else atom.span.end
        found.append(piece._replace(span=TextSpan(piece.span.start, end)))
    return found


def atoms_of(text: str) -> list[Atom]:
    """The clauses of a text."""
    found, start = list[Atom](), 0
    for cut in [*_CUT.finditer(text)]:
        if cut.start() > start:
            ends = _SENTENCE.search(text[start : cut.start()]) is not None
            found.append(Atom(TextSpan(start, cut.start()), ends))
            start = cut.end()
    if start < len(text):
        found.append(Atom(TextSpan(start, len(text)), ends=True))
    return found


def pieces_of(
    atoms: Sequence[Atom], read: Callable[[TextSpan], Sequence[ErrandReading]]
) -> list[ErrandPiece]:
    """The pieces that fit best, each about another group.

    Args:
        atoms: The clauses.
        read: The readings of a part of the text.
    """

    @cache
    def readings(first: int, last: int) -> list[ErrandReading]:
        span = TextSpan(atoms[first].span.start, atoms[last].span.end)
        inner = (first > 0 and not atoms[first - 1].ends) + (not atoms[last].ends)
        more = sum(atom.ends for atom in atoms[first:last])
        cost = _ERRAND + _INNER * inner + _SENTENCES * more + 0.04 * (last - first)
        return [each._replace(score=each.score - cost) for each in read(span)]

    # Of what is behind each clause, the best for each set of groups that is taken.
    best: list[dict[frozenset[str], tuple[float, tuple[ErrandPiece, ...]]]] = [
        {frozenset(): (0.0, ())}
    ]
    for last in range(len(atoms)):
        found = dict(best[last])
        for first in range(max(0, last - _LONGEST + 1), last + 1):
            for reading in readings(first, last):
                if reading.score <= 0:
                    continue
                span = TextSpan(atoms[first].span.start, atoms[last].span.end)
                for taken, (score, pieces) in best[first].items():
                    if reading.group.name in taken:
                        continue
                    now = taken | {reading.group.name}
                    total = score + reading.score
                    if now not in found or total > found[now][0]:
                        found[now] = total, (*pieces, ErrandPiece(span, reading))
        best.append(found)
    return list(max(best[-1].values(), key=lambda each: each[0])[1])
