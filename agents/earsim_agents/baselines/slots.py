"""Slot filling: things, ranks, numbers, times and places that an instruction speaks of.

Words count in any order, whatever the sentence says of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.slot_reading import numbers
from earsim_agents.baselines.slot_reading.names import spots
from earsim_agents.baselines.slot_reading.ranks import rank_of

_FITTINGS = ("drain", "jerrycan")
"""Things of which there are several that no rank of a family is about."""

_NO_PLACE = ("plate", "socket", "boiler", "tap", "freezer", "tank", "spring")
"""Furniture, by the last word of its name, that nothing is put down on to stay."""


class SlotText(NamedTuple):
    """An instruction with numbers as digits, and what has been perceived."""

    text: str
    lexicon: Lexicon
    said: str
    """As it was told, in lower case."""

    @classmethod
    def of(cls, text: str, lexicon: Lexicon) -> SlotText:
        """The slots of an instruction in lower case."""
        return cls(numbers.in_digits(text), lexicon, text)

    def named(self, *, several: bool = False) -> Iterator[str]:
        """Names of things that are spoken of, those told in full first; of several alike, or not.

        Each is told once.
        """
        counts = Counter(self.lexicon.names.values())
        names = [name for name, count in counts.items() if (count > 1) is several]
        found = spots(self.said, [*counts, *self.lexicon.rooms.values()])
        mine = [spot for spot in found if spot.name in names]
        mine.sort(key=lambda spot: -spot.share)
        return iter(dict.fromkeys(spot.name for spot in mine))

    def states(self, name: str) -> set[str]:
        """States of the things of a name."""
        return self.lexicon.states(self.lexicon.called(name))

    def kind(self) -> str:
        """The name of several things alike that is spoken of, or else the only one there is."""
        counts = Counter(self.lexicon.names.values())
        alike = [name for name, count in counts.items() if count > 1 and name not in _FITTINGS]
        spoken = (name for name in self.named(several=True) if name not in _FITTINGS)
        return next(spoken, alike[0] if len(alike) == 1 else "")

    def room(self, *, leave: str = "") -> str:
        """The room that is spoken of, in other words than some."""
        rooms = self.lexicon.rooms.values()
        away = {spot.name for spot in spots(leave, rooms)}
        found = [spot for spot in spots(self.said, rooms) if spot.name not in away]
        return max(found, key=lambda spot: spot.share).name if found else ""

    def place(self) -> str:
        """The table that is spoken of: by its name, or by its room."""
        counts = Counter(self.lexicon.names.values())
        tables = [
            name
            for name, count in counts.items()
            if count == 1 and self.is_furniture(name) and name.split()[-1] not in _NO_PLACE
        ]
        found = [spot for spot in spots(self.said, counts) if spot.name in tables]
        if found:
            return f"the {max(found, key=lambda spot: spot.share).name}"
        rooms = [spot.name for spot in spots(self.said, self.lexicon.rooms.values())]
        near = [name for name in tables if self._room_of(name) in rooms]
        told = [name for name in near if re.search(rf"\b{name.split()[-1]}\b", self.said)]
        return f"the {told[0]}" if len(told) == 1 else ""

    def _room_of(self, name: str) -> str:
        room = self.lexicon.room_of(self.lexicon.called(name)[0])
        return self.lexicon.rooms.get(room or "", "")

    def is_furniture(self, name: str) -> bool:
        """Whether a name is that of a table, a rack or the like."""
        nodes = self.lexicon.called(name)
        return bool(nodes) and self.lexicon.is_furniture(nodes[0])

    def time(self) -> list[float]:
        """Times in seconds."""
        return numbers.times(self.text)

    def last(self) -> float:
        """The longest of the times, which is that within which all has to be done.

        Raises:
            ValueError: No time is told.
        """
        return max(self.time())

    def times_apart(self) -> list[float]:
        """Two times or more, of which one may be told by its number alone.

        Raises:
            ValueError: There is one only.
        """
        found = self.time()
        if len(set(found)) == 1:
            found += numbers.bare_times(self.text)
        if len(found) == 1:
            raise ValueError(self.text)
        return found

    def numbers(self) -> list[float]:
        """Numbers that are no times."""
        return [each.value for each in numbers.numbers(self.text)]

    def between(
        self, unit: str, widest: float, is_one: Callable[[float], bool] = lambda _: True
    ) -> tuple[float, float]:
        """The range that is told near a unit."""
        return numbers.range_of(self.text, unit, widest, is_one)

    def nearest(self, unit: str, is_one: Callable[[float], bool] = lambda _: True) -> float:
        """The number that is told next to a unit."""
        return numbers.nearest(self.text, unit, is_one)

    def rank(self) -> str:
        """`second largest`, `smallest` or else `largest`."""
        return rank_of(re.sub(r"\b\d+(?:\.\d+)? seconds?\b", " ", self.text))
