"""How a half-typed line can go on: verbs, and ids that make sense where the agent stands."""

from __future__ import annotations

from collections.abc import Iterable

from earsim.play.reading import Reader
from earsim.play.typed import REQUESTS

_ABOUT_THINGS = ("look",)


def completions(
    line: str, admissible: Iterable[str], verbs: Iterable[str], reader: Reader
) -> list[str]:
    """Whole words that may stand where the last word of the line is being typed.

    Args:
        line: what stands before the cursor, without the agent's name.
        admissible: commands that would be accepted now.
        verbs: every verb there is.
        reader: knows what may be named at all.
    """
    before, _, typed = line.rpartition(" ")
    head = before.split()
    if not head:
        return _fitting(typed, [*_next_words((), admissible), *REQUESTS, *verbs])
    word = head[0].casefold()
    if word == "help":
        return _fitting(typed, verbs)
    if word in _ABOUT_THINGS:
        return _fitting(typed, ["all", *reader.names()])
    likely = _fitting(typed, _next_words(tuple(head), admissible))
    return likely or _fitting(typed, reader.names())


def _next_words(head: tuple[str, ...], admissible: Iterable[str]) -> list[str]:
    """The words that follow `head` in admissible commands."""
    depth = len(head)
    wanted = [word.casefold() for word in head]
    split = (command.split() for command in admissible)
    return [
        words[depth]
        for words in split
        if len(words) > depth and [word.casefold() for word in words[:depth]] == wanted
    ]


def _fitting(typed: str, words: Iterable[str]) -> list[str]:
    beginning = typed.casefold()
    return list(dict.fromkeys(word for word in words if word.casefold().startswith(beginning)))
