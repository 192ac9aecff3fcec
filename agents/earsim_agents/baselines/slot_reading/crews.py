"""Teams: what a team is asked for in free words, said as the grammar says it.

A team is asked for one of a few things, and which it is shows in what the text speaks of: a thing
and a table, two things and two rooms, things on which work is to be done. What belongs together
stands together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.slot_reading.names import NameSpot, spots
from earsim_agents.baselines.slot_reading.numbers import in_digits, times

_WORK: Final = {
    "is_drilled": "drill",
    "is_welded": "weld",
    "is_sanded": "sand",
    "is_dirty": "clean",
    "is_painted": "paint",
}
"""What is done to a thing that has such a state."""

_NEXT_TO: Final = 3
"""How many words may stand between a table and its room."""

_Group = tuple[Sequence[str], str]
"""Things, and the table that they go to."""

_IN_A_HURRY: Final = 4
"""How many things have to be somewhere by a time."""


def as_told_to_a_crew(text: str, lexicon: Lexicon) -> str | None:
    """An instruction for several agents in the grammar's words; None where it is none.

    Args:
        text: in lower case.
        lexicon: what has been perceived.
    """
    if len(lexicon.agents) == 1:
        return None
    return _Crew(text, lexicon).told()


class _Crew:
    """Things, tables and rooms that one text speaks of."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.text, self.lexicon = text, lexicon
        furniture = {lexicon.names[node] for node in lexicon.loose if lexicon.is_furniture(node)}
        loose = {lexicon.names[node] for node in lexicon.loose} - furniture
        rooms = set(lexicon.rooms.values())
        found = spots(text, furniture | loose | rooms)
        work = {name: done for name in furniture | loose for done in self._work(name)}
        self.works = {spot.name: work[spot.name] for spot in found if spot.name in work}
        self.things = _once(spot for spot in found if spot.name in loose - work.keys())
        self.tables = _once(spot for spot in found if spot.name in furniture - work.keys())
        self.rooms = _once(spot for spot in found if spot.name in rooms)

    def _work(self, name: str) -> list[str]:
        states = self.lexicon.states(self.lexicon.called(name))
        return [verb for state, verb in _WORK.items() if state in states]

    def told(self) -> str | None:
        """The instruction in the grammar's words."""
        if len(self.works) > 1:
            return " ".join(f"{verb} the {name}." for name, verb in self.works.items())
        things, tables = len(self.things), len(self.tables)
        if things == _IN_A_HURRY and tables:
            return self._in_a_hurry()
        rooms = self._rooms_of_no_table()
        if (things, tables, len(rooms)) == (2, 0, 2):
            (one, here), (other, there) = _pairs(self.things, rooms)
            return f"hold up the {one} in the {here} while the {other} is held up in the {there}."
        if (things, tables, len(rooms)) == (2, 1, 1):
            return self._apart(rooms)
        is_shut = "lock" in self.text or "shut" in self.text
        if (things, tables) == (1, 1) and (is_shut or not rooms):
            return f"put the {self.things[0].name} onto the {self.tables[0].name}."
        return None

    def _rooms_of_no_table(self) -> list[NameSpot]:
        """Rooms, without those that are told next to a table and only say where it stands."""
        return [
            room
            for room in self.rooms
            if not any(self._tells_where(room, table) for table in self.tables)
        ]

    def _tells_where(self, room: NameSpot, table: NameSpot) -> bool:
        gap = max(room.start - table.end, table.start - room.end)
        return gap <= _NEXT_TO and self._room(table.name) == room.name

    def _room(self, name: str) -> str:
        """Where a table stands."""
        room = self.lexicon.room_of(self.lexicon.called(name)[0])
        return self.lexicon.rooms.get(room or "", "")

    def _apart(self, rooms: Sequence[NameSpot]) -> str:
        """One thing goes onto a table, the other to a room."""
        (one, here), (other, there) = _pairs(self.things, [*self.tables, *rooms])
        table = self.tables[0].name
        said = [
            f"put the {thing} onto the {place}."
            if place == table
            else f"bring the {thing} to the {place}."
            for thing, place in ((one, here), (other, there))
        ]
        return " ".join(said)

    def _in_a_hurry(self) -> str | None:
        """Four things are on their tables by a time."""
        seconds = times(in_digits(self.text))
        if not seconds:
            return None
        names = [spot.name for spot in self.things]
        tables = [spot.name for spot in self.tables]
        groups: list[_Group] = [(names[:2], tables[0]), (names[2:], tables[-1])]
        if len(tables) > 1 and self._stay(groups) > self._stay(_swapped(groups)):
            groups = _swapped(groups)
        said = " and ".join(
            f"the {things[0]} and the {things[1]} go from the hall to the {table}"
            for things, table in groups
        )
        return f"within {max(seconds):g} seconds from now {said}."

    def _stay(self, groups: Sequence[_Group]) -> int:
        """How many things would stay in the room where they are."""
        return sum(
            self._room(name) == self._room(table) for names, table in groups for name in names
        )


def _swapped(groups: Sequence[_Group]) -> list[_Group]:
    (one, here), (other, there) = groups
    return [(one, there), (other, here)]


def _once(found: Iterable[NameSpot]) -> list[NameSpot]:
    """The first mention of each name."""
    kept: dict[str, NameSpot] = {}
    for spot in found:
        kept.setdefault(spot.name, spot)
    return list(kept.values())


def _pairs(
    things: Sequence[NameSpot], places: Sequence[NameSpot]
) -> tuple[tuple[str, str], tuple[str, str]]:
    """Two things, each with the one of two places that stands by it."""
    kinds = [(spot.start, spot.name, spot in places) for spot in sorted([*things, *places])]
    (_, a, is_place), (_, b, other), (_, c, third), (_, d, _) = kinds
    if is_place == other:  # `the clock and the bell, in the hall and in the yard`
        one, two = (c, a), (d, b)
        return (one, two) if is_place else (one[::-1], two[::-1])
    first = (b, a) if is_place else (a, b)
    second = (d, c) if third else (c, d)
    return first, second
