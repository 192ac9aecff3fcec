"""The tables of all passages at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from earsim_agents.baselines.errand_reading.company import is_alone
from earsim_agents.baselines.errand_reading.fates import fates_of
from earsim_agents.baselines.errand_reading.passages import ErrandPassage
from earsim_agents.baselines.errand_reading.scene import Group, TablePlace
from earsim_agents.baselines.errand_reading.sentences import sentences_of
from earsim_agents.baselines.errand_reading.words import Hit, TextSpan, weight_of

_LOCKED = re.compile(r"\b(?:locked|lock|shut in|shut up)\b")
_SAME = re.compile(
    r"\b(?:same|that|this|said) (?:very |same )?(?:\w+ )?(?:table|desk|bench|counter|couch"
    r"|platform|stand"
    r"|sofa|bed|sink|pallet|conveyor|place|spot|console|stool|trolley|shelf|tub|scale|stage)\b"
)
_AGAIN = re.compile(
    r"\b(?:there too|on it|as well|also|too|again|another thing"
    r"|(?:the other|the second|the third|one)(?:'s| is| one| has| are)|besides)\b"
)
_MOST: Final = 4.0
_NAMED: Final = 1.0
_CLEARLY: Final = 1.5
_SHARE: Final = 0.6
_CURRENT: Final = 1.3
_AGAIN_TOO: Final = 0.9
_THE_SAME: Final = 2.5
_ANNOUNCED: Final = 1.1
_NAMESAKE: Final = 0.3
_FAR: Final = 1000
_BEHIND: Final = 15
_FITTING: Final = 1.1
_LATER: Final = 0.5
"""Share of its weight that a table has behind another one in a passage."""


class ToldPlaces:
    """Where the things of all passages go."""

    def __init__(
        self,
        text: str,
        passages: Sequence[ErrandPassage],
        tables: Sequence[TablePlace],
        ranked: Mapping[str, Sequence[TextSpan]],
    ) -> None:
        """Prepare for a text.

        Args:
            text: All of it.
            passages: What it is about.
            tables: All that things are brought to.
            ranked: What is about ranks, by the names of groups.
        """
        self.text, self._passages, self._tables = text, passages, tables
        self._ranked = ranked
        self._sentences = sentences_of(text)
        self._known: dict[tuple[TextSpan, str], list[float]] = {}

    def best(self) -> list[TablePlace]:
        """For each passage a table, so that all tables get about as many things."""
        weights = [self._weights(passage) for passage in self._passages]
        numbers = range(len(self._tables))
        found: tuple[float, tuple[int, ...]] = (float("-inf"), ())
        for chosen in product(numbers, repeat=len(weights)):
            counts = [chosen.count(number) for number in numbers]
            if max(counts) - min(counts) <= 1:
                score = sum(own[number] for own, number in zip(weights, chosen, strict=True))
                found = max(found, (score, chosen))
        return [self._tables[number] for number in found[1]]

    def _speaks(self, group: Group, part: TextSpan) -> bool:
        return weight_of(hit for hit in group.hits if part.has(hit)) >= 1

    def _fates(self, passage: ErrandPassage, sentence: TextSpan) -> str:
        """A sentence without what is about ranks."""
        return _without(self.text, sentence, self._ranked.get(passage.group.name, ()))

    def _weights(self, passage: ErrandPassage) -> list[float]:
        own = [s for s in self._sentences if passage.span.start <= s.start < passage.span.end]
        current = self._current(passage.span.start)
        inside = [p.span for p in self._passages]
        apart = [
            s for s in self._about(passage) if not any(i.start <= s.start < i.end for i in inside)
        ]
        about = [*own, *apart]
        said = " ".join(self._fates(passage, sentence) for sentence in about)
        again = _AGAIN_TOO * (_AGAIN.search(said) is not None)
        again += _THE_SAME * (_SAME.search(self.text, *passage.span) is not None)
        is_one, is_told = is_alone(said), bool(fates_of(said))
        named = [self.named(sentence, passage.group) for sentence in own]
        spoken = [*self._announced(passage)]
        found = list[float]()
        for number, table in enumerate(self._tables):
            score, is_later = 0.0, False
            for sentence, weights in zip(own, named, strict=True):
                is_behind = is_later or not (
                    sentence is own[0] or self._speaks(passage.group, sentence)
                )
                score = max(score, weights[number] * (_LATER if is_behind else 1.0))
                is_later = is_later or max(weights) >= _NAMED
            score += (_CURRENT + again) * (table is current)
            score += _ANNOUNCED * max((weights[number] for weights in spoken), default=0.0)
            lies = passage.group.name in table.holds
            score += _FITTING * (lies is not is_one) if is_one or is_told else 0.0
            found.append(score)
        return found

    def _announced(self, passage: ErrandPassage) -> Iterator[list[float]]:
        """What tables weigh in other sentences about the same things."""
        for sentence in self._about(passage):
            others = [p for p in self._passages if p.span.start <= sentence.start < p.span.end]
            share = 0.3 if others else 1.0
            yield [weight * share for weight in self.named(sentence, passage.group)]

    def _about(self, passage: ErrandPassage) -> list[TextSpan]:
        """Other sentences about the same things."""
        return [
            sentence
            for sentence in self._sentences
            if not passage.span.start <= sentence.start < passage.span.end
            and self._speaks(passage.group, sentence)
        ]

    def _current(self, start: int) -> TablePlace | None:
        """The table that was named last before a place in the text."""
        for sentence in reversed(self._sentences):
            if sentence.start < start:
                weights = self.named(sentence, None)
                most = max(weights)
                if most >= _CLEARLY and sum(weight > _SHARE * most for weight in weights) == 1:
                    return self._tables[weights.index(most)]
        return None

    def named(self, part: TextSpan, group: Group | None) -> list[float]:
        """What each table weighs in a sentence, next to the things that it speaks of."""
        case = part, group.name if group else ""
        if case not in self._known:
            self._known[case] = self._found(part, group)
        return self._known[case]

    def _found(self, part: TextSpan, group: Group | None) -> list[float]:
        if _LOCKED.search(self.text, *part) and part.end - part.start < 160:
            return [0.0] * len(self._tables)
        groups = [p.group for p in self._passages] if group is None else [group]
        about = [hit for each in groups for hit in each.hits if part.has(hit)]
        apart = [TextSpan(hit.start, hit.end) for hit in about]
        apart += [p.at for p in self._passages if p.at is not None]
        own = [
            [
                [
                    hit
                    for hit in hits
                    if part.has(hit)
                    and not any(a.start <= hit.start < a.end for a in apart)
                    and not self.text.startswith("room", hit.start)
                ]
                for hits in (table.hits, table.room_hits)
            ]
            for table in self._tables
        ]
        found = [sum(min(weight_of(hits), _MOST) for hits in each) for each in own]
        far = list[int]()
        first = min((hit.start for each in own for hits in each for hit in hits), default=part.end)
        things = [h.start for p in self._passages for h in p.group.hits if part.has(h)]
        is_table_first = first < min(things, default=part.end)
        for n, table in enumerate(self._tables):
            others = [
                m for m, other in enumerate(self._tables) if m != n and other.hits == table.hits
            ]
            rooms = [weight_of(own[m][1]) for m in others]
            if others and max(rooms) > weight_of(own[n][1]):
                found[n] *= _NAMESAKE
            spans = {(hit.start, hit.end) for m in range(len(own)) if m != n for hit in own[m][0]}
            hits = [hit for hit in own[n][0] if (hit.start, hit.end) not in spans]
            hits = own[n][1] if others and own[n][1] else [*hits, *own[n][1]]
            far.append(
                min((_gap(one, hit, is_table_first) for hit in hits for one in about), default=_FAR)
            )
        found = [weight * (1.0 if weight >= _CLEARLY else _LATER) for weight in found]
        most = max(found)
        named = [n for n, weight in enumerate(found) if weight >= max(_CLEARLY, _SHARE * most)]
        if group is not None and about and len(named) > 1:
            nearest = min(named, key=lambda number: far[number])
            found = [w * (1.0 if n == nearest else _NAMESAKE) for n, w in enumerate(found)]
        least = min(found) if len(found) > 1 else 0.0
        return [weight - least for weight in found]


def _gap(thing: Hit, table: Hit, is_table_first: bool) -> int:
    """How far a table is from a thing in a list of both, either of which is named first."""
    far = thing.start - table.end if is_table_first else table.start - thing.end
    return far if far >= 0 else _BEHIND - 2 * far


def _without(text: str, part: TextSpan, spans: Sequence[TextSpan]) -> str:
    said, start = "", part.start
    for span in sorted(spans):
        if span.end <= start or span.start >= part.end:
            continue
        said += text[start : max(start, span.start)] + " "
        start = max(start, span.end)
    return said + text[start : part.end]
