"""Sound ranges of live numbers: what none of them ever leaves, whatever is done.

Temperatures keep the maximum principle: without power, none leaves the hull of the temperatures
that are there. Power raises the hottest body by at most its energy over the least heat capacity,
and a battery gives no more energy than it has. Contents keep to capacities and to what there is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from earsim.dynamics.constants import SPECIFIC_HEAT_JPKGK
from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.timed.apparatus import PlannedApparatus
from earsim.schema.process import Active, Discharge, Heats, Process
from earsim.world.live import CHARGE, CONTENT, MELTED, MOISTURE, TEMPERATURE
from earsim.world.numbers import number_of
from earsim.world.power import faults
from earsim.world.timeline import Timeline

_ROUNDING = 1e-6
_SECONDS_AN_HOUR = 3600.0


class Range(NamedTuple):
    """The least and greatest value that a number can ever have."""

    least: float
    most: float

    def misses(self, low: float, high: float) -> bool:
        """Whether no value lies between two bounds."""
        slack = _ROUNDING * max(1.0, abs(self.least), abs(self.most)) if self.is_finite else 0.0
        return low > self.most + slack or high < self.least - slack

    @property
    def is_finite(self) -> bool:
        """Whether both ends are."""
        return math.isfinite(self.least) and math.isfinite(self.most)


class Ranges:
    """The ranges of one problem, from its start on."""

    def __init__(
        self, problem: Problem, relaxation: PhysicalRelaxation, apparatus: PlannedApparatus
    ) -> None:
        self._problem = problem
        self._relaxation = relaxation
        self._apparatus = apparatus
        self._world = problem.start
        self._temperatures: Range | None = None  # few goals ask for them

    def of(self, node: str, name: str) -> Range:
        """The range of a number of a thing; empty where it has none."""
        now = number_of(self._world, node, name)
        if name == MELTED and now is not None:
            return self._melted(node, now)
        if now is None:
            return Range(math.inf, -math.inf)
        if name == TEMPERATURE:
            return self.temperatures
        if name == CHARGE:
            return self._charge(node, now)
        if name == MOISTURE:
            return self._moisture(node, now)
        if node in self._apparatus.live.vessels:
            return self._contents(node, name)
        return Range(-math.inf, math.inf)

    # -- what can go on ----------------------------------------------------------------------------

    def can_be_active(self, node: str, process: Active) -> bool:
        """Whether a process can ever go on."""
        switch = process.of or node
        for state, value in process.while_.items():
            if not self._can_be(switch, state, value):
                return False
        return all(
            self._can_be(switch, fault, fault != "is_broken")
            for fault in faults(self._world, switch)
        )

    def _can_be(self, node: str, state: str, value: bool) -> bool:
        if self._world.states[node].get(state) is value:
            return True
        apparatus = self._apparatus
        if state == "is_plugged_in" and node in apparatus.live.fittings:
            return any(True for _ in apparatus.supplies(node))
        if self._relaxation.turns(node, state):
            return True
        near = node in self._relaxation.near
        return near and self._relaxation.can_flip(node, state, not value)

    # -- temperatures ------------------------------------------------------------------------------

    @property
    def temperatures(self) -> Range:
        """The hull of all temperatures there are, as far as power can widen it."""
        if self._temperatures is None:
            self._temperatures = self._hull()
        return self._temperatures

    def _hull(self) -> Range:
        found = list(self._found())
        warmer, colder = self._energy_j(warming=True), self._energy_j(warming=False)
        least_jpk = min(self._capacities(), default=math.inf)
        if not found:
            return Range(-math.inf, math.inf)
        return Range(min(found) - _over(colder, least_jpk), max(found) + _over(warmer, least_jpk))

    def _found(self) -> Iterator[float]:
        world = self._world
        for node in (*world.blueprint.rooms, *world.blueprint.things):
            value = number_of(world, node, TEMPERATURE)
            if value is not None:
                yield value

    def _capacities(self) -> Iterator[float]:
        """Heat capacities of bodies, without liquids."""
        for node, own in self._apparatus.live.processes.items():
            for process in own:
                heat, air = process.heat, process.compartment
                if air is not None:
                    yield air.air_jpk
                elif heat is not None and heat.heat_capacity_jpk is not None:
                    yield heat.heat_capacity_jpk
                elif heat is not None:
                    mass = self._problem.things[node].mass_kg
                    yield SPECIFIC_HEAT_JPKGK[heat.material or ""] * mass

    def _energy_j(self, *, warming: bool) -> float:
        """Heat that all power can ever bring in, or take away."""
        total = 0.0
        for node, heats in self._apparatus.heaters:
            counts = heats.power_w > 0.0 if warming else heats.power_w < 0.0
            if counts and self.can_be_active(node, heats):
                total += abs(heats.power_w) * self._longest_s(node, heats)
        return total

    def _longest_s(self, node: str, heats: Heats) -> float:
        """For how long a heater can run altogether, as its own battery says."""
        for process in self._apparatus.processes(node):
            discharge = process.discharge
            if discharge is None or not heats.of is discharge.of is None:
                continue
            if discharge.while_.items() <= heats.while_.items():
                return self.runtime_s(node, discharge)
        return math.inf

    # -- batteries ---------------------------------------------------------------------------------

    def runtime_s(self, node: str, discharge: Discharge) -> float:
        """For how long a battery lasts, if it can never be charged; without end otherwise."""
        now = number_of(self._world, node, CHARGE)
        if now is None or self._charges(node):
            return math.inf
        capacity_wh = self._problem.things[node].quantities["capacity_wh"]
        return capacity_wh * _SECONDS_AN_HOUR * now / 100 / discharge.power_w

    def _charges(self, node: str) -> bool:
        own = self._apparatus.processes(node)
        return any(p.charge is not None and self._may_charge(node, p.charge) for p in own)

    def _may_charge(self, node: str, process: Active) -> bool:
        switch = process.of or node
        return all(self._can_be(switch, s, value) for s, value in process.while_.items())

    def _charge(self, node: str, now: float) -> Range:
        own: tuple[Process, ...] = self._apparatus.processes(node)
        runs = any(p.discharge is not None and self.can_be_active(node, p.discharge) for p in own)
        return Range(0.0 if runs else now, 100.0 if self._charges(node) else now)

    # -- moisture and phase ------------------------------------------------------------------------

    def _moisture(self, node: str, now: float) -> Range:
        for process in self._apparatus.processes(node):
            drying = process.drying
            if drying is not None and self.can_be_active(node, drying):
                return Range(min(now, drying.equilibrium_ratio), max(now, drying.equilibrium_ratio))
        return Range(now, now)

    def _melted(self, node: str, now: float) -> Range:
        for process in self._apparatus.processes(node):
            if process.phase is not None:
                at_c, hull = process.phase.at_c, self.temperatures
                least = 0.0 if hull.least < at_c else now
                return Range(least, 100.0 if hull.most > at_c else now)
        return Range(now, now)

    # -- contents ----------------------------------------------------------------------------------

    def _contents(self, node: str, name: str) -> Range:
        live = self._apparatus.live
        capacity = self._problem.things[node].capacity_l
        room_l = math.inf if capacity is None else capacity
        if name == CONTENT:
            litres = sum(self._total_l(each) for each in live.substances)
            return Range(0.0, min(room_l, litres))
        if name == "mass_kg":
            own = self._problem.things[node].mass_kg
            there = [each for each in live.substances if self._total_l(each) > 0.0]
            most = max([live.substances[each].density_kgpl for each in there], default=0.0)
            kg = sum(self._total_l(s) * live.substances[s].density_kgpl for s in there)
            return Range(own, own + min(room_l * most if there else 0.0, kg))
        substance = live.substances.get(name.removesuffix("_kg"))
        if substance is None:
            return Range(-math.inf, math.inf)
        return Range(0.0, substance.density_kgpl * min(room_l, self._total_l(substance.id)))

    def _total_l(self, name: str) -> float:
        """How much of a substance there is in all vessels; without end where a source gives it."""
        live, timeline = self._apparatus.live, self._world.timeline
        if name in live.sources.values():
            return math.inf
        assert isinstance(timeline, Timeline)
        grams = sum(timeline.grams(vessel, name) for vessel in timeline.contents)
        return max(0.0, grams) / 1000 / live.substances[name].density_kgpl


def _over(energy_j: float, capacity_jpk: float) -> float:
    return energy_j / capacity_jpk if energy_j else 0.0
