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
from earsim.pickled import Frozen
from earsim.world import World
from earsim.world.containment import ancestors

Note = Callable[[Any, World], Any]
"""What is remembered, from what was remembered and the world as it is now."""


@dataclass(frozen=True, slots=True)
class Monitor(Frozen):
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
LATE = "late"
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


def by(inner: Predicate, seconds: float) -> Note:
    """It held at a moment no later than that; that is never undone."""
    return partial(_by, inner, seconds * 1000)


def _by(inner: Predicate, until_ms: float, memory: Any, world: World) -> Any:
    if memory in (MET, LATE):
        return memory
    assert world.timeline is not None
    if world.timeline.now_ms > until_ms:
        return LATE
    return MET if inner(world) else None


def trips(room: str, things: tuple[str, ...]) -> Note:
    """How often somebody came into a room with some of these things, and who is there now.

    Those who carry one thing together make one trip. Who is there at first, and who only passes
    through on the way to another room, has made none.
    """
    return partial(_trips, room, things)


def _trips(room: str, things: tuple[str, ...], memory: Any, world: World) -> Any:
    here = tuple([agent for agent, state in world.agents.items() if state.room == room])
    made, before = (0, here) if memory is None else memory
    entered = [agent for agent in here if agent not in before]
    if entered:
        carrying = _carrying(things, world)
        loads = {world.agents[agent].carrying or agent for agent in entered if agent in carrying}
        made += len(loads)
    return made, here


def _carrying(things: tuple[str, ...], world: World) -> set[str]:
    """The agents that have some of these things with them, in or on others as well."""
    found: set[str] = set()
    for thing in things:
        for node in (thing, *ancestors(world, thing)):
            found.update(world.carriers.get(node, ()))
            if node in world.agents:
                found.add(node)
    return found


def made_at_most(number: int, most: int, world: World) -> bool:
    """Whether no more trips were made than that, as far as a monitor remembers."""
    return trips_made(number, world) <= most


def trips_made(number: int, world: World) -> int:
    """The trips that a monitor has counted."""
    timeline = world.timeline
    memory = None if timeline is None else timeline.monitors.get(number)
    return 0 if memory is None else int(memory[0])


def clock_at_most(seconds: float) -> Predicate:
    """The clock shows no more than that."""
    return partial(_clock_at_most, seconds)


def _clock_at_most(seconds: float, world: World) -> bool:
    return world.clock <= seconds
