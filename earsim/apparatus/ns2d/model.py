"""``ns2d/1``: flow through a channel with obstacles, as a model of an apparatus."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from earsim.apparatus.model import Advanced, Expected, Model, ModelEvent, ModelOutput, Sample
from earsim.apparatus.ns2d.curves import stored
from earsim.apparatus.ns2d.metric import mean_energy
from earsim.apparatus.ns2d.run import FlowRun, FlowSettings, error_of, events, sample
from earsim.apparatus.ns2d.shapes import SHAPES
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.publish import publish

FINEST = 100
"""Greatest resolution whose error is computed: the doubled run costs about ten times as much."""

PARAMETERS = (
    Parameter("boundary", "what stands in the channel", "circle", choices=tuple(SHAPES)),
    Parameter("reynolds", "Reynolds number", 1000.0, low=100.0, high=10000.0),
    Parameter("resolution", "cells up the channel", 50, low=16, high=400, integer=True),
    Parameter("cfl", "time step over cell size", 0.2, low=0.02, high=1.0),
    Parameter(
        "relaxation_factor",
        "over-relaxation of the pressure sweeps",
        1.95,
        low=0.0,
        high=1.999,
        above_low=True,
    ),
    Parameter("residual_threshold", "residual at which the sweeps end", 1e-4, low=1e-6, high=1e-2),
)

CHANNELS = (
    ModelOutput("max_speed", "", "greatest velocity component on any face"),
    ModelOutput("kinetic_energy", "", "mean of half the squared speed outside obstacles"),
    ModelOutput("courant", "", "cells that the fastest fluid crosses in a time step"),
    ModelOutput("divergence", "", "root mean square divergence outside obstacles"),
    ModelOutput("iterations", "", "pressure sweeps of the step"),
)

QUANTITIES = (
    ModelOutput("error", "", "relative difference of the velocity from the doubled grid's"),
    ModelOutput("max_speed", "", "greatest velocity component on any face"),
    ModelOutput("kinetic_energy", "", "mean of half the squared speed outside obstacles"),
    ModelOutput("steps", "", "time steps done"),
    ModelOutput("iterations", "", "pressure sweeps done"),
    ModelOutput("capped_steps", "", "steps whose pressure did not converge"),
    ModelOutput("cost", "", "cell updates: 2 resolution^2 (steps + iterations)"),
)


class NavierStokes2d(Model):
    """Incompressible flow in two dimensions past obstacles; a state is a `FlowRun`."""

    id = "ns2d/1"
    title = "incompressible flow through a channel with obstacles"
    parameters = PARAMETERS
    channels = CHANNELS
    quantities = QUANTITIES
    events = ("nan", "not_converged", "out_of_range", "diverging", "done")
    rate = 2e5

    def start(self, settings: Settings) -> FlowRun:
        """The fluid enters everywhere at once with velocity 1."""
        return FlowRun.begun(FlowSettings.of(settings))

    def advance(self, state: FlowRun, allowance: float) -> Advanced:
        """Do all whole steps that an allowance, counted from the start, pays for."""
        samples: list[Sample] = []
        told: list[ModelEvent] = []
        # a step without any pressure sweep is the least that can follow
        while not state.over and state.checked.cost(state.steps + 1, state.iterations) <= allowance:
            state, following = state.foreseen()
            if state.cost_of(following) > allowance:
                break
            state = state.after(following)
            news = events(state, following)
            state = state.told(news)
            told += news
            samples.append(sample(state, following))
        return Advanced(
            state=state,
            samples=tuple(samples),
            events=tuple(told),
            spent=state.spent,
            fraction=state.steps / state.checked.steps,
            done=state.over,
            failed="nan" if state.failed else None,
        )

    def results(self, state: FlowRun) -> Mapping[str, Value | None]:
        """The results so far; those of the flow are None where it is no number any more.

        The error exists once a run is done. It is read from the stored curves where the run is
        one of theirs, and else computed by doing the doubled run, up to resolution `FINEST`.
        """
        speed = energy = None
        if not state.failed:
            speed = publish(state.flow.fastest)
            energy = publish(mean_energy(state.flow, state.checked.setup.fluid))
        return MappingProxyType(
            {
                "error": _error(state),
                "max_speed": speed,
                "kinetic_energy": energy,
                "steps": state.steps,
                "iterations": state.iterations,
                "capped_steps": state.capped,
                "cost": state.spent,
            }
        )

    def expected(self, settings: Settings) -> Expected:
        """Unknown: how many sweeps the pressure takes shows only while a run goes on."""
        return Expected(None, None)


def _error(run: FlowRun) -> float | None:
    """The error of a run that is done; None where there is none to be had."""
    if run.failed or not run.over:
        return None
    point = stored(run.checked)
    if point is not None:
        return point.error
    if run.checked.resolution > FINEST:
        return None
    error = error_of(run)
    return None if error is None else publish(error)


NS2D = NavierStokes2d()
