"""`heat1d/1`: a slab that cools or warms through one face for 240 s."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from earsim.apparatus.grid_model import CHECKED, GridModel, checked_results
from earsim.apparatus.growth import Growth
from earsim.apparatus.heat1d.equations import END_S, Array, Conditions, Discretisation, march
from earsim.apparatus.model import Advanced, Expected, ModelEvent, ModelOutput, Sample, Severity
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.publish import publish

RATE = 2e5
HOTTEST = 1e6
"""Beyond this magnitude, in degrees Celsius, a temperature means nothing."""

PARAMETERS = (
    Parameter("n", "cells", 32, low=8, high=2048, integer=True),
    Parameter("cfl", "step over the stable one", 0.5, low=0, high=1, above_low=True),
    Parameter("wall", "how convection meets the slab", "surface", choices=("surface", "plain")),
    Parameter("L", "length of the slab", 0.2, unit="m", low=0.1, high=0.3),
    Parameter("k", "conductivity", 0.75, unit="W/(m K)", low=0.5, high=1),
    Parameter("h", "coefficient of convection", 100.0, unit="W/(m2 K)", low=0.1, high=1e4),
    Parameter("rho", "density", 1500.0, unit="kg/m3", low=1000, high=2000),
    Parameter("cp", "heat capacity", 900.0, unit="J/(kg K)", low=800, high=1000),
    Parameter("T_inf", "temperature of the fluid", -10.0, unit="C", low=-40, high=40),
    Parameter("T_init", "temperature at the start", 20.0, unit="C", low=0, high=30),
)
CHANNELS = (
    ModelOutput("flux_wpm2", "W/m2", "heat flux out of the cooled face"),
    ModelOutput("wall_c", "C", "temperature of the cooled face"),
    ModelOutput("mean_c", "C", "mean temperature"),
    ModelOutput("end_c", "C", "temperature at the adiabatic end"),
)


@dataclass(frozen=True, slots=True)
class SlabState:
    """A run after some of its steps.

    Attributes:
        settings: of the run.
        grid: its coefficients.
        temperatures: (n,) of cells or (n + 1,) of nodes, from the cooled face; never written to.
        step: steps done.
        growth: of the greatest magnitude from step to step; only of the plain wall.
        raised: names of the events raised once and for all.
        failed: the event that ended the run.
    """

    settings: Settings
    grid: Discretisation
    temperatures: Array
    step: int
    growth: Growth
    raised: frozenset[str] = frozenset()
    failed: str | None = None

    @property
    def done(self) -> bool:
        """All steps are done."""
        return self.failed is None and self.step == self.grid.steps

    @property
    def t(self) -> float:
        """Time inside the model, in s."""
        return END_S if self.step == self.grid.steps else self.step * self.grid.dt

    @property
    def spent(self) -> int:
        """Cost units so far: n a step."""
        return self.step * int(self.settings["n"])


class Heat1d(GridModel):
    """Explicit finite volumes for a slab with convection at one face."""

    id = "heat1d/1"
    title = "heat conduction through a slab"
    parameters = PARAMETERS
    channels = CHANNELS
    quantities = (
        *CHANNELS,
        ModelOutput("steps", "", "steps done"),
        ModelOutput("cost", "flop", "cost units of the run"),
        *CHECKED,
    )
    events = ("diverging", "out_of_range", "nan", "done")
    rate = RATE
    coarsest: ClassVar[int] = 8

    def start(self, settings: Settings) -> SlabState:
        """A slab of one temperature."""
        slab = Conditions.of(settings)
        grid = Discretisation.of(
            slab,
            n=int(settings["n"]),
            cfl=float(settings["cfl"]),
            plain=settings["wall"] == "plain",
        )
        temperatures = np.full(grid.unknowns, slab.initial)
        temperatures.setflags(write=False)
        growth = Growth(max(abs(slab.initial), abs(slab.fluid)))
        return SlabState(settings, grid, temperatures, 0, growth.seen(abs(slab.initial)))

    def advance(self, state: SlabState, allowance: float) -> Advanced:
        """Do all whole steps that an allowance of cost units, counted from the start, pays for."""
        samples: list[Sample] = []
        events: list[ModelEvent] = []
        frames = frozenset(state.grid.frame_steps())
        before = state.step
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is an event
            for stop in _stops(state, allowance, frames):
                state = _marched(state, stop)
                if state.grid.halves:
                    state = _watched(state, events)
                if state.failed:
                    break
                if stop in frames:
                    samples.append(Sample(state.spent, publish(state.t), self._channels(state)))
        if state.done and state.step > before:
            facts = {"steps": state.step, "cost": state.spent}
            events.append(_event(state, "done", Severity.INFO, facts))
        fraction = state.step / state.grid.steps
        return Advanced(
            state=state,
            samples=tuple(samples),
            events=tuple(events),
            spent=state.spent,
            fraction=fraction,
            done=state.done,
            failed=state.failed,
        )

    def results(self, state: SlabState) -> Mapping[str, Value | None]:
        """Channels as they are, and the error once the run is done (a second run on 2n cells)."""
        names = (channel.name for channel in CHANNELS)
        here = dict(zip(names, self._channels(state), strict=True))
        check = self.check(state.settings) if state.done else None
        numbers = {name: value if np.isfinite(value) else None for name, value in here.items()}
        return {**numbers, "steps": state.step, "cost": state.spent, **checked_results(check)}

    def expected(self, settings: Settings) -> Expected:
        """Known beforehand: n for each of the steps."""
        cost = float(self.start(settings).grid.steps * int(settings["n"]))
        return Expected(cost, cost)

    def difference(self, coarse: SlabState, fine: SlabState) -> float:
        """Relative difference of the flux at the end."""
        flux, truth = (run.grid.flux(run.temperatures) for run in (coarse, fine))
        if truth == 0:  # slab and fluid are equally warm
            return 0.0 if flux == 0 else math.inf
        return abs(flux - truth) / abs(truth)

    def sound(self, state: SlabState) -> bool:
        """No event but the end."""
        return not state.raised

    def _channels(self, state: SlabState) -> tuple[float, ...]:
        grid, temperatures = state.grid, state.temperatures
        flux = grid.flux(temperatures)
        face = grid.fluid + flux / float(state.settings["h"])
        values = (flux, face, grid.mean(temperatures), float(temperatures[-1]))
        return tuple(publish(value) for value in values)


def _stops(state: SlabState, allowance: float, frames: frozenset[int]) -> list[int]:
    """Steps after which to look: the frames and the last one, or every one of a plain wall."""
    if state.failed:
        return []
    n = int(state.settings["n"])
    last = state.grid.steps
    if allowance < last * n:
        last = int((allowance + 1e-6) // n)  # an allowance is a product of floats
    ahead = range(state.step + 1, last + 1)
    if state.grid.halves:
        return list(ahead)
    return [step for step in ahead if step in frames or step == last]


def _marched(state: SlabState, stop: int) -> SlabState:
    temperatures = state.temperatures.copy()
    march(state.grid, temperatures, stop - state.step)
    temperatures.setflags(write=False)
    return SlabState(
        state.settings, state.grid, temperatures, stop, state.growth, state.raised, state.failed
    )


def _watched(state: SlabState, events: list[ModelEvent]) -> SlabState:
    """The state with the events of one more step; only the plain wall can be unstable."""
    magnitude = float(np.abs(state.temperatures).max())
    growth = state.growth.seen(magnitude)
    if not math.isfinite(magnitude):
        events.append(_event(state, "nan", Severity.ERROR, {"step": state.step}))
        return replace(state, growth=growth, failed="nan")
    facts = {"step": state.step, "largest_c": publish(magnitude)}
    raised = set(state.raised)
    if growth.diverging and "diverging" not in raised:
        raised.add("diverging")
        events.append(_event(state, "diverging", Severity.WARNING, facts))
    if magnitude > HOTTEST and "out_of_range" not in raised:
        raised.add("out_of_range")
        limit = {"limit_c": HOTTEST}
        events.append(_event(state, "out_of_range", Severity.WARNING, facts | limit))
    return replace(state, growth=growth, raised=frozenset(raised))


def _event(
    state: SlabState, name: str, severity: Severity, facts: Mapping[str, Value]
) -> ModelEvent:
    return ModelEvent(state.spent, publish(state.t), name, severity, facts)
