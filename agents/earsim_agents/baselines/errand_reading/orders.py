"""Orders of errands: `the clock is there before the jar is`, `only once that bag lies there`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.pieces import Atom, ErrandPiece
from earsim_agents.baselines.errand_reading.words import TextSpan, weight_of

_CUE = re.compile(
    r"\b(?P<after>(?:not|no sooner|never) before|(?:only |but only )?(?:after|once|when)\b|until"
    r"|as soon as|with (?=it|that|this)|then follows?)|\b(?P<before>before|ahead of|earlier than)\b"
)
_OF_RANK = re.compile(r"\b(?:one|right|just|directly|immediately|straight|next|\w+est) $")
_MOVES = re.compile(
    r"\b(?:place|there|arriv\w+|reach\w*|com(?:e|es|ing)|came|done|go(?:es|ne)?|got|gets?"
    r"|get|put|set"
    r"|swap\w*|exchang\w+|turn|lies|lie|stands?|is on|are on|has been|is in|taken|follows?"
    r"|moved?)\b"
)
_PRONOUN = re.compile(r"\s*(?:it|that|this|they|these|both)\b(?! one)")
_CLAUSE: Final = re.compile(r"[,.;:!?]|\b(?:may|can|should|must|will|shall)\b")
_NAMED: Final = 0.9


class ToldOrder(NamedTuple):
    """Which of two pieces comes first, and the sentence that says so."""

    first: ErrandPiece
    then: ErrandPiece
    span: TextSpan


def told_orders(text: str, atoms: Sequence[Atom], pieces: Sequence[ErrandPiece]) -> list[ToldOrder]:
    """All orders of two pieces, without what things are compared with."""
    masked = [span for piece in pieces for span in piece.reading.masked]
    found = list[ToldOrder]()
    for sentence in _sentences(atoms):
        for cue in _CUE.finditer(text, sentence.start, sentence.end):
            near = text[max(0, cue.start() - 14) : cue.start()]
            if _OF_RANK.search(near) or any(m.start <= cue.start() < m.end for m in masked):
                continue
            order = _order(text, sentence, cue, pieces)
            pairs = {(each.first, each.then) for each in found}
            if order is not None and not {order[:2], order[1::-1]} & pairs:
                found.append(order)
    return found


def _sentences(atoms: Sequence[Atom]) -> Iterator[TextSpan]:
    start: int | None = None
    for atom in atoms:
        start = atom.span.start if start is None else start
        if atom.ends:
            yield TextSpan(start, atom.span.end)
            start = None


def _order(
    text: str, sentence: TextSpan, cue: re.Match[str], pieces: Sequence[ErrandPiece]
) -> ToldOrder | None:
    end = _CLAUSE.search(text, cue.end() + 2)
    clause = TextSpan(cue.end(), min(end.start() if end else len(text), sentence.end))
    if _MOVES.search(text, sentence.start, sentence.end) is None:
        return None
    told = _meant(clause, pieces)
    earlier = [piece for piece in pieces if piece.span.start < cue.start()]
    own = [piece for piece in pieces if piece.span.start <= cue.start() < piece.span.end]
    if told is None and _PRONOUN.match(text, cue.end()):
        before = [piece for piece in earlier if piece not in own]
        told = before[-1] if before else None
    if told is None:
        return None
    others = [piece for piece in pieces if piece != told]
    other = _meant(TextSpan(sentence.start, cue.start()), others)
    other = other or _meant(TextSpan(clause.end, sentence.end), others)
    other = other or next((piece for piece in own if piece != told), None)
    if other is None and _PRONOUN.match(text, sentence.start):
        before = [piece for piece in earlier if piece != told]
        other = before[-1] if before else None
    if other is None:
        return None
    first, then = (told, other) if cue["after"] else (other, told)
    return ToldOrder(first, then, sentence)


def _meant(part: TextSpan, pieces: Sequence[ErrandPiece]) -> ErrandPiece | None:
    """The piece whose things a part of the text speaks of most."""
    weighed = [
        (weight_of(hit for hit in piece.reading.group.hits if part.has(hit)), -number)
        for number, piece in enumerate(pieces)
    ]
    most, number = max(weighed, default=(0.0, 0))
    return pieces[-number] if most >= _NAMED else None
