"""What brings a live number into a range, part of a relaxed plan; also energy, and states."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.timed.apparatus import PlannedApparatus
from earsim.planner.timed.relaxed_plan import NOTHING, WAIT, Needs, Steps, cheapest, union
from earsim.planner.timed.stores import used_in
from earsim.schema.process import Active
from earsim.world.live import CHARGE, CONTENT, MELTED, MOISTURE, TEMPERATURE
from earsim.world.numbers import mass_of, number_of
from earsim.world.power import has_energy

_SOON_S = 6.0
"""What is to be of use has energy for so long: to be switched on, and used once."""


class Amounts(Needs, ABC):
    """What brings numbers where they are wanted, in one state after the other.

    How temperatures and contents get there, subclasses say.

    Attributes:
        arrivals: moments in ms at which numbers come where they are needed, all by themselves.
    """

    def __init__(
        self,
        problem: Problem,
        relaxation: PhysicalRelaxation,
        apparatus: PlannedApparatus | None,
    ) -> None:
        super().__init__(problem, relaxation)
        self._apparatus = apparatus
        self.arrivals: set[int] = set()

    def amount(self, node: str, name: str, low: float, high: float) -> Steps:
        """A number lies in a range."""
        return self.ask(self._amount, node, name, low, high)

    def _amount(self, node: str, name: str, low: float, high: float) -> Steps:
        value = number_of(self.world, node, name)
        if value is None or self._apparatus is None:
            return None
        if low <= value <= high:
            return NOTHING
        rising = value < low
        bound = low if rising else high
        if self._comes(node, name, bound, rising=rising):
            return frozenset({(WAIT, node, name)})
        return cheapest(self._ways(node, name, bound, rising, high if rising else low))

    def _comes(self, node: str, name: str, bound: float, *, rising: bool) -> bool:
        """Whether the number comes to a bound by itself, and take note of when."""
        timeline = self.world.timeline
        key = (node, name[:-3] if name.endswith("_kg") and name != "mass_kg" else name)
        if timeline is None or key not in timeline.laws:
            return False
        law, since_ms = timeline.laws[key]
        if key[1] != name:
            bound *= 1000
        t = law.crosses(bound, rising=rising, after=(timeline.now_ms - since_ms) / 1000)
        if t is None:
            return False
        self.arrivals.add(math.ceil(since_ms + 1000 * t))
        return True

    def _ways(
        self, node: str, name: str, bound: float, rising: bool, end: float
    ) -> Iterator[Steps]:
        """What brings a number to a bound, and not past the other end of its range."""
        if name == TEMPERATURE:
            yield from self._warming(node, bound, rising)
        elif name == CHARGE:
            yield from self._charging(node, rising)
        elif name == MOISTURE:
            for process in self._of(node):
                if process.drying is not None and not rising:
                    yield self._running(node, process.drying)
        elif name == MELTED:
            for process in self._of(node):
                if process.phase is not None:
                    yield from self._warming(node, process.phase.at_c, rising)
        elif name == CONTENT or name.endswith("_kg"):
            of = None if name in (CONTENT, "mass_kg") else name[:-3]
            fills = self._filling if rising else self._draining
            yield from fills(node, of, (min(bound, end), max(bound, end)))

    def _held(self, node: str) -> Steps:
        """As everywhere; what is too heavy for now has to be emptied first."""
        return union([super()._held(node), self._lightened(node)])

    def _lightened(self, node: str) -> Steps:
        apparatus = self._apparatus
        if apparatus is None or node not in apparatus.live.vessels:
            return NOTHING
        limits = [self.problem.bodies[actor].max_mass_kg for actor in self.problem.actors]
        limit = sum(limits) if self.relaxation.can_lift(node) else max(limits)
        if mass_of(self.world, node) <= limit:
            return NOTHING
        return self.amount(node, "mass_kg", -math.inf, limit)

    def _of(self, node: str) -> tuple[Any, ...]:
        return () if self._apparatus is None else self._apparatus.processes(node)

    def _running(self, node: str, process: Active) -> Steps:
        """A process goes on, and time passes."""
        return union([self.active(node, process), frozenset({(WAIT, node, "runs")})])

    def active(self, node: str, process: Active) -> Steps:
        """A process goes on."""
        return union([self.switched(node, process), self.working(process.of or node)])

    def switched(self, node: str, process: Active) -> Steps:
        """The states that a process asks for have their values."""
        switch = process.of or node
        return union([self.state(switch, name, value) for name, value in process.while_.items()])

    def working(self, node: str) -> Steps:
        """It is in order and has the energy it needs."""
        return self.ask(self._working, node)

    def _working(self, node: str) -> Steps:
        parts = [super().working(node)]
        for process in self._of(node):
            store = used_in(self.world, node, process, _SOON_S)
            if store is not None:
                parts.append(self.amount(*store, math.inf))
        if not has_energy(self.world, node):
            parts += self._supply(node)
        return union(parts)

    def _supply(self, node: str) -> Iterator[Steps]:
        """What it is plugged into gives power."""
        apparatus, timeline = self._apparatus, self.world.timeline
        if timeline is None or apparatus is None:
            return
        for first, second, _ in timeline.links:
            other = {first: second, second: first}.get(node)
            if other is not None and other in apparatus.live.supplies:
                yield self.working(other)

    def _charging(self, node: str, rising: bool) -> Iterator[Steps]:
        for process in self._of(node):
            if process.charge is not None and rising:  # an empty battery charges, too
                wait = frozenset({(WAIT, node, "runs")})
                yield union([self.switched(node, process.charge), wait])
            if process.discharge is not None and not rising:
                yield self._running(node, process.discharge)

    @abstractmethod
    def _warming(self, node: str, bound: float, rising: bool) -> Iterator[Steps]:
        """Ways of warming up where `rising`, else of cooling down."""

    @abstractmethod
    def _filling(self, node: str, of: str | None, window: tuple[float, float]) -> Iterator[Steps]:
        """Ways of putting liquid in."""

    @abstractmethod
    def _draining(self, node: str, of: str | None, window: tuple[float, float]) -> Iterator[Steps]:
        """Ways of taking liquid out."""

    # -- states ------------------------------------------------------------------------------------

    def _ways_to_set(self, node: str, attribute: str, value: Any) -> Iterator[Steps]:
        apparatus = self._apparatus
        if apparatus is not None:
            if attribute in ("is_plugged_in", "is_connected") and node in apparatus.live.fittings:
                yield from self._plugging(node, attribute, value)
                return
            for process in self._of(node):
                each, crossing = process.state, process.crossing
                if each is not None and each.name == attribute:
                    yield self._beyond(node, each, value is True)
                if crossing is not None and crossing.sets.get(attribute) is value:
                    yield self._beyond(node, crossing, True)
        if not self._is_derived(node, attribute):
            yield from super()._ways_to_set(node, attribute, value)

    def _is_derived(self, node: str, attribute: str) -> bool:
        apparatus = self._apparatus
        return apparatus is not None and attribute in apparatus.live.derived.get(node, ())

    def _beyond(self, node: str, threshold: Any, beyond: bool) -> Steps:
        rising = (threshold.at_least is not None) is beyond
        low, high = (threshold.bound, math.inf) if rising else (-math.inf, threshold.bound)
        value = number_of(self.world, node, threshold.of)
        found = self.amount(node, threshold.of, low, high)
        if found == NOTHING and value is not None:  # beyond it already: it comes when it comes
            return frozenset({(WAIT, node, threshold.of)})
        return found

    def _plugging(self, node: str, attribute: str, value: Any) -> Iterator[Steps]:
        apparatus = self._apparatus
        assert apparatus is not None
        plug = attribute == "is_plugged_in"
        others = apparatus.supplies(node) if plug else apparatus.fitting(node)
        if value is True:
            for other in others:
                yield union([self.linked(node, other), self.working(other) if plug else NOTHING])
        else:
            yield union([self.near(node), self.untied_from_all(node)])

    def untied_from_all(self, node: str) -> Steps:
        """Nothing is joined to it."""
        timeline = self.world.timeline
        links = () if timeline is None else timeline.links
        return frozenset([("disconnect", a, b) for a, b, _ in links if node in (a, b)])
