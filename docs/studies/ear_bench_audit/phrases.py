"""The words of an instruction, with the things and rooms of the scene that they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from earsim.world import Blueprint

_TOKEN = re.compile(r"[^\W_]+(?:_[^\W_]+)*|[.,;:()?!]")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019](?=\w)")
_NUMBER = re.compile(r"[ _]+\d+$")


class NameMention(NamedTuple):
    """A name that stands in an instruction.

    Attributes:
        words: as they stand there.
        ids: everything in the scene that bears the name, in file order.
        exact: it is an id, spelled as one or ending in its number.
    """

    words: tuple[str, ...]
    ids: tuple[str, ...]
    exact: bool


Item = str | NameMention
"""A word in lower case, a punctuation mark, or a name."""


def words_of(text: str) -> tuple[str, ...]:
    """Words in lower case and punctuation; underscores and hyphens part words."""
    return tuple(word for token in _tokens(text) for word in token.split("_"))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_APOSTROPHE.sub("", text.lower()))


class SceneNames:
    """What the things, rooms and doors of a scene are called.

    A thing answers to its id, its name, and both without the number at their ends.
    """

    def __init__(self, blueprint: Blueprint) -> None:
        self._ids: dict[tuple[str, ...], str] = {}
        self._names: dict[tuple[str, ...], dict[str, None]] = {}
        for node in (*blueprint.things, *blueprint.rooms, *blueprint.doors):
            self._ids.setdefault(words_of(node), node)
            for form in _forms(node, blueprint.name(node)):
                self._names.setdefault(words_of(form), {})[node] = None
        self._longest = max(map(len, self._names), default=0)

    def items(self, text: str) -> list[Item]:
        """The text as words and names; a longer name goes before a shorter one."""
        tokens = [tuple(token.split("_")) for token in _tokens(text)]
        spelled = {token for token in tokens if len(token) > 1}
        words = tuple(word for token in tokens for word in token)
        found: list[Item] = []
        at = 0
        while at < len(words):
            mention = self._mention(words[at : at + self._longest], spelled)
            found.append(mention or words[at])
            at += len(mention.words) if mention else 1
        return found

    def _mention(self, words: tuple[str, ...], spelled: set[tuple[str, ...]]) -> NameMention | None:
        for length in range(len(words), 0, -1):
            form = words[:length]
            node = self._ids.get(form)
            if node is not None and (form in spelled or form[-1].isdecimal()):
                return NameMention(form, (node,), exact=True)
            if form in self._names:
                return NameMention(form, tuple(self._names[form]), exact=False)
        return None


def _forms(node: str, name: str) -> Iterator[str]:
    for text in (node, name):
        yield text
        short = _NUMBER.sub("", text)
        if short and short != text:
            yield short


def plain_words(items: Iterable[Item]) -> tuple[str, ...]:
    """All words of some items, names included."""
    found: list[str] = []
    for item in items:
        found += item.words if isinstance(item, NameMention) else (item,)
    return tuple(found)
