"""What errands may speak of among what has been perceived: groups, gauges and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from earsim_agents.baselines.errand_reading.furniture import FURNITURE
from earsim_agents.baselines.errand_reading.kinds import KINDS
from earsim_agents.baselines.errand_reading.rooms import ROOMS
from earsim_agents.baselines.errand_reading.words import Hit, Terms, head_of, rows_of, terms_of
from earsim_agents.baselines.lexicon import Lexicon

ALIKE: Final = 5
"""Things of one name."""

_MOVED: Final = ("mass_kg", "capacity_l", "charge", "content", "temperature", "reading", "moisture")
"""How numbers begin that nothing is compared by."""


class Group(NamedTuple):
    """Several things of one name.

    Attributes:
        label: The name of what picks one of them.
        nodes: Ids.
        keys: Numbers that they have.
        hits: Where the text speaks of them.
    """

    name: str
    label: str
    nodes: tuple[str, ...]
    keys: frozenset[str]
    hits: tuple[Hit, ...]


class Gauge(NamedTuple):
    """A thing that others are compared with."""

    node: str
    keys: frozenset[str]
    hits: tuple[Hit, ...]


class TablePlace(NamedTuple):
    """Furniture that things lie on.

    Attributes:
        hits: Where the text speaks of it.
        room_hits: Where the text speaks of its room.
        holds: Names of what lies there.
    """

    node: str
    hits: tuple[Hit, ...]
    room_hits: tuple[Hit, ...]
    holds: frozenset[str]


class ErrandScene:
    """What has been perceived, with where a text speaks of it."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._values: dict[tuple[str, str], float | None] = {}
        loose = [node for node in lexicon.loose if not lexicon.is_furniture(node)]
        by_name: dict[str, list[str]] = {}
        for node in loose:
            by_name.setdefault(lexicon.names[node], []).append(node)
        self.groups = [
            self._group(text, name, nodes)
            for name, nodes in by_name.items()
            if len(nodes) > 1 and name in _names()
        ]
        self.gauges = [
            Gauge(nodes[0], self._keys(nodes), _hits_of_thing(name, text))
            for name, nodes in by_name.items()
            if len(nodes) == 1 and self._keys(nodes)
        ]
        alike = {node for group in self.groups for node in group.nodes}
        bearing = {lexicon.holder_of(node) for node in alike}
        self.tables = [
            table._replace(
                holds=frozenset(
                    lexicon.names[each] for each in alike if lexicon.holder_of(each) == table.node
                )
            )
            for table in tables_of(text, lexicon)
            if table.node in bearing
        ]

    def _keys(self, nodes: Iterable[str]) -> frozenset[str]:
        numbers = self.lexicon.numbers(nodes)
        return frozenset(key for key in numbers if not key.startswith(_MOVED))

    def _group(self, text: str, name: str, nodes: Sequence[str]) -> Group:
        keys = self._keys(nodes)
        hits = _hits_of_thing(name, text)
        return Group(name, re.sub(r"\W", "_", name), tuple(nodes), keys, hits)

    def value(self, node: str, key: str) -> float | None:
        """A number of a thing."""
        known = self._values
        if (node, key) not in known:
            known[node, key] = self.lexicon.value(node, key)
        return known[node, key]


def tables_of(text: str, lexicon: Lexicon) -> list[TablePlace]:
    """Furniture that has been perceived, with where a text speaks of it."""
    rooms = {room: _hits(ROOMS, name, text) for room, name in lexicon.rooms.items()}
    return [
        TablePlace(
            node,
            _hits(FURNITURE, lexicon.names[node], text),
            rooms.get(lexicon.room_of(node) or "", ()),
            frozenset(),
        )
        for node in lexicon.loose
        if lexicon.is_furniture(node)
    ]


@cache
def _names() -> frozenset[str]:
    """Of all that errands are about."""
    return frozenset(row[1] for row in rows_of(KINDS))


@cache
def _terms_of_thing(name: str) -> Terms:
    rows = [*rows_of(KINDS)]
    own = [row for row in rows if row[1] == name]
    kinds = {row[0] for row in own}
    akin = [row for row in rows if row[0] in kinds and row[1] != name]
    more = [term for row in own for term in terms_of(row[2])]
    return Terms.of_name(
        name, more, [t for row in akin for t in (row[1], head_of(row[1]), *terms_of(row[2]))]
    )


@lru_cache(maxsize=1024)
def _hits_of_thing(name: str, text: str) -> tuple[Hit, ...]:
    return tuple(_terms_of_thing(name).hits(text))


@lru_cache(maxsize=1024)
def _hits(table: str, name: str, text: str) -> tuple[Hit, ...]:
    return tuple(_terms(table, name).hits(text))


@cache
def _terms(table: str, name: str) -> Terms:
    rows = [row for row in rows_of(table) if row[0] == name]
    return Terms.of_name(name, [term for row in rows for term in terms_of(row[1])])
