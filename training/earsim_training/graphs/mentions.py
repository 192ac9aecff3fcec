"""An instruction as an agent reads it that knows no names: where a name stands, and between what.

Names are other ones in the next scene. What carries over is that something stands after "put" and
before "on", so every word that belongs to no closed class is read as one and the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_ARTICLES = frozenset({"a", "an", "the"})

_GRAMMAR_WORDS = """
    about again and at back before bring by carry close could do down first for from get give hand i
    in inside into is it its lay leave lift move need of off on onto open or out place please put
    remove set shut take task that them then there to turn up we which with would you your
"""
"""Words that say what is to be done with whatever is named around them."""

BEYOND, NAME = 0, 1
"""Beyond an end of the instruction; a word, or several in a row, that may be a name."""

WORDS = {word: number for number, word in enumerate(_GRAMMAR_WORDS.split(), start=2)}
WORD_COUNT = 2 + len(WORDS)

AROUND = 2
"""Words that are read before a name, and after it."""
SPANS = 2
"""Places of one name that are read: `put it in the box, then close the box`."""


class Mention(NamedTuple):
    """Mentions of one name in an instruction.

    Attributes:
        times: places where the whole name stands.
        place: where the first of them begins, from 0 to 1; 0 without any.
        share: of the words of the name that the instruction has anywhere.
        context: `SPANS` times `AROUND` words before the name and `AROUND` after it.
    """

    times: int
    place: float
    share: float
    context: tuple[int, ...]


class Instruction:
    """The words of one instruction.

    Attributes:
        words: numbers of its words, articles left out and names in a row counted once.
    """

    def __init__(self, text: str) -> None:
        self._tokens = _split(text)
        self.words = _read(self._tokens)

    def mention(self, name: str) -> Mention:
        """Mentions of this name in the instruction."""
        sought = _split(name)
        starts = self._starts(sought)
        context = [word for at in starts[:SPANS] for word in self._around(at, at + len(sought))]
        context += [BEYOND] * (2 * AROUND * SPANS - len(context))
        known = set(self._tokens)
        return Mention(
            times=len(starts),
            place=starts[0] / len(self._tokens) if starts else 0.0,
            share=sum(word in known for word in sought) / max(1, len(sought)),
            context=tuple(context),
        )

    def tells(self, words: Sequence[str]) -> bool:
        """True if it contains all of these words, in any order."""
        return set(words) <= set(self._tokens)

    def tells_of(self, words: Sequence[str], name: str) -> bool:
        """True if all of these words stand next to a name: `turn off the lamp`."""
        sought = _split(name)
        reach = len(words) + 1  # and an article
        return any(
            set(words) <= {*self._tokens[max(0, at - reach) : at], *self._after(at, sought)}
            for at in self._starts(sought)
        )

    def _after(self, at: int, name: Sequence[str]) -> Sequence[str]:
        return self._tokens[at + len(name) : at + len(name) + 1]

    def _starts(self, sought: Sequence[str]) -> list[int]:
        size = len(sought)
        last = len(self._tokens) - size
        found = (at for at in range(last + 1) if self._tokens[at : at + size] == sought)
        return list(found) if size else []

    def _around(self, start: int, end: int) -> tuple[int, ...]:
        before, after = _read(self._tokens[:start]), _read(self._tokens[end:])
        none = (BEYOND,) * AROUND
        return (*(none + before)[-AROUND:], *(after + none)[:AROUND])


def _split(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text.casefold())


def _read(tokens: Sequence[str]) -> tuple[int, ...]:
    read: list[int] = []
    for token in tokens:
        number = WORDS.get(token, NAME)
        if token not in _ARTICLES and not (number == NAME and read[-1:] == [NAME]):
            read.append(number)
    return tuple(read)
