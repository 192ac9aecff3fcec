"""Tables by where a text names them, or the rooms in which they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.noun_phrases import Unreadable

_TABLE = re.compile(
    r"(?:table|bench|counter|shelf|rack|desk|slab|worktop|cabinet|cart|board|stand|trolley|chest)$"
)
_AGAIN = re.compile(
    r"\b(?:that|this|the|same)(?: same)? "
    r"(?P<last>table|\w*bench|counter|shelf|rack|desk|slab|cabinet|cart)\b(?!,? (?:in|of|at)\b)"
)
"""Of a table that was named before."""

_UNSEEN = ""
"""Stands for the table of a room in which none has been perceived."""


def tables_of(lexicon: Lexicon) -> list[str]:
    """Furniture on which errands put things, as far as its name shows that."""
    found = [node for node in lexicon.loose if lexicon.is_furniture(node)]
    return [node for node in found if _TABLE.search(lexicon.names[node])] or found


class NamedTables:
    """Where an instruction names which table."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        tables = tables_of(lexicon)
        rooms = {lexicon.room_of(node): node for node in tables}
        names = {name: rooms.get(room, _UNSEEN) for room, name in lexicon.rooms.items()}
        names |= {lexicon.names[node]: node for node in tables}
        named = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
        found = {match.start(): names[match[0]] for match in re.finditer(rf"\b(?:{named})\b", text)}
        for match in _AGAIN.finditer(text):
            last = [
                node
                for at, node in sorted(found.items())
                if at < match.start()
                and (node == _UNSEEN or lexicon.names[node].endswith(match["last"]))
            ]
            if last and not any(match.start() <= at < match.end() for at in found):
                found[match.start()] = last[-1]
        self._text = text
        self._found = sorted(found.items())

    def inside(self, spans: Iterable[tuple[int, int]], named: re.Pattern[str]) -> str | None:
        """The table that one of several parts of the text names; None where none does.

        Args:
            spans: Where the parts begin and end.
            named: Finds what is put there, to which it stands next.

        Raises:
            Unreadable: It has not been perceived.
        """
        for start, end in spans:
            thing = named.search(self._text, start, end)
            close = start if thing is None else thing.start()
            nodes = [
                node
                for at, node in sorted(self._found, key=lambda each: abs(each[0] - close))
                if start <= at < end
            ]
            if nodes:
                return self._seen(nodes[0], start)
        return None

    def before(self, start: int) -> str:
        """The table that is named last before a place in the text.

        Raises:
            Unreadable: None is, or one that has not been perceived.
        """
        nodes = [node for at, node in self._found if at < start]
        return self._seen(nodes[-1] if nodes else _UNSEEN, start)

    def _seen(self, node: str, start: int) -> str:
        if node == _UNSEEN:
            raise Unreadable(self._text[start:])
        return node
