"""The order in which errands are to be done, by the clauses that tell it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from earsim_agents.baselines.alike import Alike
from earsim_agents.baselines.expressions import one_of

_STOP = re.compile(r"[.;!?:]")
_STOP_OR_COMMA = re.compile(r"[.;!?:,]")
_WITH_PLACED = (
    r"(?<!together )with(?= (?:the|this|that|it)\b(?:(?! (?:that|which) )[^.;!?:,]){0,30}"
    r" (?:(?:there|on (?:the|its) [\w ]{3,20}) {5}"
    r"|in (?:its )?(?:place|position)\s*(?:[.;!?:,]|may|does|do|can|is)))"
    r"|with(?= (?:that|this) (?:done|in place|settled))"
)
_CLAUSE = re.compile(
    r"\b(?P<how>before|earlier than|later than|sooner than|ahead of|prior to|until|till|once|when"
    rf"|as soon as|after|by the time|{_WITH_PLACED})\b"
    r" (?P<what>(?:(?! (?:and|but|nor) (?:the|then|that|it|your)\b)[^.;!?:,])+)"
)
"""What may tell an order, and of what."""

_BARELY = frozenset(("earlier than", "later than", "sooner than", "ahead of", "prior to"))
"""What tells it of a mere noun."""

_NAME = 25
"""Characters: `that new steel shaft` is so long at most."""

_FAR = 250
"""Characters: so far behind a clause at the beginning may stand what it orders."""

_SUBJECT = re.compile(r"\b(?:it|this|that|one|exchange)\b")
_PLACED = re.compile(
    r"\b"
    + one_of(
        "in (?:its |the )?(?:right )?(?:place|own|position|spot)", "to its own", "at its place",
        "found its place", "(?:is|'s|are|was) (?:done|settled|where it belongs)", "has happened",
        "been (?:done|delivered|settled)", r"on (?:its|that) \w+",
        r"there\b(?! (?:is|are))", r"(?:lies|lying|stands|lay|stood|been (?:put|laid|placed))\b",
        r"(?:reach|arriv)\w*", "put down", "(?:has|had|gets?|got|received?s?) its (?:new )?",
        "(?:gets?|got|comes?|came|brought|taken|carried|goes|went) (?:to|there|onto)",
        "(?:is|'s|are|was|were|be) (?:already )?(?:on|in(?! place| position| its)|at(?! its)|down"
        "|laid|brought|put|placed|settled|done)",
    )
    + r"(?: (?:the|its|that)(?: [\w']+){1,2}\b)?|\b(?:is|was|does|did|has|are)\s*$"
    r"|^(?:the|this|that|its|your|my|our)(?: \w+){1,2}$"
)  # fmt: skip
"""That a thing is where it belongs."""

_WHERE = re.compile(
    r"(?: (?:on|in|at|to|onto) (?:the|its|that) [\w']+(?: (?!(?:on|in|at|to|onto)\b)[\w']+)?)*"
)
_OF_MANY = re.compile(r"\w+est\b|\bthose\b|\bthat aren't\b|\b(?:than|rest|others)\b")
_PRONOUN = re.compile(r"(?:only )?(?:it|this|that|the one|that one|this one)\b")
_NOT_BEFORE = re.compile(
    r",? ?(?:and |but |though )?\b(?:not|never|no|nor)(?: a moment| any)? (?:before|sooner|earlier)"
    r"(?: than)?(?: that| then| it)?(?=[.,;:!?]|$)"
)
"""Of `when it is there, and not before,`: it says nothing new."""

_DENIED = re.compile(r"\b(?:not|never|no|nor|cannot|mustn't|only)\b|n't\b")
_FIRST_NEXT_LAST = re.compile(r"\bfirst\b[^.;!?]*\b(?:next|then|second|last|third)\b")
_COMES_LAST = re.compile(r"\b(?:is|was|comes?|came) (?:the )?(?:very )?last\b")


class ToldOrder(NamedTuple):
    """One errand that comes before another, and where in the text a clause says so.

    Attributes:
        about: Which of the two the clause is about.
    """

    first: Alike
    then: Alike
    about: Alike
    start: int
    end: int


class _Mention(NamedTuple):
    start: int
    end: int
    of: Alike


def blanked(text: str, orders: Sequence[ToldOrder]) -> str:
    """A text without the clauses that tell the order, in the same length."""
    spans = [(order.start, order.end) for order in orders]
    spans += [match.span() for match in _NOT_BEFORE.finditer(text)] if orders else []
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def told_order(text: str, kinds: Sequence[Alike]) -> list[ToldOrder]:
    """The order that an instruction tells of errands about kinds of things."""
    text = _NOT_BEFORE.sub(lambda match: " " * len(match[0]), text)
    mentions = sorted(_mentions(text, kinds))
    clauses = (_clause(text, match, mentions) for match in _CLAUSE.finditer(text))
    found = [order for order in clauses if order is not None]
    return [*found, *_listed(text, mentions, found)]


def _mentions(text: str, kinds: Sequence[Alike]) -> Iterator[_Mention]:
    """Where one thing of a kind is spoken of."""
    for alike in kinds:
        for match in re.finditer(rf"\b(?:{'|'.join(alike.nouns)})\b", text):
            yield _Mention(*match.span(), alike)


def _clause(text: str, match: re.Match[str], mentions: Sequence[_Mention]) -> ToldOrder | None:
    """The order that a clause tells; None where it tells none."""
    how, start, at = match["how"], match.start(), match.start("what")
    placed = _PLACED.search(match["what"])
    if placed is None and how not in _BARELY:
        return None
    end = _end_of_where(text, match.end() if placed is None else at + placed.end())
    other = _spoken_of(match, mentions)
    if other is None or _OF_MANY.search(text[at:end]):
        return None
    main = _main(text, start, max(end, other.end if other.start > start else 0), other, mentions)
    if main is None:
        return None
    own = _STOP_OR_COMMA.split(text[:start])[-1]
    if how == "later than":
        is_first = False
    elif how == "before" or how in _BARELY:
        is_first = _DENIED.search(own) is None
    else:
        is_first = how == "when" and " already" in own
    first, then = (main, other) if is_first else (other, main)
    return ToldOrder(first.of, then.of, other.of, start, end)


def _end_of_where(text: str, end: int) -> int:
    """Where a clause ends that goes on with `on the table in the hall`."""
    where = _WHERE.match(text, end)
    return end if where is None else where.end()


def _spoken_of(match: re.Match[str], mentions: Sequence[_Mention]) -> _Mention | None:
    """What a clause is about, by its name or a pronoun."""
    start, end = match.span("what")
    pronoun = _PRONOUN.match(match["what"])
    named = [each for each in mentions if start <= each.start < end]
    if named and (pronoun is None or named[0].start - start < _NAME):
        return named[0]
    earlier = [each for each in mentions if each.start < match.start()]
    return earlier[-1] if pronoun is not None and earlier else None


def _main(
    text: str, start: int, end: int, other: _Mention, mentions: Sequence[_Mention]
) -> _Mention | None:
    """What is spoken of in the main clause of a clause that is about another."""
    begin = _begin(text, start)
    others = [each for each in mentions if each.of != other.of]
    before = [each for each in others if begin <= each.start < start]
    if before:
        return before[-1]
    earlier = [each for each in others if each.start < begin]
    if _SUBJECT.search(text[begin:start]) and earlier:
        return earlier[-1]
    after = [each for each in others if end <= each.start < end + _FAR]
    return after[0] if after else earlier[-1] if earlier else None


def _begin(text: str, at: int) -> int:
    """Where the sentence of a place in the text begins."""
    return max((stop.end() for stop in _STOP.finditer(text, 0, at)), default=0)


def _listed(
    text: str, mentions: Sequence[_Mention], found: Sequence[ToldOrder]
) -> Iterator[ToldOrder]:
    """Of `the panel first, the pane next, and the jar last`."""
    for match in _FIRST_NEXT_LAST.finditer(text):
        begin = _begin(text, match.start())
        own = [each for each in mentions if begin <= each.start < match.end()]
        if len(own) in (2, 3) and len({each.of for each in own}) == len(own):
            for one, other in pairwise(own):
                yield ToldOrder(one.of, other.of, other.of, begin, match.end())
    for match in _COMES_LAST.finditer(text):
        begin = _begin(text, match.start())
        told = [order for order in found if begin <= order.start < match.start()]
        own = [each for each in mentions if each.end <= match.start()]
        if told and own and own[-1].of not in (told[-1].first, told[-1].then):
            yield ToldOrder(told[-1].then, own[-1].of, own[-1].of, *match.span())
