"""On which side of the gauge things are, by comparisons with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from earsim_agents.baselines.alike import KIND, Alike, ToldDegree
from earsim_agents.baselines.exclusions import apart

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

_BIGGER = re.compile(r"(?:great|larg|bigg|small|less)er")
_SURE = re.compile(
    rf"{_BIGGER.pattern}$|exceed|outdo|beat|surpass|outreach|outgrow|outmeasure|outstrip"
    r"|outrun|outsize|overtake|eclips|trump"
)
"""What is said of nothing but a comparison."""

_NOT = re.compile(r"no|not|never|neither|nor|without|hardly|fails?|cannot|.+n't|lacks?|misses")
_IMPLIED = re.compile(
    r"out(?:stretch|last|reach|run|distanc)|over(?:shoot|top|look)|tower|loom|rise|rising"
)
"""Verbs that say which number is compared."""

_STOP = re.compile(r"[.;!?:]")
_ONLY_ONE = re.compile(
    r",? ?\b(?:and |but )?(?:no|not a|never(?: a)?|not) (?:second|other|others|further|more"
    r"(?: than one)?|two|pair|company|third|additional)\b"
    rf"(?: (?:one|of (?:its|the) kind|{KIND}))?"
)
"""`one jar and no other`: what is denied here is no comparison."""

_NO_COMPARISON = re.compile(
    r"make-up|\bmore than (?:one|that|this|today|before)\b|(?:is )?no longer(?= "
    r"(?:ha[sd]|have|hold\w*|carr\w*|bear\w*|lies?|lying|stands?|in|on|there|the|alone|its?)\b)"
)
_OBJECT = re.compile(
    r"than|as|past|beyond|over|above|below|under|of|to|for|beat|exceed|outdo|outreach|match|surpass"
    r"|has|have|having|had|with|by|overtop|top|outstretch|outlast|outrun|outstrip|reach"
)
"""What stands before the gauge where something is compared with it, and it is no subject."""

_OR_MORE = re.compile(
    r"\bas \w+ (?:as (?:the |it\b)?(?:\w+ )?(?:\w+ )?)?or (?=(?:even |still )?[a-z]+er\b)"
)
"""`as wide as it or wider`."""


_SHORT_OF = re.compile(
    r"\b(?:fall\w* short of|(?:don't|doesn't|do not|does not) (?:come up to|reach|match)) "
    r"(?:it|its|the (?:\w+ )?\w+)(?: in)? (?P<measure>diameter|width|height|length|thickness)\b"
)
"""`they fall short of its length`."""


def sides(alike: Alike, text: str) -> Iterator[ToldDegree]:
    """Comparisons with the gauge: those that are told outright, or else any."""
    text = _OR_MORE.sub("", _ONLY_ONE.sub(" ", _NO_COMPARISON.sub(" ", text)))
    text = _SHORT_OF.sub(r"smaller in \g<measure>", text)
    sure = [*_told(alike, text, is_sure=True)]
    yield from sure or _told(alike, text, is_sure=False)


def _told(alike: Alike, text: str, *, is_sure: bool) -> Iterator[ToldDegree]:
    for part, is_excluded in apart(text):
        for told in _in_clauses(alike, part, is_sure=is_sure):
            yield told._replace(is_more=told.is_more is not is_excluded)


def _in_clauses(alike: Alike, text: str, *, is_sure: bool) -> Iterator[ToldDegree]:
    for clause in _STOP.split(text):
        words = _WORD.findall(clause)
        turned = False
        for place in range(len(words)):
            turned = _is_subject(alike, words, place, turned)
            for told in _compared(alike, words, place, is_sure=is_sure):
                yield told._replace(is_more=told.is_more is not turned)


def told_numbers(alike: Alike, words: list[str]) -> Iterator[int]:
    """The numbers that words tell of."""
    told = (alike.told_by(word) for word in words if not word.endswith("est"))
    return (found[0] for found in told if found is not None)


def _is_subject(alike: Alike, words: list[str], place: int, was: bool) -> bool:
    """Whether what is said from here on is said of the gauge, and no longer of the thing."""
    if words[place] in alike.gauge_words:
        before = words[max(0, place - 3) : place]
        return not any(_OBJECT.match(each) or alike.told_by(each) for each in before)
    return was and words[place] not in ("it", "one", "which", "itself", "mine", "yours")


def _is_denied(words: list[str], place: int) -> bool:
    """Whether a word is denied: `not both wider and longer` denies both."""
    before = words[max(0, place - _NEAR + 1) : place]
    if "both" in words[max(0, place - 2 * _FAR) : place]:
        both = max(at for at in range(place) if words[at] == "both")
        if any(_NOT.fullmatch(each) for each in words[max(0, both - 4) : both]):
            return True
    return sum(_NOT.fullmatch(each) is not None for each in before) % 2 == 1


def _is_told_of(words: list[str], place: int) -> bool:
    """Whether `more` or `less` is said of a number: `less in width`, `whose width is less`."""
    if words[place] not in ("more", "less"):
        return False
    return words[place - 1] in ("is", "are") or words[place + 1 : place + 2] == ["in"]


def _compared(alike: Alike, words: list[str], place: int, *, is_sure: bool) -> Iterator[ToldDegree]:
    """What a word among others compares, of whatever is spoken of."""
    word = words[place]
    if word.endswith("est"):
        return
    before = words[max(0, place - _NEAR + 1) : place]
    is_denied = _is_denied(words, place)
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
    elif (_MORE.match(word) or _LESS.match(word)) and (
        not is_sure or _SURE.match(word) or _is_told_of(words, place)
    ):
        behind, ahead = words[max(0, place - _FAR) : place][::-1], words[place + 1 :][:_FAR]
        beats = _BEATS.match(word) is not None
        is_near = beats or (_BIGGER.fullmatch(word) is not None and how not in ("is", "are"))
        near = [*ahead, *behind] if is_near else [*behind, *ahead]
        told = next(told_numbers(alike, near), None)
        if told is not None:
            yield ToldDegree(told, (_MORE.match(word) is not None) is not is_denied)
