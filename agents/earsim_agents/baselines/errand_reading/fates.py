"""What becomes of what lies at a table, by what is said of it, of several, or of all but some."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from earsim_agents.baselines.errand_reading.passages import ErrandPassage
from earsim_agents.baselines.errand_reading.scene import Group
from earsim_agents.baselines.errand_reading.words import TextSpan, weight_of

_KEPT = (
    r"stay(?:s|ed|ing)?\b|remain(?:s|ed|ing)?\b(?! (?:two|three|four|ones?))"
    r"|(?<!the )(?<!whole )company\b(?!'s| \w+s\b)|joins?\b|joined\b|beside (?:it|them|that"
    r"|the|those|this|what)\b|keeps? (?:its|their) (?:place|spot|seat)|hold(?:s|ing)? (?:its"
    r"|their) ground"
    r"|still (?:there|in place|lies|lying)|(?:a|get a|gets a) (?:mate|neighbour|companion|fellow)\b"
    r"|side by side|next to (?:it|them|the one|that)|alongside|nothing (?:is|has to be|need be) "
    r"(?:taken|removed|swapped)|beside$|(?:not|\w+n't|never|nothing) (?:to )?(?:be )?(?:tak\w+"
    r"|remov\w+|mov\w+|swap\w*|exchang\w+|touch\w+|go)\b"
    r"|leave (?:it|them|the one|that one) (?:there|where|alone|be|lying)|left (?:there|alone|where)"
    r"|(?:keeps?|kept|keeping) (?:what|its|the one|their)\b(?! (?:order|place in))"
    r"|(?:has|gets?|get|with) another (?:beside|with|of (?:it|its|the same)\b)"
    r"|a (?:further|second) (?:one|of (?:the|its|that))\b|nothing (?:should|must|may) be gone"
    r"|added\b|may (?:stay|remain|keep)|(?:a|one) second (?:jar|one|bag|box|piece|ball|book) beside"
)
_GONE = (
    r"taken (?:[\w']+ ){0,3}?(?:away|off|out)\b|tak(?:e|ing) (?!some|meat|calls|out"
    r"|an? )(?:[\w']+ ){0,9}?(?:away|off)\b"
    r"(?! (?:me|my|us|the bone)\b)|exchang\w+|swap\w*|replac\w+|gone\b"
    r"|giv(?:e|es|ing) way|mak(?:e|es|ing) (?:way|room)|made (?:way|room)|leaves\b(?! (?:it|the"
    r"|that|no))"
    r"|(?:has|have|ha[sd]|gets?|takes?) (?:over )?its (?:place|spot|seat)|in (?:its|their) stead"
    r"|(?:another|new one|different one|other) (?:\w+ ){0,4}?in (?:its|their) places?"
    r"|successors?|new ones? comes?|comes? in its place"
    r"|another (?:piece |one |\w+ )?(?:comes|moves)|must go\b|has to (?:go|leave)\b"
    r"|go(?:es)? away\b"
    r"|moves? out|and leave\b|, leave\b|removed?\b|cleared?\b|a different\b|change of\b"
    r"|retire\w*|disappears?"
    r"|no longer (?:there|lies)|other \w+ (?:there )?than today|(?:off|away|out) goes"
    r"|[.,;] (?:off|away|out) with"
    r"|comes? (?:off|away)\b|is off\b|may (?:go|leave)\b(?! to\b)|turned out|evict\w*|(?:today's"
    r"|there|now) goes\b"
)
_NONE = (
    r"(?:none|no|not one|without (?:a|any)|nothing)\b(?: (?!longer)[\w']+){0,5} (?:beside"
    r"|company|joins?|next to)\b"
    r"|no company"
)
_CUE = re.compile(rf"\b(?:(?P<none>{_NONE})|(?P<kept>{_KEPT})|(?P<gone>{_GONE}))")
_EXCEPT = re.compile(
    r"\b(?:except(?:ions?|ing)?|apart from|save for|save|bar|other than|but (?:for|not|at|on|in"
    r"|with)|only not|only (?=the |with "
    r"|what |on |for )|barring|aside from|unlike|only (?=[\w ]{3,30} (?:is|are) different)"
    r"|different with|not so with)\b"
)
_GENERAL = re.compile(
    r"\b(?:same (?:sort|kind|name)|of (?:its|their|that|the) (?:own )?(?:sort|kind|like)|what lies"
    r"|what's (?:there|lying)|what is (?:there|lying)|what lay|whatever|wherever|where one"
    r"|everything|everywhere|each|all|these five"
    r"|the (?:two|three|four|five|rest|others?|ones)|already|both|nothing|remaining|today's"
    r"|of today|two|three|four)\b"
)
_UNIVERSAL = re.compile(
    r"\b(?:wherever|where one|what lies|what's lying|what lay|whatever lies"
    r"|of the (?:same )?(?:sort|kind)"
    r"|the same (?:sort|kind))\b"
)
_REST = re.compile(
    r"\b(?:otherwise|elsewhere|everywhere else|everything else|in all other|the rest"
    r"|all (?:the )?others)\b"
)
_COUNTED = re.compile(
    r"\b(?:two|three|four)(?: (?:other|others|more|of (?:these|those|them)|last))* (?:things?"
    r"|places|others"
    r"|more|stay|leave|are|keep|may|should|find|cases|swaps|ones|of)\b|\bwhat (?:leaves|stays"
    r"|is taken)"
    r"|^where is\b|\bthe (?:other (?:two|three|four)|rest|last two)\b"
)
_THOSE = re.compile(r"(?:and )?(?:both|these|those|they|each of|all of|the first)\b")
_HEADING: Final = 40
"""A sentence no longer than that is about what is behind it."""

_OWN, _SPOKEN, _TABLE, _DEFAULT, _EXCEPTED = 2.0, 2.0, 1.5, 1.0, 2.6
_ELSEWHERE: Final = 0.6
_NAMED: Final = 1.5
_CLEARLY: Final = 1.3


def fates_of(text: str) -> list[tuple[int, float]]:
    """Where it is said that something stays, above zero, or goes, below."""
    return [
        (match.start(), 1.0 if match["kept"] else -1.0)
        for match in _CUE.finditer(text)
        if match["none"] is None
    ]


class ToldFates:
    """What a text says of what lies there already."""

    def __init__(
        self,
        text: str,
        passages: Sequence[ErrandPassage],
        sentences: Sequence[TextSpan],
        named: Callable[[TextSpan], Sequence[float]],
    ) -> None:
        """Prepare for a text.

        Args:
            text: All of it.
            passages: What it is about.
            sentences: Its sentences.
            named: What each table weighs in a sentence.
        """
        self._text, self._passages, self._sentences = text, passages, sentences
        self._named = named
        self._headings = [each for each in sentences if self._is_heading(each)]

    def keeps(self, passage: ErrandPassage, table: int) -> bool:
        """Whether another thing of its kind that lies at a table, by its number, stays."""
        return sum(self._score(passage, table, each) for each in self._sentences) > 0

    def _score(self, passage: ErrandPassage, table: int, sentence: TextSpan) -> float:
        said = self._text[sentence.start : sentence.end]
        if not fates_of(said):
            return 0.0
        is_own = passage.span.start <= sentence.start < passage.span.end
        speaks = self._speaks(passage.group, sentence)
        match, rest = _EXCEPT.search(said), _REST.search(said)
        if rest is not None and fates_of(said[rest.end() :]):
            if is_own or speaks:
                return _OWN * (_sign(said[: rest.start()]) or _sign(said))
            return _DEFAULT * _sign(said[rest.end() :])
        if match is not None and match.start() > len("and "):
            head = TextSpan(sentence.start, sentence.start + match.start())
            told = any(self._speaks(each.group, head) for each in self._passages)
            if _UNIVERSAL.search(said) or (_GENERAL.search(said) and not is_own) or not told:
                return self._excepted(passage.group, table, sentence, match)
        if not speaks and sentence in self._headings:
            return self._section(passage, sentence)
        if is_own or speaks:
            if is_own and not speaks and len(said) < _HEADING and _GENERAL.search(said):
                return 0.0
            others = [p for p in self._passages if p.span.start <= sentence.start < p.span.end]
            weight = _OWN if is_own else _SPOKEN if not others else _ELSEWHERE
            return weight * self._nearest(passage.group, sentence)
        return self._common(passage, table, sentence)

    def _is_heading(self, sentence: TextSpan) -> bool:
        """Whether what a sentence says is of what comes behind it."""
        said = self._text[sentence.start : sentence.end]
        weights = [weight_of(h for h in p.group.hits if sentence.has(h)) for p in self._passages]
        is_one = len({sign for _, sign in fates_of(said)}) == 1
        return is_one and max(weights) < _CLEARLY and _COUNTED.search(said) is not None

    def _section(self, passage: ErrandPassage, sentence: TextSpan) -> float:
        """What a heading says, if it is the last one before a passage."""
        before = [each for each in self._headings if each.start <= passage.span.start]
        said = self._text[sentence.start : sentence.end]
        return _TABLE * _sign(said) if before and sentence == before[-1] else 0.0

    def _common(self, passage: ErrandPassage, table: int, sentence: TextSpan) -> float:
        """What a sentence says of several, without words for these."""
        said = self._text[sentence.start : sentence.end]
        others = [p for p in self._passages if self._speaks(p.group, sentence)]
        before = [each for each in self._sentences if each.end <= sentence.start]
        if _THOSE.match(said) and before and not others:
            return _SPOKEN * _sign(said) * self._speaks(passage.group, before[-1])
        if _UNIVERSAL.search(said):
            return _DEFAULT * fates_of(said)[0][1]
        if others or not _GENERAL.search(said):
            return 0.0
        weights = self._named(sentence)
        if max(weights) >= _NAMED:
            here = weights[table] == max(weights)
            return (_TABLE if here else 0.0) * _sign(said)
        is_behind = passage.span.start >= sentence.end
        return (_DEFAULT if is_behind else _DEFAULT * (len(said) >= _HEADING) * 0.6) * _sign(said)

    def _excepted(
        self, group: Group, table: int, sentence: TextSpan, match: re.Match[str]
    ) -> float:
        """Of `all of them stay, except for the phone`."""
        start = sentence.start
        said = self._text[start : sentence.end]
        head, tail = _sign(said[: match.start()]), _sign(said[match.end() :])
        own = TextSpan(start + match.end(), sentence.end)
        if self._speaks(group, own):
            return _EXCEPTED * (tail or -head)
        if not any(self._speaks(passage.group, own) for passage in self._passages):
            weights = self._named(own)
            if max(weights) >= _NAMED and weights[table] >= max(weights) / 2:
                return _EXCEPTED * (tail or -head)
        return _DEFAULT * (head or -tail)

    def _nearest(self, group: Group, sentence: TextSpan) -> float:
        """What is said next to words for a group; else in the whole sentence."""
        fates = fates_of(self._text[sentence.start : sentence.end])
        own = [hit.end - sentence.start for hit in group.hits if sentence.has(hit)]
        if not own:
            return fates[0][1]
        gaps = [
            (at - end if at >= end else 1.5 * (end - at), sign) for at, sign in fates for end in own
        ]
        return min(gaps)[1]

    def _speaks(self, group: Group, part: TextSpan) -> bool:
        return weight_of(hit for hit in group.hits if part.has(hit)) >= 1


def _sign(said: str) -> float:
    """What is said first of all, and what most of it says."""
    fates = fates_of(said)
    total = sum(sign for _, sign in fates)
    return 0.0 if not fates else fates[0][1] if total == 0 else total / abs(total)
