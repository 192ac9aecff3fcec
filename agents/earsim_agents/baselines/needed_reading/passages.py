"""Passages of a text, each about a set of rivals, found for all sets at once."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.needed_reading.clauses import ClauseSense, clauses_of, sentences_of
from earsim_agents.baselines.needed_reading.rival_sets import RivalSets, ThingWords, words_of

_LONGEST: Final = 6
"""Sentences of a passage."""

_SKIPPED: Final = 0.3
"""What a sentence costs that is of no passage."""

_ELSEWHERE: Final = 0.03
"""Share of its weight that a word has outside of a passage."""

_DENIED, _SETTLED, _OTHER = 0.9, 0.25, 0.3
"""Shares of the weight of a word of who needs a thing, by the sense of its clause."""

_AGAINST: Final = 0.8
_CLEARLY, _HARDLY = 1.5, 0.5
"""What a word weighs for something that is not needed, where its clause says so and elsewhere."""

_SPREAD: Final = 0.7
"""Share of the weight of a phrase that goes over several clauses."""

_TOPIC: Final = 0.25
_TOPIC_OTHERWISE: Final = 1.2
_BY_PLACE: Final = (1.0, 0.6, 0.4, 0.3, 0.2, 0.1)
"""What the things of a set that are spoken of most weigh for the set."""

_NEW, _GOES_ON = 1.2, -0.9
"""What it weighs that a sentence begins with a name, or with a pronoun."""

_PRONOUN = re.compile(
    r"(?:and |but |so |then |now |only |still |even )?(?:he|she|it|they|his|her|hers|its|their"
    r"|theirs|him|them|this|these|those|that|last (?:time|year|week|summer|winter|night)|yesterday"
    r"|twice|once|nothing|no|nobody|unless|something|anything|what (?:he|she|it|they)|there's"
    r"|there is|if|when|since|because|with|just|not)\b"
)
_START = re.compile(
    r"(?:and |then |also |finally,? |lastly,? |next,? |besides,? |oh,? |elsewhere,? |meanwhile,? "
    r"|as for |our |my |old |little )"
)
_COMMON = frozenset({
    "a", "all", "an", "and", "at", "but", "both", "by", "even", "every", "everybody", "everyone",
    "for", "four", "i", "in", "it", "leave", "more", "never", "now", "on", "only", "please", "put",
    "so", "still", "the", "then", "there", "three", "to", "two", "we", "you",
})  # fmt: skip
_COMPARED = re.compile(
    r"\b(?:more|less|fewer|\w+er) (?:\w+ ){0,4}than\b"
    r"|\b(?:second )?(?:most|least|fewest|\w{2,}est)\b"
)


class NeededPassage(NamedTuple):
    """A part of a text that asks for one thing.

    Attributes:
        start: Its first sentence.
        end: The one behind its last.
        thing: Name of what is needed.
    """

    start: int
    end: int
    thing: str


class NeededPassages:
    """The passages of one text.

    Attributes:
        sentences: Of the text, in lower case.
        found: One for each set but one, in the order of the text; none if it cannot be parted so.
    """

    def __init__(self, text: str, sets: RivalSets, lexicon: Lexicon) -> None:
        written = sentences_of(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
        self.sentences = [sentence.casefold() for sentence in written]
        alike = _alike(lexicon)
        self._is_compared = [_is_compared(sentence, alike) for sentence in self.sentences]
        self._clauses = [
            [(clause, ClauseSense(clause)) for clause in clauses_of(sentence)]
            for sentence in self.sentences
        ]
        self._sets = sets.each
        things = [name for names in self._sets for name in names]
        scores = {name: self._scores(name) for name in things}
        self._sums = {
            name: [0.0, *accumulate(asked for asked, _ in own)] for name, own in scores.items()
        }
        topics = [_topics([scores[name] for name in names]) for names in self._sets]
        self._topic_sums = [[0.0, *accumulate(topic)] for topic in topics]
        self._begins = [_begins(sentence) for sentence in written]
        self.found = self._best(len(self._sets) - 1)

    def _scores(self, name: str) -> list[tuple[float, float]]:
        """How much each sentence asks for a thing, and how much it is about it at all."""
        words = words_of(name)
        return [
            (0.0, 0.0) if is_compared else _score(sentence, clauses, words)
            for sentence, clauses, is_compared in zip(
                self.sentences, self._clauses, self._is_compared, strict=True
            )
        ]

    def _of_set(self, number: int, start: int, end: int) -> tuple[float, str]:
        """The thing of a set that a part asks for, and how well they fit."""
        best, thing = max((self._asks(name, start, end), name) for name in self._sets[number])
        topics = self._topic_sums[number]
        damped = math.copysign(2 * math.log1p(abs(best)), best)
        return _TOPIC * (topics[end] - topics[start]) + damped, thing

    def _asks(self, name: str, start: int, end: int) -> float:
        sums = self._sums[name]
        inside = sums[end] - sums[start]
        return inside + _ELSEWHERE * (sums[-1] - inside)

    def _best(self, count: int) -> list[NeededPassage]:
        """The best parts of a text for so many sets, from states of all shorter texts."""
        last = len(self.sentences)
        states: list[dict[int, tuple[float, tuple[NeededPassage, ...]]]] = [
            {} for _ in range(last + 1)
        ]
        states[0][0] = 0.0, ()
        known = {
            (number, start, end): self._of_set(number, start, end)
            for number in range(len(self._sets))
            for start in range(last)
            for end in range(start + 1, min(last, start + _LONGEST) + 1)
        }
        for start in range(last):
            for taken, (score, told) in states[start].items():
                _keep(states[start + 1], taken, (score - _SKIPPED, told))
                for number in range(len(self._sets)):
                    if taken >> number & 1 or len(told) == count:
                        continue
                    for end in range(start + 1, min(last, start + _LONGEST) + 1):
                        fits, thing = known[number, start, end]
                        more = score + fits + self._begins[start]
                        passage = NeededPassage(start, end, thing)
                        _keep(states[end], taken | 1 << number, (more, (*told, passage)))
        ends = [(score, told) for score, told in states[last].values() if len(told) == count]
        return [*max(ends, key=lambda each: each[0])[1]] if ends else []


def _topics(scores: Sequence[Sequence[tuple[float, float]]]) -> list[float]:
    """How much each sentence is about a set, of whose things it is known."""
    found = list[float]()
    for told in zip(*scores, strict=True):
        about = sorted((each for _, each in told), reverse=True)
        weighed = sum(w * share for w, share in zip(about, _BY_PLACE, strict=False))
        found.append(weighed**0.75)
    return found


def _keep(
    states: dict[int, tuple[float, tuple[NeededPassage, ...]]],
    taken: int,
    found: tuple[float, tuple[NeededPassage, ...]],
) -> None:
    if taken not in states or found[0] > states[taken][0]:
        states[taken] = found


def _score(
    sentence: str, clauses: Sequence[tuple[str, ClauseSense]], words: ThingWords
) -> tuple[float, float]:
    """How much a sentence asks for a thing, and how much it is about it at all."""
    asked = about = 0.0
    for terms, is_needed in ((words.needed, True), (words.otherwise, False)):
        for term in terms:
            if term.stem not in sentence or term.pattern.search(sentence) is None:
                continue
            within = [sense for clause, sense in clauses if term.pattern.search(clause) is not None]
            about += term.weight * (1.0 if is_needed else _TOPIC_OTHERWISE) * max(1, len(within))
            if is_needed:
                asked += term.weight * (sum(map(_share, within)) if within else _SPREAD)
            else:
                against = sum(map(_against, within)) if within else 1.0
                asked -= term.weight * _AGAINST * against
    return asked, about


def _share(sense: ClauseSense) -> float:
    if sense.is_other:
        return _OTHER
    if sense.is_settled:
        return _SETTLED
    return _DENIED if sense.is_denied else 1.0


def _against(sense: ClauseSense) -> float:
    is_clear = sense.is_denied or sense.is_settled or sense.is_other
    return _CLEARLY if is_clear else _HARDLY


def _begins(sentence: str) -> float:
    """How likely something new begins with a sentence."""
    lower = sentence.casefold()
    first = lower.split()[0].strip(",.'\"")
    if _PRONOUN.match(lower):
        return _GOES_ON
    is_name = sentence[:1].isupper() and first not in _COMMON
    return _NEW if is_name or _START.match(lower) else 0.0


def _alike(lexicon: Lexicon) -> frozenset[str]:
    """How words begin that mean things of which several lie about."""
    names = [lexicon.names[node] for node in lexicon.loose if not lexicon.is_furniture(node)]
    alike = {name for name in names if names.count(name) > 1}
    last = {name.split()[-1].rstrip("s")[:5] for name in alike}
    return frozenset(last | {name.split()[0][:5] for name in alike})


def _is_compared(sentence: str, alike: frozenset[str]) -> bool:
    """Whether a sentence is about one of several things alike."""
    return len(_COMPARED.findall(sentence)) > 1 and any(stem in sentence for stem in alike)
