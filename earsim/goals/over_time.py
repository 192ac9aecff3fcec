"""Conditions over time: what has held for so long, never, or before something else.

They live in the world: a copy of it remembers what it remembers. They are looked at whenever
something may have changed: after the commands of a decision, at every edge while time passes, and
at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from earsim.goals.predicate import Predicate
from earsim.world import World

Note = Callable[[Any, World], Any]
"""What is remembered, from what was remembered and the world as it is now."""


@dataclass(frozen=True, slots=True)
class Monitor:
    """One condition over time.

    Attributes:
        number: its place among those of the goal.
        note: how its memory goes on.
    """

    number: int
    note: Note

    def look(self, world: World) -> None:
        """Take note of the world as it is now."""
        assert world.timeline is not None, "a goal with conditions over time gives a timeline"
        monitors = world.timeline.monitors
        monitors[self.number] = self.note(monitors.get(self.number), world)


def remembers(number: int, met: object, world: World) -> bool:
    """Whether the memory of a monitor says that its condition is met."""
    timeline = world.timeline
    return timeline is not None and bool(timeline.monitors.get(number) == met)


MET = "met"
VIOLATED = "violated"
_FIRST = "first"
_WRONG_ORDER = "wrong order"


def never(inner: Predicate) -> Note:
    """It has held at no time."""
    return partial(_never, inner)


def _never(inner: Predicate, memory: Any, world: World) -> str:
    return VIOLATED if memory == VIOLATED or inner(world) else MET


def held_for(inner: Predicate, seconds: float) -> Note:
    """It has held for so long without a break; that is never undone."""
    return partial(_held_for, inner, round(seconds * 1000))


def _held_for(inner: Predicate, long_ms: int, memory: Any, world: World) -> Any:
    if memory == MET:
        return MET
    assert world.timeline is not None
    now_ms = world.timeline.now_ms
    if memory is not None and now_ms - memory >= long_ms:
        return MET
    if not inner(world):
        return None
    return now_ms if memory is None else memory


def before(first: Predicate, then: Predicate) -> Note:
    """The one has held before the other did; that is never undone."""
    return partial(_before, first, then)


def _before(first: Predicate, then: Predicate, memory: Any, world: World) -> Any:
    if memory in (MET, _WRONG_ORDER):
        return memory
    if then(world):
        return MET if memory == _FIRST else _WRONG_ORDER
    return _FIRST if memory == _FIRST or first(world) else None


def clock_at_most(seconds: float) -> Predicate:
    """The clock shows no more than that."""
    return partial(_clock_at_most, seconds)


def _clock_at_most(seconds: float, world: World) -> bool:
    return world.clock <= seconds
