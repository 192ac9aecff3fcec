"""Words of degree about things that two numbers tell apart: what is compared, and what ranks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from earsim.schema import Selector
from earsim.schema.selector import Filter, Largest, Rank, RankBy, Smallest

_NEAR = 4
_FAR = 6
"""Words that belong together are so far apart, at most."""

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_COMPARATIVE = re.compile(r"(?!diameter)\w+er")
_MORE = re.compile(
    r"more|great|larg|bigg|exceed|outdo|beat|top|surpass|above|over|outreach|outgrow|outmeasure"
    r"|outstrip|outrun|outsize|reach|match|past|beyond|wins?$|up$|higher|overtake|eclips|trump"
)
_LESS = re.compile(
    r"less|small|lower|below|under|beneath|fall|lose|trail|inferior|behind|lack|yield|lag|shy|within"
)
_BEATS = re.compile(
    r"exceed|outdo|beat|top|surpass|outreach|outgrow|outmeasure|outstrip|outrun|outsize|reach"
    r"|match|overtake|eclips|trump|fall|lose|trail|yield|lag"
)
"""Verbs, whose subject may be what is compared with."""

_NOT = re.compile(
    r"no|not|never|neither|nor|without|hardly|fails?|cannot|.+n't|lacks?|misses|aside|skip|exclude"
    r"|out|ignore|forget"
)
_MOST = re.compile(r"most|largest|greatest|biggest|highest|maximum|top|champion|record|runners?")
_LEAST = re.compile(r"least|smallest|lowest|fewest|tiniest|bottom")
_END = re.compile(
    r"\b(?P<end>[a-z]+) end\b|\bleast (?P<least>[a-z]+)\b"
    r"|\bas (?P<as>[a-z]+) as (?:i|you|we|one|poss)"
)
"""`third from the short end`, `the least long`, `as wide as you can get`."""

_PLACE_IN = re.compile(
    r"\b(?:second|third|first|number \w+|runner-?up) (?:in|by) (?P<number>[a-z]+)"
)
_BEATEN_BY = re.compile(
    r"\b(?P<many>none|nothing|no|one|single|two|pair|couple|sole)\b"
    r"(?P<between>(?:(?!\b(?:no|none|one|single|two|pair)\b)[^.;!?:]){0,40}?)"
    r"\b(?!diameter)(?P<how>(?:less|more) [a-z]+|[a-z]+er)\b(?! the\b)"
    r"(?! than\b(?! (?:it|that|this|mine|yours)\b))"
)
"""`of which two are wider`."""

_NOT_BEATEN = re.compile(r"\bother\b|\bthan\b|^ \w+(?: only)?,")
"""`one jar, taller than the carafe but slimmer`."""

_MANY = {
    **dict.fromkeys(("none", "nothing", "no"), 0),
    **dict.fromkeys(("one", "single", "sole"), 1),
    **dict.fromkeys(("two", "pair", "couple"), 2),
}
_IMPLIED = re.compile(r"out(?:stretch|last|reach|run|distanc)|over(?:shoot|top|look)|tower|loom")
"""Verbs that say which number is compared."""

_STOP = re.compile(r"[.;!?:]")
_ONLY_ONE = re.compile(
    r",? ?\b(?:and |but )?(?:no|not a|never(?: a)?|not) (?:second|other|others|further|more"
    r"(?: than one)?|two|pair|company|third|additional)\b(?: (?:one|of (?:its|the) kind|strap|pane"
    r"|panel|jar|shaft|strip))?"
)
"""`one jar and no other`: what is denied here is no comparison."""

_IN_NAMES = re.compile(r"make-up|out (?=of\b)")
_OBJECT = re.compile(
    r"than|as|past|beyond|over|above|below|under|of|to|for|beat|exceed|outdo|outreach|match|surpass"
    r"|has|have|having|had|with|by|overtop|top|outstretch|outlast|outrun|outstrip|reach"
)
"""What stands before the gauge where something is compared with it, and it is no subject."""

_THIRD = re.compile(
    r"\bthird\b|\b3rd\b|\bnumber three\b|\bbronze\b|\bbut two\b|\btwo (?:places|steps)\b"
)
_SECOND = re.compile(
    r"\bsecond\b(?! (?:strip|pane|jar|panel|shaft|strap|one there|there|lying|of its))|\b2nd\b"
    r"|runner-?s?[- ]?up|\bnext(?: |-)to(?: |-)(?:the )?(?:\w+est|last|top)\b|\bbut (?:for )?one\b"
    r"|\bnumber two\b|\bsilver\b|\bbut a single\b|\btake the next\b|\bnot the \w+est\b"
    r"|\bthe (?:one|first) (?:right |just |directly |straight )?(?:after|behind|below|next)\b"
    r"|\b(?:skip|leave out|pass over|discount|past|not counting|apart from|if not for)\b"
    r"|\bout of mind\b|\b(?:drop|forget|set|remove|spare|dismiss) the (?:very )?\w+est\b"
    r"|\b(?:yields?|bows?|loses?|beaten|exceeded|outdone|surpassed|inferior)\b[^.;,]{0,30}"
    r"\b(?:one|single|only)\b"
    r"|\bone (?:place|step|rank) (?:below|behind|down|from|off|short|above)\b"
)
_DROP_TWO = re.compile(
    r"\b(?:skip|drop|forget|set|remove|spare|leave|let|without|save|but|except|dismiss|cross|past)"
    r"[^.;!?]{0,25}\btwo (?:\w+est|go|with)\b"
)
"""`skip the two longest`."""


class Measure(NamedTuple):
    """A number of things alike.

    Attributes:
        key: As a scene has it.
        more: Stems of words for more of it, or for the number itself, and `less` for less.
    """

    key: str
    more: str
    less: str


class Alike(NamedTuple):
    """Things of one name.

    Attributes:
        gauge: Name of what they are compared with.
        signs: What shows that they are spoken of.
    """

    name: str
    gauge: str
    signs: str
    measures: tuple[Measure, Measure]

    def told_by(self, word: str) -> tuple[int, bool] | None:
        """The number that a word tells of, 0 or 1, and whether of more of it."""
        for number, measure in enumerate(self.measures):
            for stems, is_more in ((measure.more, True), (measure.less, False)):
                if re.match(stems, word):
                    return number, is_more
        return None


class ToldDegree(NamedTuple):
    """A number, 0 or 1, and whether more of it is told, or the most."""

    number: int
    is_more: bool


def is_of_degree(alike: Alike, text: str) -> bool:
    """Whether something is said of how much of its numbers there is."""
    return any(True for _ in _ranks(alike, text)) or any(True for _ in _sides(alike, text))


def selector(alike: Alike, text: str, name: str, gauge: str) -> Selector:
    """What a text picks of things of a name, which are compared with a gauge."""
    text, rank, k = _beaten(alike, text)
    sides: dict[int, bool] = {}
    for number, is_more in _sides(alike, text):
        sides.setdefault(number, is_more)
    keys = [measure.key for measure in alike.measures]
    compared: dict[str, object] = {}
    for number, is_more in sides.items():
        side, other = ("more_than", "less_than") if is_more else ("less_than", "more_than")
        told = {"of": keys[number], "object": gauge}
        compared |= {side: told} if side not in compared else {"not": {other: told}}
    among = Filter.model_validate({"name": name, **compared})
    if rank is None:
        number, is_more = next(iter(sides.items()), (0, False))
        rank = next(_ranks(alike, text), ToldDegree(number, not is_more))
        k = 3 if _THIRD.search(text) or _DROP_TWO.search(text) else 2 if _SECOND.search(text) else 1
    key = keys[rank.number]
    if k > 1:
        order: Literal["largest", "smallest"] = "largest" if rank.is_more else "smallest"
        return Rank(rank=RankBy(of=key, k=k, order=order), among=among)
    if rank.is_more:
        return Largest(largest=key, among=among)
    return Smallest(smallest=key, among=among)


def _beaten(alike: Alike, text: str) -> tuple[str, ToldDegree | None, int]:
    """Of `two of them are wider`: the text without it, what ranks, and the place."""
    for match in _BEATEN_BY.finditer(text):
        how = match["how"].split()
        found = alike.told_by(how[-1])
        between = match["between"]
        is_of_gauge = not {*_WORD.findall(between)}.isdisjoint(_gauge_words(alike))
        if found is not None and not is_of_gauge and not _NOT_BEATEN.search(between):
            rest = text[: match.start()] + text[match.end() :]
            is_more = found[1] is (how[0] != "less")
            return rest, ToldDegree(found[0], is_more), _MANY[match["many"]] + 1
    return text, None, 0


def _ranks(alike: Alike, text: str) -> Iterator[ToldDegree]:
    """Superlatives, and what stands for them."""
    words = _WORD.findall(text)
    for place, word in enumerate(words):
        found = alike.told_by(word) if word.endswith("est") else None
        if found is not None:
            yield ToldDegree(*found)
        elif _MOST.fullmatch(word) or _LEAST.fullmatch(word):
            near = words[place + 1 : place + 1 + _NEAR]
            near += words[max(0, place - _NEAR) : place][::-1]
            told = next(_told(alike, near), None)
            if told is not None:
                yield ToldDegree(told, _MOST.fullmatch(word) is not None)
    for match in _END.finditer(text):
        found = alike.told_by(match["end"] or match["least"] or match["as"])
        if found is not None:
            yield ToldDegree(found[0], found[1] is (match["least"] is None))
    for match in _PLACE_IN.finditer(text):
        found = alike.told_by(match["number"])
        if found is not None:
            yield ToldDegree(found[0], is_more=True)


def _sides(alike: Alike, text: str) -> Iterator[ToldDegree]:
    """Comparisons with the gauge."""
    for clause in _STOP.split(_ONLY_ONE.sub(" ", _IN_NAMES.sub(" ", text))):
        words = _WORD.findall(clause)
        turned = False
        for place in range(len(words)):
            turned = _is_subject(alike, words, place, turned)
            for told in _compared(alike, words, place):
                yield told._replace(is_more=told.is_more is not turned)


def _is_subject(alike: Alike, words: list[str], place: int, was: bool) -> bool:
    """Whether what is said from here on is said of the gauge, and no longer of the thing."""
    if words[place] in _gauge_words(alike):
        before = words[max(0, place - 3) : place]
        return not any(_OBJECT.match(each) or alike.told_by(each) for each in before)
    return was and words[place] not in ("it", "one", "which", "itself", "mine", "yours")


def _gauge_words(alike: Alike) -> tuple[str, ...]:
    """What the gauge is called for short; `glass` and `door` alone, but `saddle` and `belt`."""
    first, last = alike.gauge.split()
    return (last, first) if first in ("curtain", "saddle") else (last,)


def _compared(alike: Alike, words: list[str], place: int) -> Iterator[ToldDegree]:
    """What a word among others compares, of whatever is spoken of."""
    word = words[place]
    if word.endswith("est"):
        return
    before = words[max(0, place - _NEAR + 1) : place]
    is_denied = sum(_NOT.fullmatch(each) is not None for each in before) % 2 == 1
    found = alike.told_by(word)
    how = before[-1] if before else ""
    if found is not None and how in ("less", "more"):
        yield ToldDegree(found[0], (found[1] is (how == "more")) is not is_denied)
    elif found is not None and (
        _COMPARATIVE.fullmatch(word) or _IMPLIED.match(word) or "as" in before[-2:] or is_denied
    ):
        yield ToldDegree(found[0], found[1] is not is_denied)
    elif word in ("less", "more") and alike.told_by((words[place + 1 :] or [""])[0]):
        return
    elif _MORE.match(word) or _LESS.match(word):
        behind, ahead = words[max(0, place - _FAR) : place][::-1], words[place + 1 :][:_FAR]
        beats = _BEATS.match(word) is not None
        told = next(_told(alike, [*ahead, *behind] if beats else [*behind, *ahead]), None)
        if told is not None:
            yield ToldDegree(told, (_MORE.match(word) is not None) is not is_denied)


def _told(alike: Alike, words: list[str]) -> Iterator[int]:
    return (found[0] for word in words if (found := alike.told_by(word)) is not None)
