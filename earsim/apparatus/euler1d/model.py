"""`euler1d/1`: a shock tube by Roe's scheme, ten frames of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from earsim.apparatus.euler1d.cases import CASES, FRAMES
from earsim.apparatus.euler1d.run import TubeState, begun, paid, stepped
from earsim.apparatus.grid_model import CHECKED, GridModel, checked_results
from earsim.apparatus.model import Advanced, Expected, ModelEvent, ModelOutput, Sample
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.publish import publish

RATE = 2e5
OVERSHOOT = 1.05
"""Greatest jump of pressure between neighbours, over the span of the exact pressure."""

PARAMETERS = (
    Parameter("case", "shock tube", "sod", choices=tuple(CASES)),
    Parameter("n", "cells", 256, low=16, high=2048, integer=True, multiple_of=2),
    Parameter(
        "cfl", "step over the time a wave takes through a cell", 0.25, low=0, high=1, above_low=True
    ),
    Parameter("beta", "limiter, from minmod to superbee", 1.0, low=1, high=2),
    Parameter("k", "weight of the slopes", -1.0, low=-1, high=1),
    Parameter("reconstruction", "form of the slopes", "printed", choices=("printed", "kappa")),
)
CHANNELS = (
    ModelOutput("density_min", "", "least density"),
    ModelOutput("density_max", "", "greatest density"),
    ModelOutput("pressure_min", "", "least pressure"),
    ModelOutput("pressure_max", "", "greatest pressure"),
    ModelOutput("speed_max", "", "greatest speed of the gas, in either direction"),
    ModelOutput("mass", "", "of the gas in the tube"),
)


class Euler1d(GridModel):
    """Explicit finite volumes for the equations of Euler in a tube."""

    id = "euler1d/1"
    title = "shock tube"
    parameters = PARAMETERS
    channels = CHANNELS
    quantities = (
        ModelOutput("density_min", "", "least density in any step"),
        ModelOutput("pressure_min", "", "least pressure in any step"),
        ModelOutput("overshoot", "", "greatest jump of pressure in a frame over the exact span"),
        ModelOutput("steps", "", "steps done"),
        ModelOutput("cost", "flop", "cost units of the run"),
        *CHECKED,
    )
    events = ("unphysical", "nan", "diverging", "done")
    rate = RATE
    coarsest: ClassVar[int] = 256

    def start(self, settings: Settings) -> TubeState:
        """The two sides of a case, each in its half of the cells."""
        return begun(settings)

    def advance(self, state: TubeState, allowance: float) -> Advanced:
        """Do all whole steps that an allowance of cost units, counted from the start, pays for."""
        samples: list[Sample] = []
        events: list[ModelEvent] = []
        frames = len(state.frames)
        with np.errstate(all="ignore"):  # what comes of it is an event
            while not state.done and not state.failed and paid(state, allowance):
                state = stepped(state, events)
                if len(state.frames) > frames:
                    frames = len(state.frames)
                    samples.append(Sample(state.spent, publish(state.t), _channels(state)))
        end = state.case.spacing * FRAMES
        return Advanced(
            state=state,
            samples=tuple(samples),
            events=tuple(events),
            spent=state.spent,
            fraction=min(1.0, state.t / end),
            done=state.done,
            failed=state.failed,
        )

    def results(self, state: TubeState) -> Mapping[str, Value | None]:
        """Numbers of the run, and the error once it is done (a second run on 2n cells)."""
        check = self.check(state.settings) if state.done else None
        least = {"density_min": state.density_min, "pressure_min": state.pressure_min}
        return {
            **{
                name: publish(value) if math.isfinite(value) else None
                for name, value in least.items()
            },
            "overshoot": publish(state.overshoot),
            "steps": state.step,
            "cost": state.spent,
            **checked_results(check),
        }

    def expected(self, settings: Settings) -> Expected:
        """Not known beforehand: steps follow the fastest wave."""
        return Expected(None, None)

    def difference(self, coarse: TubeState, fine: TubeState) -> float:
        """RMS difference over RMS of the fine run by pairs of cells, pooled over all frames.

        The mean of that of density, velocity and pressure.
        """
        here = np.stack(coarse.frames)
        pairs = np.stack(fine.frames).reshape(FRAMES, 3, -1, 2).mean(axis=-1)
        apart = np.sqrt(((here - pairs) ** 2).mean(axis=(0, 2)))
        size = np.sqrt((pairs**2).mean(axis=(0, 2)))
        return float((apart / size).mean())

    def sound(self, state: TubeState) -> bool:
        """Density and pressure stay positive, and pressure jumps no further than the exact one."""
        positive = min(state.density_min, state.pressure_min) > 0
        return bool(positive and state.overshoot <= OVERSHOOT)


def _channels(state: TubeState) -> tuple[float, ...]:
    density, velocity, pressure = state.frames[-1]
    values = (
        density.min(),
        density.max(),
        pressure.min(),
        pressure.max(),
        np.abs(velocity).max(),
        density.mean(),
    )
    return tuple(publish(value) for value in values)
