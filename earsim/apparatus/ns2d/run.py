"""A run of the channel: its settings, its state between steps, and what a step tells."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from earsim.apparatus.model import ModelEvent, Sample, Severity
from earsim.apparatus.ns2d.channel import channel, entered
from earsim.apparatus.ns2d.grid import FlowField, divergence
from earsim.apparatus.ns2d.metric import mean_energy, root_mean_square, velocity_error
from earsim.apparatus.ns2d.setup import Setup
from earsim.apparatus.ns2d.step import Numerics, Stepped, step
from earsim.apparatus.parameter import Settings
from earsim.apparatus.publish import publish

END = 1.0
"""Time at which a run is over."""

GROWTH = 10.0
"""A flow diverges that gets so many times faster within `WINDOW` steps, and than its start."""

WINDOW = 5


class FlowSettings(NamedTuple):
    """The settings of a run, typed; equal ones are the same run."""

    shape: str
    reynolds: float
    resolution: int
    cfl: float
    omega: float
    threshold: float

    @classmethod
    def of(cls, settings: Settings) -> FlowSettings:
        """From settings that have been checked."""
        return cls(
            shape=str(settings["boundary"]),
            reynolds=float(settings["reynolds"]),
            resolution=int(settings["resolution"]),
            cfl=float(settings["cfl"]),
            omega=float(settings["relaxation_factor"]),
            threshold=float(settings["residual_threshold"]),
        )

    @property
    def steps(self) -> int:
        """Time steps of a whole run: the fewest that are no longer than cfl dx."""
        return math.ceil(END * self.resolution / self.cfl * (1.0 - 1e-12))

    @property
    def numerics(self) -> Numerics:
        """How the flow is stepped."""
        return Numerics(END / self.steps, self.reynolds, self.omega, self.threshold)

    @property
    def setup(self) -> Setup:
        """The channel."""
        return channel(self.shape, self.resolution)

    @property
    def doubled(self) -> FlowSettings:
        """The same on a grid twice as fine."""
        return self._replace(resolution=2 * self.resolution)

    def cost(self, steps: int, iterations: int) -> float:
        """Cost units of so many steps with so many pressure sweeps in all, cell by cell."""
        return 2.0 * self.resolution**2 * (steps + iterations)


@dataclass(frozen=True, slots=True, eq=False)
class FlowRun:
    """A run after some steps.

    Attributes:
        checked: settings.
        flow: velocity and pressure.
        steps: done.
        iterations: pressure sweeps done.
        capped: steps whose pressure did not converge.
        fastest: greatest velocity components of the last samples, newest last.
        raised: names of the events so far.
        following: the next step, where its cost had to be known but was not paid for.
    """

    checked: FlowSettings
    flow: FlowField
    steps: int = 0
    iterations: int = 0
    capped: int = 0
    fastest: tuple[float, ...] = (1.0,)
    raised: frozenset[str] = frozenset()
    following: Stepped | None = None

    @classmethod
    def begun(cls, checked: FlowSettings) -> FlowRun:
        """A run that has done nothing yet."""
        return cls(checked, entered(checked.setup))

    @property
    def spent(self) -> float:
        """Cost units since the start."""
        return self.checked.cost(self.steps, self.iterations)

    @property
    def t(self) -> float:
        """Time in the flow."""
        return self.steps * END / self.checked.steps

    @property
    def failed(self) -> bool:
        """A velocity is no number any more."""
        return not math.isfinite(self.fastest[-1])

    @property
    def over(self) -> bool:
        """No step is left, or none can be done."""
        return self.failed or self.steps == self.checked.steps

    def foreseen(self) -> tuple[FlowRun, Stepped]:
        """The same run with its next step computed, and that step."""
        if self.following is not None:
            return self, self.following
        # a flow that blows up does so silently, and shows it in its numbers
        with np.errstate(all="ignore"):
            following = step(self.checked.setup, self.flow, self.checked.numerics)
        return replace(self, following=following), following

    def cost_of(self, following: Stepped) -> float:
        """Cost units since the start, once the next step is done."""
        return self.checked.cost(self.steps + 1, self.iterations + following.iterations)

    def after(self, following: Stepped) -> FlowRun:
        """The run one step on."""
        fastest = following.flow.fastest
        return replace(
            self,
            flow=following.flow,
            steps=self.steps + 1,
            iterations=self.iterations + following.iterations,
            capped=self.capped + (not following.residual < self.checked.threshold),
            fastest=(*self.fastest, fastest)[-WINDOW - 1 :],
            following=None,
        )

    def told(self, events: list[ModelEvent]) -> FlowRun:
        """The run once events have been raised."""
        return replace(self, raised=self.raised | {event.name for event in events})


def sample(run: FlowRun, last: Stepped) -> Sample:
    """The reading after a step."""
    setup, flow = run.checked.setup, run.flow
    with np.errstate(all="ignore"):
        left = divergence(flow.u.f, flow.v.f, setup.grid.dx)
        values = (
            flow.fastest,
            mean_energy(flow, setup.fluid),
            courant(run),
            root_mean_square(left, setup.fluid),
            float(last.iterations),
        )
    return Sample(run.spent, run.t, tuple(publish(value) for value in values))


def courant(run: FlowRun) -> float:
    """Cells that the fastest fluid crosses in a time step."""
    return run.fastest[-1] * run.checked.numerics.dt / run.checked.setup.grid.dx


def events(run: FlowRun, last: Stepped) -> list[ModelEvent]:
    """What there is to tell after a step; each name comes once in a run."""
    if run.failed:
        return [ModelEvent(run.spent, run.t, "nan", Severity.ERROR, {"step": run.steps})]
    found = [event for event in warnings(run, last) if event.name not in run.raised]
    if run.over:
        found.append(ModelEvent(run.spent, run.t, "done", Severity.INFO, {"steps": run.steps}))
    return found


def warnings(run: FlowRun, last: Stepped) -> list[ModelEvent]:
    """What holds after a step and should not."""
    at, t, fastest = run.spent, run.t, run.fastest[-1]
    found = []
    if not last.residual < run.checked.threshold:
        facts: dict[str, Any] = {
            "step": run.steps,
            "iterations": last.iterations,
            "residual": publish(last.residual),
        }
        found.append(ModelEvent(at, t, "not_converged", Severity.WARNING, facts))
    if courant(run) > 1.0:
        facts = {"channel": "courant", "value": publish(courant(run)), "high": 1.0}
        found.append(ModelEvent(at, t, "out_of_range", Severity.WARNING, facts))
    # start and boundary velocities are 1
    if fastest > GROWTH * max(1.0, run.fastest[0]) and len(run.fastest) > WINDOW:
        facts = {"max_speed": publish(fastest), "before": publish(run.fastest[0])}
        found.append(ModelEvent(at, t, "diverging", Severity.WARNING, facts))
    return found


def whole(checked: FlowSettings) -> FlowRun:
    """A run until it is over."""
    run = FlowRun.begun(checked)
    while not run.over:
        run = run.after(run.foreseen()[1])
    return run


@lru_cache(maxsize=4)
def reference_run(checked: FlowSettings) -> FlowRun:
    """A whole run, kept because several errors are asked for against it."""
    return whole(checked)


def error_of(run: FlowRun) -> float | None:
    """Error of a whole run against the doubled grid; None where one of the two blows up."""
    fine = reference_run(run.checked.doubled)
    return None if run.failed or fine.failed else velocity_error(run.flow, fine.flow)
