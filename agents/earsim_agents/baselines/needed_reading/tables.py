"""The tables to which things are brought."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from earsim_agents.baselines.errand_reading.scene import tables_of
from earsim_agents.baselines.errand_reading.words import weight_of
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.needed_reading.passages import NeededPassage

_SAME = re.compile(
    r"\b(?:same|that) (?:\w+ )?(?:table|desk|bench|sofa|counter|sink|couch|place)\b"
    r"|\bthere too\b|\balso (?:on|for|at|there)\b|\bsame place\b"
)
_CURRENT: Final = 1.4
_THE_SAME: Final = 1.5
_ROOM: Final = 1.3
"""What the table weighs that was named last, that it is named again, and words for its room."""

_LATER: Final = 0.9


class ToldTables:
    """Tables, by the words of a passage or of what stands before it."""

    def __init__(self, sentences: Sequence[str], lexicon: Lexicon) -> None:
        self._said = [tables_of(sentence, lexicon) for sentence in sentences]
        self._sentences = sentences
        self._named = [self._weights(number) for number in range(len(sentences))]

    def of(self, passage: NeededPassage) -> str:
        """Id of the table to which what it asks for is to be brought."""
        inside = range(passage.start, passage.end)
        weights = [0.0] * len(self._said[0])
        for number in inside:
            share = _LATER ** (number - passage.start)
            weights = [w + share * own for w, own in zip(weights, self._named[number], strict=True)]
        current = self._named_before(passage.start)
        if current is not None:
            told = " ".join(self._sentences[number] for number in inside)
            weights[current] += _CURRENT + _THE_SAME * (_SAME.search(told) is not None)
        elif not any(weights):
            weights = self._named_behind(passage.end) or weights
        return self._said[0][weights.index(max(weights))].node

    def _weights(self, number: int) -> list[float]:
        """What each table weighs in a sentence; of those called alike, the room decides."""
        tables = self._said[number]
        named = [weight_of(table.hits) for table in tables]
        rooms = [_ROOM * weight_of(table.room_hits) for table in tables]
        shared = [sum(other.hits == table.hits for other in tables) for table in tables]
        return [n / s + r for n, s, r in zip(named, shared, rooms, strict=True)]

    def _named_before(self, number: int) -> int | None:
        for weights in reversed(self._named[:number]):
            if max(weights) >= _CURRENT:
                return weights.index(max(weights))
        return None

    def _named_behind(self, number: int) -> list[float] | None:
        return next((list(w) for w in self._named[number:] if max(w) >= _CURRENT), None)
