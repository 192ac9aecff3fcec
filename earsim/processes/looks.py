"""What each viewer saw of live numbers when it last looked, and until when that cannot be otherwise.

A shortcut, and no part of the state of a world: who looks at everything anew sees the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from earsim.world.lab import Lab
from earsim.world.live import decimals
from earsim.world.perceived import MASS
from earsim.world.timeline import Anchored, Key, Timeline
from earsim.world.world import World

_HALF = 0.499
"""Of the last digit shown: within that on either side of it a number surely shows the same."""
_SAME_GRAMS = 1e-9
_MS = 1000
_FAR_MS = 10**15


class Shown(NamedTuple):
    """A number in view, and the range in which it shows the same.

    Attributes:
        name: of what is shown.
        key: of the law that it follows from.
        anchored: the law that it followed.
        low: what it is above ...
        high: ... and below.
    """

    name: str
    key: Key
    anchored: Anchored
    low: float
    high: float

    def lasts_ms(self, now_ms: int) -> int:
        """Up to which moment it surely shows the same; not after now where it may not any more."""
        law, since_ms = self.anchored
        t = (now_ms - since_ms) / _MS
        value = law.at(t)
        if not self.low < value < self.high:
            return now_ms
        steepest = law.steepest(t)
        if steepest == 0.0:
            return _FAR_MS
        ahead_ms = min(value - self.low, self.high - value) / steepest * _MS
        return now_ms + int(ahead_ms) if ahead_ms < _FAR_MS else _FAR_MS


class Seen(NamedTuple):
    """What a thing in view shows.

    Attributes:
        numbers: each that follows from a law.
        until_ms: before that moment it shows nothing else.
    """

    numbers: tuple[Shown, ...]
    until_ms: int

    @classmethod
    def of(cls, numbers: tuple[Shown, ...], now_ms: int) -> Seen:
        """As of this moment."""
        return cls(numbers, min([each.lasts_ms(now_ms) for each in numbers], default=_FAR_MS))

    def holds(self, timeline: Timeline) -> bool:
        """Whether it shows the same by the laws of now."""
        laws, now_ms = timeline.laws, timeline.now_ms
        for _, key, anchored, low, high in self.numbers:
            law, since_ms = anchored
            value = law.at((now_ms - since_ms) / _MS)
            if laws.get(key) is not anchored or not low < value < high:
                return False
        return True


class Look(NamedTuple):
    """What a viewer saw last; it holds while the things and those who see stay put.

    Attributes:
        changed: `World.changed` of then.
        rooms: where the agents were.
        revisions: of all things with numbers that may be seen, in the order of the file.
        anchors: how many laws there had been.
        lab: the apparatus of then.
        seen: by thing, of those in view.
        until_ms: before that moment nothing shows anything else.
    """

    changed: int
    rooms: tuple[str, ...]
    revisions: list[int | None]
    anchors: int
    lab: Lab | None
    seen: Mapping[str, Seen]
    until_ms: int

    @classmethod
    def of(cls, world: World, timeline: Timeline, seen: Mapping[str, Seen]) -> Look:
        """As of this moment."""
        until_ms = min([each.until_ms for each in seen.values()], default=_FAR_MS)
        return cls(
            world.changed,
            rooms_of(world),
            revisions_of(world),
            timeline.anchors,
            timeline.lab,
            seen,
            until_ms,
        )

    def holds(self, world: World, timeline: Timeline) -> bool:
        """Whether nothing can have changed that this viewer would see."""
        return (
            timeline.now_ms < self.until_ms
            and world.changed == self.changed
            and timeline.anchors == self.anchors
            and timeline.lab is self.lab
        )

    def turned(self, world: World, timeline: Timeline) -> list[str]:
        """The things of which more than numbers by their laws may be otherwise by now."""
        gauges = world.blueprint.gauges
        if self.rooms != rooms_of(world):
            return [*gauges]
        found = set() if timeline.lab is self.lab or world.blueprint.live is None else {
            *world.blueprint.live.rigs
        }
        revisions = revisions_of(world)
        if revisions == self.revisions and not found:
            return []
        triples = zip(gauges, revisions, self.revisions, strict=True)
        return [node for node, now, then in triples if now != then or node in found]

    def stale(self, timeline: Timeline) -> list[str]:
        """The things whose numbers may show something else by their laws."""
        now_ms = timeline.now_ms
        if timeline.anchors != self.anchors:
            return [node for node, seen in self.seen.items() if not seen.holds(timeline)]
        return [node for node, seen in self.seen.items() if seen.until_ms <= now_ms]


def rooms_of(world: World) -> tuple[str, ...]:
    """Where the agents are: what one carries off is out of another's view."""
    return tuple([agent.room for agent in world.agents.values()])


def revisions_of(world: World) -> list[int | None]:
    """Stamps of all things with numbers that may be seen."""
    return list(map(world.revision.get, world.blueprint.gauges))


def scale(name: str) -> float:
    """How many of the units of a law are one of those that are shown; grams are shown in kg."""
    return 1000.0 if name.endswith("_kg") else 1.0


def number_shown(timeline: Timeline, name: str, key: Key, value: float) -> Shown:
    """A number that shows this value."""
    half = _HALF * 10.0 ** -decimals(name)
    low, high = (value - half) * scale(name), (value + half) * scale(name)
    return Shown(name, key, timeline.laws[key], low, high)


def numbers_shown(timeline: Timeline, node: str, shows: Mapping[str, float]) -> Iterator[Shown]:
    """Those of a thing that follow from laws; its mass follows from what is in it."""
    for name, value in shows.items():
        key = (node, name.removesuffix("_kg"))
        if name != MASS and key in timeline.laws:
            yield number_shown(timeline, name, key, value)
    if MASS in shows:
        for name in timeline.contents.get(node, ()):
            key, grams = (node, name), timeline.value(node, name)
            low, high = grams - _SAME_GRAMS, grams + _SAME_GRAMS
            yield Shown(MASS, key, timeline.laws[key], low, high)
