"""What brings liquid into a vessel or out of it, part of a relaxed plan."""

from __future__ import annotations

import math
from collections.abc import Iterator

from earsim.planner.timed.amounts import Amounts
from earsim.planner.timed.measuring import pours_for, stops_within
from earsim.planner.timed.relaxed_plan import (
    EMPTY,
    FILL,
    NOTHING,
    POUR,
    WAIT,
    Steps,
    cheapest,
    union,
)
from earsim.processes.flow import outlet
from earsim.schema.process import Flow
from earsim.world.live import CONTENT
from earsim.world.numbers import number_of

_SOME_KG = 1e-3


class Contents(Amounts):
    """Filling, pouring, emptying, and what runs through hoses."""

    def _filling(self, node: str, of: str | None, window: tuple[float, float]) -> Iterator[Steps]:
        apparatus = self._apparatus
        assert apparatus is not None
        live = apparatus.live
        for source, substance in live.sources.items():
            if of in (None, substance):
                fill = frozenset({(FILL, node, source)})
                yield union([self.together(node, source), self._uncovered(node), fill])
        for other in live.vessels:
            if other != node:
                yield self._pouring(other, node, self._measured(other, node, of, *window))
        for through, flow in apparatus.flows:
            yield self._streaming(through, flow, node, of)

    def _pouring(self, source: str, to: str, has: Steps) -> Steps:
        parts = [has, self.held(source), self.near(to)]
        parts += [self._uncovered(source), self._uncovered(to)]
        return union([*parts, frozenset({(POUR, source, to)})])

    def _measured(self, source: str, to: str, of: str | None, low: float, high: float) -> Steps:
        """There is something to pour that ends in a range; each time more is two steps more."""
        name = CONTENT if of is None else f"{of}_kg"
        missing = low - (number_of(self.world, to, name) or 0.0)
        pours = pours_for(self.world, source, of, missing)
        if pours > 1:
            again = [(WAIT, source, to, str(number)) for number in range(2, 2 * pours)]
            return union([self._has(source, of), frozenset(again)])
        if math.isinf(high) or stops_within(self.world, to, of, low, high):
            return self._has(source, of)
        return self._portion(source, name, max(missing, _SOME_KG), missing + high - low)

    def _portion(self, vessel: str, name: str, low: float, high: float) -> Steps:
        """Just so much in a vessel, but not for the sake of another portion in the same one.

        Two vessels would be measured by each other without end, by ever other amounts.
        """
        key = ("portion", vessel, name)
        if key in self._asking:
            self._cut.add(key)
            return None
        self._asking.add(key)
        found = self.amount(vessel, name, low, high)
        self._asking.discard(key)
        self._cut.discard(key)
        return found

    def _takes(self, vessel: str, source: str, of: str | None, low: float, high: float) -> bool:
        """Whether a vessel or a drain takes so much of what is in another that a range is left."""
        if low <= _SOME_KG:
            return True
        name = CONTENT if of is None else f"{of}_kg"
        there, now = number_of(self.world, source, name), number_of(self.world, vessel, name)
        if there is None or now is None:
            return False
        return stops_within(self.world, vessel, of, now + there - high, now + there - low)

    def _has(self, vessel: str, of: str | None) -> Steps:
        name = CONTENT if of is None else f"{of}_kg"
        return self.amount(vessel, name, _SOME_KG, math.inf)

    def _uncovered(self, vessel: str) -> Steps:
        closed = self.world.states[vessel].get("is_open") is False
        return self.state(vessel, "is_open", True) if closed else NOTHING

    def _streaming(self, through: str, flow: Flow, to: str, of: str | None) -> Steps:
        apparatus = self._apparatus
        assert apparatus is not None
        source = flow.from_ or through
        endless = apparatus.live.sources.get(source)
        if source == to or (endless is not None and of not in (None, endless)):
            return None
        has = NOTHING if endless is not None else self._has(source, of)
        led = self._led(through, flow, to)
        return union([has, led, self._running(through, flow)])

    def _led(self, through: str, flow: Flow, to: str) -> Steps:
        """What runs out somewhere comes to a vessel."""
        apparatus, timeline = self._apparatus, self.world.timeline
        assert apparatus is not None
        assert timeline is not None
        if flow.to is not None and flow.to in timeline.contents:
            return NOTHING if flow.to == to else None
        start = through if flow.to is None else flow.to
        if outlet(apparatus.live, timeline, start, flow) == to:
            return NOTHING
        ways = [self.linked(start, to)] if to in apparatus.fitting(start) else []
        ways += [
            union([self.linked(start, hose), self.linked(hose, to)])
            for hose in apparatus.hoses
            if hose in apparatus.fitting(start) and to in apparatus.fitting(hose)
        ]
        return cheapest(ways)

    def _draining(self, node: str, of: str | None, window: tuple[float, float]) -> Iterator[Steps]:
        apparatus = self._apparatus
        assert apparatus is not None
        held = union([self.held(node), self._uncovered(node)])
        if held is not None:
            if window[0] <= _SOME_KG:
                yield held | {(EMPTY, node)}
            for other in (*apparatus.live.vessels, *apparatus.live.drains):
                if other != node and self._takes(other, node, of, *window):
                    yield union([held, self.near(other), frozenset({(POUR, node, other)})])
        for through, flow in apparatus.flows:
            if (flow.from_ or through) == node:
                yield self._running(through, flow)
        for process in self._of(node):
            if process.burns is not None:
                yield self._running(node, process.burns)
