"""The sentences of a text, and the parts of very long ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from earsim_agents.baselines.errand_reading.words import TextSpan

_SENTENCE = re.compile(r"[^.!?;]+(?:[.!?;](?=\S)[^.!?;]+)*[.!?;]*\s*")
_JOINED = re.compile(r", (?=and )")
_LONG: Final = 320


def sentences_of(text: str) -> list[TextSpan]:
    """The sentences of a text."""
    return [
        part for match in _SENTENCE.finditer(text) for part in _parts(text, TextSpan(*match.span()))
    ]


def _parts(text: str, sentence: TextSpan) -> Iterator[TextSpan]:
    """A sentence, or the parts of a very long one."""
    start = sentence.start
    if sentence.end - start > _LONG:
        for match in _JOINED.finditer(text, start, sentence.end):
            yield TextSpan(start, match.end())
            start = match.end()
    yield TextSpan(start, sentence.end)
