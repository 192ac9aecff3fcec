"""`levitation/1` as a model: a run of 10 s in steps of 0.5 ms and readings of 10 ms.

A run ends early where the ball meets the magnet or the floor. A range of 2 mm about the set point
warns before that: with enough derivative gain a ball that is not held falls over seconds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from earsim.apparatus.events import ChannelRange, Detectors, Peaks, Watched, system_event
from earsim.apparatus.growth import Growth
from earsim.apparatus.levitation.equations import (
    BAND_M,
    FLOOR_M,
    LARGEST_A,
    SET_POINT_M,
    STEPS_PER_S,
    BallState,
    Excursion,
    Loop,
    current,
    loop_of,
    march,
)
from earsim.apparatus.model import (
    Advanced,
    Bounds,
    Expected,
    Model,
    ModelEvent,
    ModelOutput,
    Sample,
    Severity,
    ShownSample,
)
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.publish import publish

DURATION_S = 10
STEPS = DURATION_S * STEPS_PER_S
STEPS_PER_SAMPLE = 20
_READ_M = 1e-10
"""Above the rounding of a published reading."""

WARNED_M = 2e-3
"""Distance from the set point beyond which `out_of_range` warns."""

SMALLEST_STEP_M = 1e-4
"""What oscillations are compared with where the ball starts nearer to the set point."""


@dataclass(frozen=True, slots=True)
class LevitationState:
    """A run between two steps.

    Attributes:
        loop: mass and gains.
        steps: how many were done.
        samples: how many readings were taken.
        ball: where it is and how it moves.
        excursion: what results remember.
        watch: what the detectors of events remember.
        failed: the event that ended the run.
        touched_s: when the ball met something.
    """

    loop: Loop
    steps: int
    samples: int
    ball: BallState
    excursion: Excursion
    watch: Detectors
    failed: str | None = None
    touched_s: float | None = None


class Levitation(Model):
    """A rig: a steel ball is let go near the set point, 10 mm below a magnet."""

    id = "levitation/1"
    title = "a steel ball held below a magnet"
    parameters = (
        Parameter("kp", "proportional gain", 0.0, "A/m", low=0.0, high=300.0),
        Parameter("ki", "integral gain, for topology pid", 0.0, "A/(m s)", low=0.0, high=5000.0),
        Parameter("kd", "derivative gain", 0.0, "A s/m", low=0.0, high=10.0),
        Parameter("topology", "parts of the controller", "pd", choices=("pd", "pid")),
        Parameter("mass", "of the ball; 0.05 kg is nominal", 0.05, "kg", low=0.03, high=0.07),
        Parameter("offset", "start below the set point", 0.5, "mm", low=-4.0, high=4.0),
    )
    channels = (
        ModelOutput("z", "m", "distance of the ball below the magnet"),
        ModelOutput("v", "m/s", "its speed downwards"),
        ModelOutput("i", "A", "current of the magnet"),
        ModelOutput("e", "m", "distance below the set point"),
    )
    quantities = (
        ModelOutput("held", "", "the ball met neither magnet nor floor"),
        ModelOutput("touched_s", "s", "when it met one of them"),
        ModelOutput("settling_s", "s", "from then on it stays within 0.05 mm of the set point"),
        ModelOutput("final_error_mm", "mm", "distance from the set point at the end"),
        ModelOutput("largest_error_mm", "mm", "greatest distance from the set point"),
    )
    events = (
        "nan", "unphysical", "diverging", "sustained", "out_of_range",
        "touches_magnet", "touches_floor", "done",
    )  # fmt: skip

    def start(self, settings: Settings) -> LevitationState:
        """The ball at rest where it is let go; nothing was read yet."""
        loop = loop_of(settings)
        offset = float(settings["offset"]) / 1000.0
        ball = BallState(SET_POINT_M + offset, 0.0, 0.0)
        low, high = SET_POINT_M - WARNED_M, SET_POINT_M + WARNED_M
        names = tuple(channel.name for channel in self.channels)
        watched = Watched(names, error="e", positive=("z",), ranges=(ChannelRange("z", low, high),))
        scale = max(LARGEST_A, FLOOR_M, *map(abs, _values(ball, loop)))
        watch = Detectors(watched, Growth(scale), Peaks(max(abs(offset), SMALLEST_STEP_M)))
        error = abs(ball.z - SET_POINT_M)
        excursion = Excursion(error, 0 if error > BAND_M else -1)
        return LevitationState(loop, 0, 0, ball, excursion, watch)

    def advance(self, state: LevitationState, allowance: float) -> Advanced:
        """Do all steps up to a time; a second of allowance is a second of the rig."""
        samples: list[Sample] = []
        events: list[ModelEvent] = []
        while state.failed is None and state.samples * STEPS_PER_SAMPLE <= STEPS:
            due = state.samples * STEPS_PER_SAMPLE
            state = _moved(state, _affordable(due, allowance))
            if state.failed is not None:
                events.append(_touch(state, state.failed))
            elif state.steps < due or due / STEPS_PER_S > allowance:
                break
            else:
                state = _read(state, samples, events)
        done = state.failed is None and state.samples > STEPS // STEPS_PER_SAMPLE
        fraction = state.steps / STEPS
        return Advanced(state, tuple(samples), tuple(events), 0.0, fraction, done, state.failed)

    def results(self, state: LevitationState) -> Mapping[str, Value | None]:
        """Those of a run that ended by itself; none exists before."""
        found: dict[str, Value | None] = dict.fromkeys(what.name for what in self.quantities)
        if state.touched_s is not None:
            return {**found, "held": False, "touched_s": publish(state.touched_s)}
        if state.failed is not None or state.samples * STEPS_PER_SAMPLE <= STEPS:
            return found
        error, outside = state.excursion
        return {
            "held": True,
            "touched_s": None,
            "settling_s": None if outside == STEPS else (outside + 1) / STEPS_PER_S,
            "final_error_mm": publish(round(abs(state.ball.z - SET_POINT_M) * 1000.0, 9)),
            "largest_error_mm": publish(error * 1000.0),
        }

    def expected(self, settings: Settings) -> Expected:
        """A run takes its 10 s if the ball is held."""
        return Expected(float(DURATION_S), 0.0)

    def implied(self, settings: Settings, readings: Sequence[ShownSample]) -> Mapping[str, Bounds]:
        """Greatest distance from the set point at least, and settling time, from z."""
        seen = [
            (each.t, abs(z - SET_POINT_M))
            for each in readings
            if (z := each.channels.get("z")) is not None
        ]
        outside = [t for t, error in seen if error > BAND_M + _READ_M]
        found = {"settling_s": Bounds(low=max(outside))} if outside else {}
        if seen:
            largest = max(error for _, error in seen) - _READ_M
            found["largest_error_mm"] = Bounds(low=largest * 1000.0)
        return found


def _values(ball: BallState, loop: Loop) -> tuple[float, ...]:
    return tuple(map(publish, (ball.z, ball.v, current(*ball, loop), ball.z - SET_POINT_M)))


def _affordable(due: int, allowance: float) -> int:
    """The most steps, up to those due, whose end lies within an allowance."""
    steps = min(due, math.floor(allowance * STEPS_PER_S) + 1) if math.isfinite(allowance) else due
    while steps > 0 and steps / STEPS_PER_S > allowance:
        steps -= 1
    return steps


def _moved(state: LevitationState, until: int) -> LevitationState:
    """Whole steps up to a number of them, or up to the one in which the ball touches something."""
    if until <= state.steps:
        return state
    went = march(state.ball, state.loop, state.excursion, state.steps, until)
    return LevitationState(
        state.loop,
        went.steps,
        state.samples,
        went.ball,
        went.excursion,
        state.watch,
        went.met,
        went.touched_s,
    )


def _touch(state: LevitationState, name: str) -> ModelEvent:
    """The ball met something within the last step; this is known at the step's end."""
    assert state.touched_s is not None
    facts = {"speed_mps": publish(abs(state.ball.v))}
    at, t = state.steps / STEPS_PER_S, publish(state.touched_s)
    return ModelEvent(at, t, name, Severity.ERROR, facts)


def _read(
    state: LevitationState, samples: list[Sample], events: list[ModelEvent]
) -> LevitationState:
    """Take a reading, and raise what it shows."""
    t = state.steps / STEPS_PER_S
    sample = Sample(t, t, _values(state.ball, state.loop))
    watch, raised = state.watch.seen(sample)
    samples.append(sample)
    events += raised
    if state.steps == STEPS:
        events.append(system_event("done", t, t, readings=state.samples + 1))
    failed = "nan" if raised and raised[0].name == "nan" else None
    return replace(state, samples=state.samples + 1, watch=watch, failed=failed)


LEVITATION = Levitation()
