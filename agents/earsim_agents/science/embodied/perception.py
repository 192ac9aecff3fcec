"""Runtime perception: rules about a run that goes on, and when the model is asked beside them.

Rules speak first. An event of severity error is an ERROR. An event of severity warning, a
constraint that the run can no longer meet and a reading outside the range that the plan expects are
a WARNING. Where no rule speaks and there is something new since it was asked last, the model is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from earsim.apparatus.message import Envelope
from earsim.apparatus.model import Model, Severity, ShownSample
from earsim.apparatus.parameter import Settings
from earsim.apparatus.payload import CodeEvent, CodeOutput, ModelStateUpdate, OperationStart
from earsim_agents.replies.record import StrictReply, Text
from earsim_agents.science.embodied.plan import Constraint, ExpectedReading
from earsim_agents.science.embodied.reflection import violation

Perception = Literal["NORMAL", "WARNING", "ERROR"]

LEAST_LOOK_S = 5
"""Between two looks at a run at least."""

LOOKS = 6
"""Looks at a run whose length is known; others are looked at whenever they are twice as old."""

_NEWEST = 5
_LINE_CHARS = 200


class Perceived(StrictReply):
    """What perception says of a run that goes on."""

    state: Perception
    why: Text = ""


class OngoingRun(NamedTuple):
    """A run that goes on, as its messages tell it.

    Attributes:
        model: of its apparatus.
        settings: of the run.
        stream: messages about it, oldest first.
        constraints: that this run has to meet. They are those of the outcome, so runs of earlier
            steps have none; nor has the last one that there are turns and means for: what a stop
            saves would be of no use, and some constraints may still be met.
        expected: where its readings should lie.
    """

    model: Model
    settings: Settings
    stream: Sequence[Envelope]
    constraints: Sequence[Constraint] = ()
    expected: Sequence[ExpectedReading] = ()

    @property
    def readings(self) -> tuple[ShownSample, ...]:
        """Its readings so far."""
        return readings_of(self.stream)


def by_rule(run: OngoingRun) -> Perceived | None:
    """What a stream says by itself; None where no rule speaks."""
    events = [e.payload for e in run.stream if isinstance(e.payload, CodeEvent)]
    errors = [each.event for each in events if each.severity is Severity.ERROR]
    if errors:
        return Perceived(state="ERROR", why=", ".join(errors)[:1_000])
    warnings = [each.event for each in events if each.severity is Severity.WARNING]
    told = [*warnings, *out_of_reach(run), *unexpected(run)]
    return Perceived(state="WARNING", why="; ".join(told)[:1_000]) if told else None


def out_of_reach(run: OngoingRun) -> list[str]:
    """The constraints that this run can no longer meet, whatever comes.

    One about a channel, once a reading violates it; one about a result, once the readings imply
    bounds that exclude it. Counts of runs are no matter of one run: they are checked at its end.
    """
    readings, results = run.readings, {each.name for each in run.model.quantities}
    bounds = run.model.implied(run.settings, readings)
    found = []
    for each in run.constraints:
        if each.result in bounds and each.excludes(bounds[each.result]):
            low, high = bounds[each.result]
            found.append(f"{each} can no longer be met (it will be {_between(low, high)})")
        elif each.result not in results and (told := violation(each, readings)):
            found.append(f"{told[:-1]}, so it can no longer be met)")
    return found


def unexpected(run: OngoingRun) -> list[str]:
    """The expectations that a reading does not lie within."""
    told = (violation(each, run.readings) for each in run.expected)
    return [f"outside what is expected: {each}" for each in told if each]


def told_so_far(run: OngoingRun) -> str:
    """What is known of a run that was stopped: what its readings imply, and the newest of them."""
    bounds = run.model.implied(run.settings, run.readings)
    told = [f"{name} {_between(*each)}" for name, each in bounds.items()]
    return "; ".join([*told, f"last {newest(run.stream, 1)}"])


def _between(low: float, high: float) -> str:
    if high == float("inf"):
        return f"{low:.6g} at least"
    return f"{high:.6g} at most" if low == float("-inf") else f"{low:.6g} to {high:.6g}"


# -- what is looked at ---------------------------------------------------------------------------


def look_s(stream: Sequence[Envelope], age_s: float) -> int:
    """How long a run goes on until it is looked at next.

    Args:
        stream: messages about it.
        age_s: since it began.
    """
    starts = [e.payload.expected_s for e in stream if isinstance(e.payload, OperationStart)]
    whole = starts[-1] if starts else None
    return max(LEAST_LOOK_S, int(age_s if whole is None else whole / LOOKS))


def remaining_s(stream: Sequence[Envelope], age_s: float) -> float | None:
    """How long a run still takes, where that is known."""
    starts = [e.payload.expected_s for e in stream if isinstance(e.payload, OperationStart)]
    return starts[-1] - age_s if starts and starts[-1] is not None else None


def readings_of(stream: Iterable[Envelope]) -> tuple[ShownSample, ...]:
    """The readings of a run, oldest first."""
    found = (e.payload for e in stream if isinstance(e.payload, ModelStateUpdate))
    return tuple(ShownSample(each.t, each.channels) for each in found)


def newest_values(stream: Iterable[Envelope]) -> Mapping[str, float | None]:
    """The newest value of each channel, or of each number that code tells."""
    found: dict[str, float | None] = {}
    for reading in readings_of(stream):
        found.update(reading.channels)
    return found


def heard(stream: Iterable[Envelope]) -> int:
    """How many readings and lines of output there are."""
    return sum(isinstance(e.payload, ModelStateUpdate | CodeOutput) for e in stream)


def newest(stream: Sequence[Envelope], most: int = _NEWEST) -> str:
    """The newest readings of a run, or the newest lines of output of code, a line each."""
    lines = [e.payload for e in stream if isinstance(e.payload, CodeOutput)]
    if lines:
        return "\n".join(f"{each.stream}: {each.line[:_LINE_CHARS]}" for each in lines[-most:])
    return "\n".join(
        f"t {each.t:g}: " + ", ".join(f"{name} {value}" for name, value in each.channels.items())
        for each in readings_of(stream)[-most:]
    )


def events_of(stream: Iterable[Envelope]) -> tuple[str, ...]:
    """Warnings and errors that a run raised, each once."""
    found = (e.payload for e in stream if isinstance(e.payload, CodeEvent))
    return tuple(dict.fromkeys(e.event for e in found if e.severity is not Severity.INFO))
