"""`maglev/1` as a model: parameters, channels, results, and a run of 30 s in readings of 0.1 s."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from earsim.apparatus.events import Detectors, Peaks, Watched, system_event
from earsim.apparatus.growth import Growth
from earsim.apparatus.maglev.analysis import implied_by, results_of
from earsim.apparatus.maglev.equations import (
    Gains,
    LoopState,
    Rows,
    carried,
    control,
    first,
    gains_of,
    propagator,
)
from earsim.apparatus.model import (
    Advanced,
    Bounds,
    Expected,
    Model,
    ModelEvent,
    ModelOutput,
    Sample,
    ShownSample,
)
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.publish import publish

DURATION_S = 30
SAMPLES_PER_S = 10
SAMPLES = DURATION_S * SAMPLES_PER_S + 1
INNER = ("x1", "x2")


@dataclass(frozen=True, slots=True)
class MaglevState:
    """A run between two readings.

    Attributes:
        gains: those that act.
        rows: propagator over the time between readings.
        inner: x1 and x2 are read too.
        taken: how many readings were taken; the next is at ``taken/10`` s.
        loop: state of the loop at the next reading.
        watch: what the detectors of events remember.
        failed: the event that ended the run.
    """

    gains: Gains
    rows: Rows
    inner: bool
    taken: int
    loop: LoopState
    watch: Detectors
    failed: str | None = None


class Maglev(Model):
    """A control rig: a unit step at t = 0 into a PID loop around three lags."""

    id = "maglev/1"
    title = "step response of a PID loop around three lags"
    parameters = (
        Parameter("Kp", "proportional gain", 1.0, low=0.0, high=50.0),
        Parameter("Ki", "integral gain, for topology pi and pid", 0.0, "1/s", low=0.0, high=50.0),
        Parameter("Kd", "derivative gain, for topology pid", 0.0, "s", low=0.0, high=50.0),
        Parameter("topology", "parts of the controller", "p", choices=("p", "pi", "pid")),
        Parameter("blocks", "a cascade shows x1 and x2", "lumped", choices=("lumped", "cascade")),
    )
    channels = (
        ModelOutput("e", "", "control error, 1 - y"),
        ModelOutput("u", "", "output of the controller"),
        ModelOutput("x1", "", "output of the first lag, 0.5 s"),
        ModelOutput("x2", "", "output of the second lag, 1 s"),
        ModelOutput("y", "", "output of the plant"),
    )
    quantities = (
        ModelOutput("settling_s", "s", "from then on y stays within 5 % of its final value"),
        ModelOutput("overshoot_percent", "%", "of the largest y over its final value"),
        ModelOutput("steady_error", "", "distance of the final value from 1"),
        ModelOutput("gain_margin_db", "dB", "gain margin of the open loop"),
        ModelOutput("gain_margin_db_infinite", "", "there is no phase crossover"),
        ModelOutput("phase_margin_deg", "deg", "phase margin of the open loop"),
        ModelOutput("phase_margin_deg_infinite", "", "there is no gain crossover"),
        ModelOutput("stable", "", "all poles of the closed loop lie left of the imaginary axis"),
        ModelOutput("score", "", "points out of 100 for five requirements"),
    )
    events = ("nan", "diverging", "sustained", "done")

    def channels_of(self, settings: Settings) -> tuple[ModelOutput, ...]:
        """Without x1 and x2 where the plant is one block."""
        if settings["blocks"] == "cascade":
            return self.channels
        return tuple(channel for channel in self.channels if channel.name not in INNER)

    def start(self, settings: Settings) -> MaglevState:
        """The loop right after the step; nothing was read yet."""
        gains = gains_of(settings)
        loop = first(gains)
        names = tuple(channel.name for channel in self.channels_of(settings))
        inner = "x1" in names
        scale = max(1.0, *map(abs, _values(loop, gains, inner)))
        watch = Detectors(Watched(names, error="e"), Growth(scale), Peaks(step=1.0))
        return MaglevState(gains, propagator(gains, 1 / SAMPLES_PER_S), inner, 0, loop, watch)

    def advance(self, state: MaglevState, allowance: float) -> Advanced:
        """Take all readings up to a time; a second of allowance is a second of the rig."""
        taken, loop, watch, failed = state.taken, state.loop, state.watch, state.failed
        samples: list[Sample] = []
        events: list[ModelEvent] = []
        while failed is None and taken < SAMPLES and taken / SAMPLES_PER_S <= allowance:
            t = taken / SAMPLES_PER_S
            sample = Sample(t, t, _values(loop, state.gains, state.inner))
            watch, raised = watch.seen(sample)
            samples.append(sample)
            events += raised
            taken, loop = taken + 1, carried(loop, state.rows)
            if raised and raised[0].name == "nan":
                failed = "nan"
            elif taken == SAMPLES:
                events.append(system_event("done", t, t, readings=taken))
        new = replace(state, taken=taken, loop=loop, watch=watch, failed=failed)
        fraction = max(0, taken - 1) / (SAMPLES - 1)
        done = failed is None and taken == SAMPLES
        return Advanced(new, tuple(samples), tuple(events), 0.0, fraction, done, failed)

    def results(self, state: MaglevState) -> Mapping[str, Value | None]:
        """Those of a finished run; none exists before, as they are about the whole response."""
        if state.failed is not None or state.taken < SAMPLES:
            return dict.fromkeys(quantity.name for quantity in self.quantities)
        return results_of(state.gains)

    def expected(self, settings: Settings) -> Expected:
        """Every run takes its 30 s."""
        return Expected(float(DURATION_S), 0.0)

    def implied(self, settings: Settings, readings: Sequence[ShownSample]) -> Mapping[str, Bounds]:
        """Least overshoot and settling time, from y."""
        return implied_by(gains_of(settings), readings)


def _values(loop: LoopState, gains: Gains, inner: bool) -> tuple[float, ...]:
    x1, x2, y, _ = loop
    e, u = 1.0 - y, control(loop, gains)
    return tuple(map(publish, (e, u, x1, x2, y) if inner else (e, u, y)))


MAGLEV = Maglev()
