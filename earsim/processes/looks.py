"""What each viewer saw of live numbers when it last looked, and until when that surely holds.

A shortcut, and no part of the state of a world: who looks at everything anew sees the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from earsim.dynamics.law import Law
from earsim.world.lab import Lab
from earsim.world.live import decimals, shown
from earsim.world.numbers import certain
from earsim.world.perceived import MASS
from earsim.world.timeline import Anchored, Key, Timeline
from earsim.world.world import World

_HALF = 0.499
"""Of the last digit shown: within that on either side of it a number surely shows the same."""
_SAME_GRAMS = 1e-9
_MS = 1000
_FAR_S = 1e9
FAR_MS = int(_FAR_S) * _MS
"""Later than any number in view changes."""


class NumberShown(NamedTuple):
    """A number in view, and the range in which it shows the same.

    Attributes:
        name: of what is shown.
        key: of the law that it follows from.
        anchored: the law that it followed.
        low: what it is above ...
        high: ... and below.
        until_ms: before that moment it surely shows the same.
    """

    name: str
    key: Key
    anchored: Anchored
    low: float
    high: float
    until_ms: int

    def renewed(self, now_ms: int) -> tuple[NumberShown, float | None]:
        """As of this moment by the law that it followed; with what it shows if it is another value.

        Of a mass, which has no range, only that it may be another.
        """
        name, key, anchored, low, high, _ = self
        law, since_ms = anchored
        t = (now_ms - since_ms) / _MS
        value, shows = law.at(t), None
        if not low < value < high:
            units = scale(name)
            shows = shown(name, certain(value / units))
            half = _half_range(name)
            low, high = shows * units - half, shows * units + half
        until_ms = now_ms + _lasts_ms(law, t, value, low, high)
        return NumberShown(name, key, anchored, low, high, until_ms), shows


def _lasts_ms(law: Law, t: float, value: float, low: float, high: float) -> int:
    """How long after a moment at which it has this value a law surely stays between two others."""
    if not low < value < high:
        return 0
    falls, rises = law.rates_from(t)
    ahead_s = _FAR_S
    if falls < 0.0:
        ahead_s = (low - value) / falls
    if rises > 0.0:
        ahead_s = min(ahead_s, (high - value) / rises)
    return int(ahead_s * _MS) if ahead_s < _FAR_S else FAR_MS


class Seen(NamedTuple):
    """What a thing in view shows.

    Attributes:
        numbers: each that follows from a law.
        until_ms: before that moment it shows nothing else.
    """

    numbers: tuple[NumberShown, ...]
    until_ms: int

    @classmethod
    def of(cls, numbers: list[NumberShown]) -> Seen:
        """All of a thing."""
        if len(numbers) == 1:
            return cls((numbers[0],), numbers[0].until_ms)
        return cls(tuple(numbers), min([each.until_ms for each in numbers], default=FAR_MS))


class Look(NamedTuple):
    """What a viewer saw last; it holds while the things and those who see stay put.

    Attributes:
        changed: `World.changed` of then.
        around: where the agents were, and the stamps of all things with numbers that may be seen.
        anchors: how many laws there had been.
        lab: the apparatus of then.
        seen: by thing, of those in view; replaced, never edited.
        until_ms: before that moment nothing shows anything else.
    """

    changed: int
    around: Around
    anchors: int
    lab: Lab | None
    seen: dict[str, Seen]
    until_ms: int

    def holds(self, world: World, timeline: Timeline) -> bool:
        """Whether nothing can have changed that this viewer would see."""
        return (
            timeline.now_ms < self.until_ms
            and world.changed == self.changed
            and timeline.anchors == self.anchors
            and timeline.lab is self.lab
        )

    def turned(self, world: World, timeline: Timeline, around: Around) -> list[str]:
        """The things of which more than numbers by their laws may be otherwise by now."""
        rooms, stamps = around
        gauges, live = world.blueprint.gauges, world.blueprint.live
        assert live is not None, "time passes"
        if self.around[0] != rooms:
            return [*gauges]
        shows_else = () if timeline.lab is self.lab else live.rigs
        if stamps == self.around[1] and not shows_else:
            return []
        triples = zip(gauges, stamps, self.around[1], strict=True)
        return [node for node, now, then in triples if now != then or node in shows_else]

    def stale(self, timeline: Timeline) -> list[str]:
        """The things whose numbers may show something else by their laws."""
        now_ms, laws = timeline.now_ms, timeline.laws
        if timeline.anchors == self.anchors:
            if now_ms < self.until_ms:
                return []
            return [node for node, seen in self.seen.items() if seen.until_ms <= now_ms]
        return [
            node
            for node, (numbers, until_ms) in self.seen.items()
            if until_ms <= now_ms or any(laws.get(n.key) is not n.anchored for n in numbers)
        ]


Around = tuple[tuple[str, ...], tuple[int | None, ...]]


def around(world: World) -> Around:
    """What views depend on: what one agent carries off is out of another's view."""
    rooms = tuple([agent.room for agent in world.agents.values()])
    return rooms, tuple(map(world.revision.get, world.blueprint.gauges))


@cache
def scale(name: str) -> float:
    """How many of the units of a law are one of those that are shown; grams are shown in kg."""
    return 1000.0 if name.endswith("_kg") else 1.0


@cache
def _half_range(name: str) -> float:
    """How far from what a number shows it surely still shows it, in the units of its law."""
    return _HALF * 10.0 ** -decimals(name) * scale(name)


def numbers_shown(
    timeline: Timeline, node: str, shows: Mapping[str, float]
) -> Iterator[NumberShown]:
    """Those of a thing that follow from laws; its mass follows from what is in it."""
    for name, value in shows.items():
        key = (node, name.removesuffix("_kg"))
        if name != MASS and key in timeline.laws:
            middle, half = value * scale(name), _half_range(name)
            yield _number(timeline, name, key, middle - half, middle + half)
    if MASS in shows:
        for name in timeline.contents.get(node, ()):
            grams = timeline.value(node, name)
            low, high = grams - _SAME_GRAMS, grams + _SAME_GRAMS
            yield _number(timeline, MASS, (node, name), low, high)


def _number(timeline: Timeline, name: str, key: Key, low: float, high: float) -> NumberShown:
    anchored, now_ms = timeline.laws[key], timeline.now_ms
    law, since_ms = anchored
    t = (now_ms - since_ms) / _MS
    until_ms = now_ms + _lasts_ms(law, t, law.at(t), low, high)
    return NumberShown(name, key, anchored, low, high, until_ms)
