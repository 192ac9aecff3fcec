"""Proof of a timed plan by replay: it reaches the goal, and no close call decides that.

A crossing is a moment at which, while time passes, a part of the goal becomes true or false or a
state turns by itself. Constants of laws are the same everywhere, sums of floats may differ in their
last digits; so a plan counts only where every crossing is some milliseconds from the moments at
which commands take effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isclose
from typing import NamedTuple, TypeGuard

from earsim.actions.outcome import Outcome, Refusal
from earsim.actions.verb import Call, Verb
from earsim.engine import Engine
from earsim.planner.laboratory.demands import OF_APPARATUS
from earsim.planner.timed.conditions import (
    AmountCondition,
    Condition,
    Fact,
    Lasting,
    condition_of,
    parts_of,
)
from earsim.processes.edges import renew_edges
from earsim.world import World
from earsim.world.numbers import number_of
from earsim.world.timeline import Key

FAR_MS = 3_600_000
"""Margins are told up to an hour."""

_MS = 1000
_SAME = 1e-9


class Proved(NamedTuple):
    """What a replay showed.

    Attributes:
        decisions: after how many of them the goal holds for the first time.
        seconds: what the clock shows then, less what it showed at first.
        margin_ms: how far the nearest crossing is from a moment at which commands take effect.
        world: the state then.
    """

    decisions: int
    seconds: int
    margin_ms: int
    world: World


class Witness:
    """Takes decisions as an engine does, and looks at the goal whenever time passes.

    Attributes:
        watch: itself: what the clock asks.
    """

    def __init__(self, engine: Engine, goal: Condition) -> None:
        """Watch over a goal, as `condition_of` reads it."""
        self._engine = engine
        parts = list(parts_of(goal))
        self._facts = [part for part in parts if _crosses(part)]
        self._lasting = [part for part in parts if isinstance(part, Lasting)]
        self._truths: tuple[bool, ...] | None = None
        self._at_bound: dict[int, int] = {}
        self._held: frozenset[int] = frozenset()
        self._crossings: set[int] = set()
        self.watch = self

    def step(self, world: World, commands: Mapping[str, str]) -> frozenset[int]:
        """Take a decision; returns the crossings in it, in ms. What commands change is none."""
        self._truths, self._at_bound, self._crossings = None, {}, set()
        start_ms = world.clock * _MS
        self._held = frozenset([n for n, p in enumerate(self._facts) if _is_still(p, world)])
        self._engine.ruleset.decide(self, world, commands)
        timeline, live = world.timeline, world.blueprint.live
        if timeline is not None:
            rigs = () if live is None else live.rigs
            turned = [event for event in timeline.events if event.node not in rigs]
            self._crossings |= {event.at_ms for event in turned if event.at_ms > start_ms}
        return frozenset(self._crossings)

    # -- as an executor ----------------------------------------------------------------------------

    def parse(self, text: str) -> Call | Refusal:
        """As the engine does."""
        return self._engine.parse(text)

    def verbatim(self, text: str) -> Verb | None:
        """As the engine does."""
        return self._engine.verbatim(text)

    def execute(
        self, world: World, agent: str, text: str, partners: tuple[str, ...] = ()
    ) -> Outcome:
        """As the engine does."""
        return self._engine.execute(world, agent, text, partners)

    # -- as a watch --------------------------------------------------------------------------------

    @property
    def wanted(self) -> Mapping[Key, tuple[float, ...]]:
        """What the goal asks about."""
        return self._engine.task.goal.wanted

    def note(self, world: World) -> None:
        """Look at the goal, and at what has become true or false of it."""
        self._engine.task.goal.note(world)
        timeline = world.timeline
        assert timeline is not None, "numbers change, or conditions are over time"
        now = tuple([part.predicate(world) for part in self._facts])
        if self._truths is not None:
            pairs = enumerate(zip(self._truths, now, strict=True))
            turned = [n for n, (before, after) in pairs if before is not after]
            self._crossings |= {self._at_bound.get(n, timeline.now_ms) for n in turned}
        held = (
            self._held if self._truths is None else ()
        )  # a command lets it go, which is no crossing
        parts = enumerate(self._facts)
        here = [n for n, part in parts if n not in held and _is_at_a_bound(part, world)]
        self._truths = now
        self._at_bound = dict.fromkeys(here, timeline.now_ms)
        for part in self._lasting:
            memory = timeline.monitors.get(part.number)
            if isinstance(memory, int) and memory % _MS:
                self._crossings.add(memory + part.ms)


def _crosses(part: Condition) -> TypeGuard[AmountCondition | Fact]:
    """Whether a part may turn by itself; what comes of runs does so at moments that are exact."""
    return isinstance(part, AmountCondition) or (
        isinstance(part, Fact) and part.key not in OF_APPARATUS
    )


def _is_at_a_bound(part: Condition, world: World) -> bool:
    """Whether a number is at an end of its range, and may be seen outside only later."""
    if not isinstance(part, AmountCondition):
        return False
    value = number_of(world, part.node, part.name)
    bounds = (part.low, part.high)
    return value is not None and any(
        isclose(value, b, rel_tol=_SAME, abs_tol=_SAME) for b in bounds
    )


def _is_still(part: Condition, world: World) -> bool:
    """Whether a number stays as it is, full or at its boiling point."""
    timeline = world.timeline
    if not isinstance(part, AmountCondition) or timeline is None:
        return True
    anchored = timeline.laws.get((part.node, part.name))
    return anchored is None or anchored.law.is_constant


def watched(engine: Engine, world: World) -> World:
    """A copy of a world in which time stops at the values that the goal asks about.

    An engine whose goal has no conditions over time need not stop at them; a witness does.
    """
    world = world.copy()
    timeline, live, wanted = world.timeline, world.blueprint.live, engine.task.goal.wanted
    if timeline is not None and live is not None:
        for key in wanted:
            timeline.forget_edge(key)
        renew_edges(world, live, timeline, wanted)
    return world


def proved(engine: Engine, world: World, decisions: Sequence[Mapping[str, str]]) -> Proved | None:
    """Play a plan from a state, which is left as it is; None where it does not reach the goal."""
    goal, world = condition_of(engine), watched(engine, world)
    witness, started = Witness(engine, goal), world.clock
    moments = [world.clock * _MS]
    crossings: set[int] = set()
    for number, commands in enumerate(decisions, start=1):
        crossings |= witness.step(world, commands)
        moments.append(world.clock * _MS)
        if engine.task.goal.holds(world):
            margin = margin_ms(crossings.union(_ahead(engine, world)), moments)
            return Proved(number, world.clock - started, margin, world)
    return None


def _ahead(engine: Engine, world: World) -> Iterable[int]:
    """The next crossing of every number that the goal reads, as seen from a state."""
    timeline, live = world.timeline, world.blueprint.live
    if timeline is None or live is None:
        return []
    renew_edges(world, live, timeline, engine.task.goal.wanted)
    edges = [timeline.edges.get(key) for key in engine.task.goal.wanted]
    return [edge.at_ms for edge in edges if edge is not None]


def margin_ms(crossings: Iterable[int], moments: Sequence[int]) -> int:
    """Distance of the nearest pair of a crossing and a moment; at most `FAR_MS`."""
    return min([FAR_MS, *[abs(at - each) for at in crossings for each in moments]])
