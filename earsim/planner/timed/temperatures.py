"""What warms a thing up or cools it down, part of a relaxed plan."""

from __future__ import annotations

import math
from collections.abc import Iterator

from earsim.planner.timed.contents import Contents
from earsim.planner.timed.relaxed_plan import EMPTY, FILL, NOTHING, WAIT, Steps, cheapest, union
from earsim.processes.liquids import free_l
from earsim.world.live import TEMPERATURE
from earsim.world.numbers import number_of


class Temperatures(Contents):
    """Heaters, other bodies, rooms, and liquids that are mixed."""

    def _warming(self, node: str, bound: float, rising: bool) -> Iterator[Steps]:
        """Warming up where `rising`, else cooling down."""
        apparatus = self._apparatus
        assert apparatus is not None
        wait = frozenset({(WAIT, node, TEMPERATURE)})
        for heater, heats in apparatus.heaters:
            if (heats.power_w > 0.0) is not rising:
                continue
            place = self._exposed(node, heater, to_what_lies_on_it=heats.to == "on")
            yield union([place, self.active(heater, heats), wait])
        for other in (*apparatus.bodies, *apparatus.compartments):
            if other != node and self._is_beyond(other, bound, rising):
                yield union([self._exposed(node, other), wait])
        for room in self.world.blueprint.rooms.values():
            here = room.quantities.get(TEMPERATURE)
            if here is not None and (here > bound if rising else here < bound):
                yield union([self.inside(node, room.id), self._out(node), wait])
        if node in apparatus.live.vessels:
            yield from self._mixing(node, bound, rising)

    def _is_beyond(self, node: str, bound: float, rising: bool) -> bool:
        value = number_of(self.world, node, TEMPERATURE)
        return value is not None and (value > bound if rising else value < bound)

    def _exposed(self, node: str, other: str, *, to_what_lies_on_it: bool = False) -> Steps:
        """Heat goes between two bodies."""
        if node == other:
            return None if to_what_lies_on_it else NOTHING
        apparatus = self._apparatus
        assert apparatus is not None
        if other in apparatus.compartments and not to_what_lies_on_it:
            closed = self.world.states[other].get("is_open") is True
            lid = self.state(other, "is_open", False) if closed else NOTHING
            return union([self._somehow_in(node, other), lid])
        return self.at(node, "on", other)

    def _somehow_in(self, node: str, holder: str) -> Steps:
        """It lies in something, or what it lies in does."""
        ways = []
        place, within = self.world.location[node], node
        while True:
            if place.holder == holder:
                return NOTHING
            ways.append(self.at(within, "in", holder))
            if place.holder not in self.world.location:
                return cheapest(ways)
            within, place = place.holder, self.world.location[place.holder]

    def _out(self, node: str) -> Steps:
        """No compartment is closed around it."""
        apparatus, parts = self._apparatus, []
        place = self.world.location[node]
        while place.holder in self.world.location:
            if apparatus is not None and place.holder in apparatus.compartments:
                parts.append(cheapest([self.state(place.holder, "is_open", True), self.held(node)]))
            place = self.world.location[place.holder]
        return union(parts)

    def _mixing(self, node: str, bound: float, rising: bool) -> Iterator[Steps]:
        apparatus, world = self._apparatus, self.world
        assert apparatus is not None
        emptied: Steps = NOTHING
        if free_l(world, node) < 1e-6:
            emptied = union([self.held(node), frozenset({(EMPTY, node)})])
        for source in apparatus.live.sources:
            value = self._source_c(source)
            if value is not None and (value > bound if rising else value < bound):
                fill = frozenset({(FILL, node, source)})
                yield union([self.together(node, source), emptied, fill])
        low, high = (bound, math.inf) if rising else (-math.inf, bound)
        for other in apparatus.live.vessels:
            if other != node and number_of(world, other, TEMPERATURE) is not None:
                hot = self.amount(other, TEMPERATURE, low, high)
                yield union([hot, emptied, self._pouring(other, node, self._has(other, None))])

    def _source_c(self, source: str) -> float | None:
        given = self.problem.things[source].quantities.get(TEMPERATURE)
        room = self.world.blueprint.rooms.get(self.world.room_of(source) or "")
        return given if given is not None or room is None else room.quantities.get(TEMPERATURE)
