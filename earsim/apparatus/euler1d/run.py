"""A run of a shock tube: its state, one explicit step, and the events that a step raises."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from earsim.apparatus.euler1d.cases import CASES, FRAMES, JUMP_AT, Case
from earsim.apparatus.euler1d.exact_riemann import pressure_span
from earsim.apparatus.euler1d.gas import Array, Gas, conserved
from earsim.apparatus.euler1d.reconstruction import Scheme, faces
from earsim.apparatus.euler1d.roe import flux
from earsim.apparatus.growth import Growth
from earsim.apparatus.model import ModelEvent, Severity
from earsim.apparatus.parameter import Settings, Value
from earsim.apparatus.publish import publish


@dataclass(frozen=True, slots=True)
class TubeState:
    """A run after some of its steps.

    Attributes:
        settings: of the run.
        conserved: (3, n) of rho, rho u and E; never written to.
        t: time inside the model.
        step: steps done.
        frames: density, velocity and pressure, (3, n) each, of the frames so far.
        density_min: least density in any step.
        pressure_min: least pressure in any step.
        jump: greatest difference of pressure between neighbours in any frame.
        growth: of the greatest magnitude from frame to frame.
        diverged: the event of that name is raised.
        failed: the event that ended the run.
    """

    settings: Settings
    conserved: Array
    t: float
    step: int
    frames: tuple[Array, ...]
    density_min: float
    pressure_min: float
    jump: float
    growth: Growth
    diverged: bool = False
    failed: str | None = None

    @property
    def n(self) -> int:
        """Cells."""
        return int(self.settings["n"])

    @property
    def case(self) -> Case:
        """The shock tube."""
        return CASES[str(self.settings["case"])]

    @property
    def overshoot(self) -> float:
        """The greatest jump of pressure over the span of the exact pressure."""
        return self.jump / pressure_span(self.case)

    @property
    def done(self) -> bool:
        """All frames are taken."""
        return len(self.frames) == FRAMES

    @property
    def spent(self) -> int:
        """Cost units so far: n a step."""
        return self.step * self.n


def begun(settings: Settings) -> TubeState:
    """The two sides of a case, each in its half of the cells."""
    case = CASES[str(settings["case"])]
    n = int(settings["n"])
    left_cells = int(n * JUMP_AT)
    tube = np.empty((3, n))
    tube[:, :left_cells] = conserved(*case.left)[:, None]
    tube[:, left_cells:] = conserved(*case.right)[:, None]
    tube.setflags(write=False)
    magnitude = _magnitude(np.stack(Gas.of(tube)[:3]))
    return TubeState(
        settings=settings,
        conserved=tube,
        t=0.0,
        step=0,
        frames=(),
        density_min=min(case.left.density, case.right.density),
        pressure_min=min(case.left.pressure, case.right.pressure),
        jump=0.0,
        growth=Growth(magnitude).seen(magnitude),
    )


def paid(state: TubeState, allowance: float) -> bool:
    """Whether an allowance pays for one more step."""
    return (state.step + 1) * state.n <= allowance + 1e-6  # an allowance is a product of floats


def stepped(state: TubeState, events: list[ModelEvent]) -> TubeState:
    """One explicit step, cut at the next frame, with the events that it raises."""
    settings = state.settings
    scheme = Scheme(
        float(settings["k"]), float(settings["beta"]), settings["reconstruction"] == "kappa"
    )
    dx = 1 / state.n
    dt = float(settings["cfl"]) * dx / Gas.of(state.conserved).fastest()
    frame_at = state.case.spacing * (len(state.frames) + 1)
    at_frame = state.t + dt >= frame_at
    t = frame_at if at_frame else state.t + dt
    sides = faces(state.conserved, scheme)
    fluxes = flux(*sides)
    tube = state.conserved - (t - state.t) / dx * np.diff(fluxes, axis=1)
    tube.setflags(write=False)
    gas = Gas.of(tube)
    density, pressure = float(gas.density.min()), float(gas.pressure.min())
    state = replace(
        state,
        conserved=tube,
        t=t,
        step=state.step + 1,
        density_min=_least(state.density_min, density),
        pressure_min=_least(state.pressure_min, pressure),
    )
    if not min(density, pressure) > 0:
        return _ended(state, (gas, *sides), events)
    return _framed(state, gas, events) if at_frame else state


def _least(before: float, now: float) -> float:
    return now if not now >= before else before  # what is not a number stays


def _ended(state: TubeState, gases: tuple[Gas, ...], events: list[ModelEvent]) -> TubeState:
    """A run that cannot go on: where in cells or at faces a gas is none any more, or no number.

    Faces count because slopes can lower a pressure below 0 between cells where it is positive;
    what comes of that has no square root and is no number in the next cells.
    """
    lowest = {
        "density_min": float(np.nanmin([gas.density.min() for gas in gases])),
        "pressure_min": float(np.nanmin([gas.pressure.min() for gas in gases])),
    }
    name = "unphysical" if min(lowest.values()) <= 0 else "nan"
    facts = {name: publish(value) for name, value in lowest.items() if math.isfinite(value)}
    event = ModelEvent(
        state.spent, publish(state.t), name, Severity.ERROR, {"step": state.step, **facts}
    )
    events.append(event)
    return replace(state, failed=name)


def _framed(state: TubeState, gas: Gas, events: list[ModelEvent]) -> TubeState:
    """The state with one more frame."""
    frame = np.stack(gas[:3])
    frame.setflags(write=False)
    jump = float(np.abs(np.diff(gas.pressure)).max())
    growth = state.growth.seen(_magnitude(frame))
    newly = growth.diverging and not state.diverged
    state = replace(
        state,
        frames=(*state.frames, frame),
        jump=max(state.jump, jump),
        growth=growth,
        diverged=state.diverged or newly,
    )
    if newly:
        facts: dict[str, Value] = {"largest": publish(growth.recent[-1])}
        events.append(
            ModelEvent(state.spent, publish(state.t), "diverging", Severity.WARNING, facts)
        )
    if state.done:
        ended: dict[str, Value] = {"steps": state.step, "cost": state.spent}
        events.append(ModelEvent(state.spent, publish(state.t), "done", Severity.INFO, ended))
    return state


def _magnitude(frame: Array) -> float:
    return float(np.abs(frame).max())
