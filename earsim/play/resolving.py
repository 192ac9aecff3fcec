"""From what a person calls a thing to its id: by id, name, beginning or words; never by a guess."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from earsim.errors import near_misses

_ARTICLE = re.compile(r"(?:the|a|an|my|this|that)\s+", re.IGNORECASE)
_SHOWN = 8


class Doubt(NamedTuple):
    """Why something typed stands for nothing: it fits no id, or several."""

    message: str


def resolve(
    phrase: str, names: Mapping[str, str], fits: Sequence[Callable[[str], bool]] = ()
) -> str | Doubt:
    """The one id that a phrase means.

    Args:
        phrase: as typed: an id, a name, the beginning of either, or some of their words.
        names: name by id of everything that may be meant.
        fits: tell which ids make sense here; asked in turn while several could be meant.
    """
    found = _matches(phrase, names)
    found = found or _matches(without_article(phrase), names)
    for test in fits if len(found) > 1 else ():
        found = [node for node in found if test(node)] or found
    if len(found) == 1:
        return found[0]
    return Doubt(_several(phrase, found, names) if found else _nothing(phrase, names))


def is_called(phrase: str, names: Mapping[str, str]) -> bool:
    """Whether a phrase is a whole id or name."""
    wanted = _plain(phrase)
    return any(
        _is_id(wanted, node, name) or _is_name(wanted, node, name) for node, name in names.items()
    )


def without_article(phrase: str) -> str:
    """`brass key` for `the brass key`."""
    match = _ARTICLE.match(phrase)
    return phrase if match is None else phrase[match.end() :]


def _matches(phrase: str, names: Mapping[str, str]) -> list[str]:
    """Ids that a phrase fits, by the strictest way in which it fits any."""
    wanted = _plain(phrase)
    if not wanted:
        return []
    for test in (_is_id, _is_name, _is_like):
        found = [node for node, name in names.items() if test(wanted, node, name)]
        if found:
            return found
    return []


def _is_id(wanted: str, node: str, name: str) -> bool:
    return _plain(node) == wanted


def _is_name(wanted: str, node: str, name: str) -> bool:
    return _plain(name) == wanted


def _is_like(wanted: str, node: str, name: str) -> bool:
    """Whether every word that was typed begins one of a thing's own."""
    own = {*_plain(node).split(), *_plain(name).split()}
    return all(any(word.startswith(part) for word in own) for part in wanted.split())


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())


def _several(phrase: str, found: list[str], names: Mapping[str, str]) -> str:
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f'"{phrase}" may be {told(found[:_SHOWN], names)}{more}. Say which.'


def _nothing(phrase: str, names: Mapping[str, str]) -> str:
    by_word = {_plain(name): node for node, name in names.items()}
    by_word |= {_plain(node): node for node in names}
    near = dict.fromkeys(by_word[word] for word in near_misses(_plain(phrase), by_word))
    hint = f" Did you mean {told(near, names)}?" if near else " EXPLORE rooms to find things."
    return f'You know of nothing that is called "{phrase}".{hint}'


def told(ids: Iterable[str], names: Mapping[str, str]) -> str:
    """`Flat key (parts_key) or Key on a ribbon (ribbon_key)`."""
    said = [f"{names[node]} ({node})" for node in ids]
    return " or ".join(filter(None, (", ".join(said[:-1]), said[-1]))) if said else ""
