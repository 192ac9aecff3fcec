"""Orders of errands: `the clock is there before the jar is`, `only once that bag lies there`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.passages import ErrandPassage
from earsim_agents.baselines.errand_reading.words import TextSpan, weight_of

_CUE = re.compile(
    r"\b(?P<after>(?:not|no sooner|never|not a second|not a moment) before"
    r"|(?:only |but only )?(?:after|once|when)\b|until|unless|later than"
    r"|as soon as|with (?=it|that|this)|then follows?|(?:waits?|wait) for)"
    r"|\b(?P<before>before|ahead of|earlier than)\b"
)
_OF_RANK = re.compile(r"\b(?:one|right|just|directly|immediately|straight|next|\w+est) $")
_MOVES = re.compile(
    r"\b(?:place|there|arriv\w+|reach\w*|com(?:e|es|ing)|came|done|go(?:es|ne)?|got|gets?"
    r"|get|put|set|waits?|its own|position"
    r"|swap\w*|exchang\w+|turn|lies|lie|stands?|is on|are on|has been|is in|taken|follows?"
    r"|moved?)\b"
)
_DENIED = re.compile(r"\b(?:not|never|\w+n't)(?: \w+){1,5} $")
_PRONOUN = re.compile(r"\s*(?:and |but )?(?:it|that|this|they|these|both)\b(?! one)")
_CLAUSE: Final = re.compile(r"[,.;:!?]|\b(?:may|can|should|must|will|shall)\b")
_NAMED: Final = 0.9
_NEAR: Final = 14
_COMPARED: Final = 24
"""How far behind a cue a gauge is that is of it."""


class ToldOrder(NamedTuple):
    """Which of two passages comes first, and the sentence that says so."""

    first: ErrandPassage
    then: ErrandPassage
    span: TextSpan


def told_orders(
    text: str, sentences: Sequence[TextSpan], passages: Sequence[ErrandPassage]
) -> list[ToldOrder]:
    """All orders of two passages, without what things are compared with."""
    found = list[ToldOrder]()
    for sentence in sentences:
        for cue in _cues(text, sentence, passages):
            order = _order(text, sentence, cue, passages)
            pairs = {(each.first.group.name, each.then.group.name) for each in found}
            if order is not None:
                pair = order.first.group.name, order.then.group.name
                if not {pair, pair[::-1]} & pairs:
                    found.append(order)
    return found


def _cues(
    text: str, sentence: TextSpan, passages: Sequence[ErrandPassage]
) -> Iterator[re.Match[str]]:
    """Words for an order that are of no rank and of no comparison."""
    if _MOVES.search(text, *sentence) is None:
        return
    gauges = [passage.at for passage in passages if passage.at is not None]
    for cue in _CUE.finditer(text, *sentence):
        is_compared = any(0 <= at.start - cue.end() < _COMPARED for at in gauges)
        near = text[max(0, cue.start() - _NEAR) : cue.start()]
        if not is_compared and _OF_RANK.search(near) is None:
            yield cue


def _order(
    text: str, sentence: TextSpan, cue: re.Match[str], passages: Sequence[ErrandPassage]
) -> ToldOrder | None:
    stop = _CLAUSE.search(text, cue.end() + 2)
    clause = TextSpan(cue.end(), min(stop.start() if stop else len(text), sentence.end))
    told = _meant(clause, passages)
    earlier = [p for p in passages if p.span.start < cue.start()]
    own = [p for p in passages if p.span.start <= cue.start() < p.span.end]
    if told is None and _PRONOUN.match(text, cue.end()):
        before = [p for p in earlier if p not in own] or earlier
        told = before[-1] if before else None
    if told is None:
        return None
    others = [p for p in passages if p is not told]
    comma = max(text.rfind(", ", sentence.start, cue.start()), sentence.start)
    other = _meant(TextSpan(comma, cue.start()), others)
    other = other or _meant(TextSpan(sentence.start, cue.start()), others)
    other = other or _meant(TextSpan(clause.end, sentence.end), others)
    other = other or next((p for p in own if p is not told), None)
    if other is None and _PRONOUN.match(text, sentence.start):
        before = [p for p in earlier if p is not told]
        other = before[-1] if before else None
    if other is None:
        return None
    is_denied = _DENIED.search(text, comma, cue.start()) is not None
    is_after = cue["after"] is not None or is_denied
    first, then = (told, other) if is_after else (other, told)
    return ToldOrder(first, then, sentence)


def _meant(part: TextSpan, passages: Sequence[ErrandPassage]) -> ErrandPassage | None:
    """The passage whose things a part of the text speaks of most."""
    weighed = [
        (weight_of(hit for hit in passage.group.hits if part.has(hit)), -number)
        for number, passage in enumerate(passages)
    ]
    most, number = max(weighed, default=(0.0, 0))
    return passages[-number] if most >= _NAMED else None
