"""The numbers that change by themselves, as curves over the clock of an episode.

While an episode is carried out again, its world is looked at whenever the goal's watch is: when the
commands of a decision have been carried out, at every moment at which something changes, and when
the decision's time is over. Between two such moments every law holds, and is sampled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.dynamics import Constant, Linear
from earsim.processes.clock import Watch
from earsim.units import UNITS, split_quantity
from earsim.world import Blueprint, World
from earsim.world.timeline import FLOOR, Anchored, Key

_BETWEEN = 8
"""Samples of a curved law between two moments."""

_MOST_MOMENTS = 100
"""Moments of one decision that are looked at; what swings faster cannot be drawn."""

_DIGITS = 4


class Curves:
    """The samples of one episode.

    Attributes:
        points: of each number, seconds and values, in the order of the clock.
    """

    def __init__(self) -> None:
        self.points: dict[Key, list[tuple[float, float]]] = {}
        self._laws: Mapping[Key, Anchored] = {}
        self._now_ms = 0
        self._left = _MOST_MOMENTS

    def begin_decision(self) -> None:
        """Look at as many moments again."""
        self._left = _MOST_MOMENTS

    def look(self, world: World) -> None:
        """Take note of every number now, and of the way it took since the last look."""
        timeline, live = world.timeline, world.blueprint.live
        if timeline is None or live is None or not self._left:
            return
        self._left -= 1
        since_ms, now_ms = self._now_ms, timeline.now_ms
        for key, anchored in timeline.laws.items():
            if key[0] == FLOOR or key[1] in live.substances or key[0] in timeline.gone:
                continue
            points = self.points.setdefault(key, [])
            before = self._laws.get(key)
            if before is not None and now_ms > since_ms:
                points += _between(before, since_ms, now_ms)
            point = now_ms / 1000, _at(anchored, now_ms)
            if not points or points[-1] != point:
                points.append(point)
        self._laws, self._now_ms = timeline.laws.copy(), now_ms

    def beside(self, watch: Watch) -> Watch:
        """A watch that looks whenever the other does, and asks what that asks."""
        return _Watched(watch, self)

    def told(self, blueprint: Blueprint) -> list[dict[str, Any]]:
        """Every number that has changed: whose and which it is, and its points."""
        rank = blueprint.rank
        return [
            {"id": node, "number": name, "label": _label(name), "points": points}
            for (node, name), points in sorted(self.points.items(), key=lambda e: rank[e[0][0]])
            if len({value for _, value in points}) > 1
        ]


def _between(anchored: Anchored, since_ms: int, now_ms: int) -> list[tuple[float, float]]:
    """Where a law goes from one moment to the next, and where it comes to."""
    straight = isinstance(anchored.law, Constant | Linear)
    parts = 1 if straight else _BETWEEN + 1
    moments = [since_ms + (now_ms - since_ms) * part / parts for part in range(1, parts + 1)]
    return [(round(ms / 1000, 3), _at(anchored, ms)) for ms in moments]


def _at(anchored: Anchored, now_ms: float) -> float:
    return round(anchored.law.at((now_ms - anchored.since_ms) / 1000), _DIGITS) + 0.0


def _label(name: str) -> str:
    """`temperature, °C`."""
    parts = split_quantity(name)
    if parts is None:
        return name
    symbol = UNITS[parts.unit].symbol
    return parts.quantity.replace("_", " ") + (f", {symbol}" if symbol else "")


class _Watched:
    """The watch of a goal, which curves look over the shoulder of."""

    def __init__(self, watch: Watch, curves: Curves) -> None:
        self._watch = watch
        self._curves = curves

    @property
    def wanted(self) -> Mapping[Key, tuple[float, ...]]:
        """What the goal asks about."""
        return self._watch.wanted

    def note(self, world: World) -> None:
        """Look."""
        self._watch.note(world)
        self._curves.look(world)
