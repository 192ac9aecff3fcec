"""System events: what every numeric model says of its run, in the same words and by the same rules.

Detectors see one reading after the other and are frozen values: what they remember is a part of a
run's state, is copied by sharing it, and does not depend on how waiting was cut.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from earsim.apparatus.growth import Growth
from earsim.apparatus.model import ModelEvent, Sample, Severity
from earsim.apparatus.publish import publish

SYSTEM_EVENTS: Mapping[str, Severity] = {
    "nan": Severity.ERROR,
    "unphysical": Severity.ERROR,
    "diverging": Severity.WARNING,
    "sustained": Severity.WARNING,
    "out_of_range": Severity.WARNING,
    "not_converged": Severity.WARNING,
    "prompt_injection": Severity.WARNING,
    "done": Severity.INFO,
}
"""The names, and how much each matters."""

PEAKS = 4
PEAK_RATIO = 1.2
SUSTAINED_WITHIN = 0.02
SUSTAINED_ABOVE = 0.05


def system_event(name: str, at: float, t: float, **facts: Any) -> ModelEvent:
    """A system event with the severity that belongs to its name; numbers are published."""
    shown = {key: _json(value) for key, value in facts.items()}
    return ModelEvent(at, t, name, SYSTEM_EVENTS[name], shown)


class Peak(NamedTuple):
    """A local maximum of the magnitude of a control error."""

    t: float
    error: float


class Peaks(NamedTuple):
    """Oscillation of a control error.

    A peak is a local maximum of its magnitude after the first reading, of other sign than the last
    peak, and known one reading later.

    Attributes:
        step: size of the step that the error answers.
        readings: the newest two.
        found: the newest peaks, at most four, oldest first.
    """

    step: float
    readings: tuple[Peak, ...] = ()
    found: tuple[Peak, ...] = ()

    def seen(self, t: float, error: float) -> Peaks:
        """With one more reading."""
        now = Peak(t, error)
        found = self.found
        if len(self.readings) == 2:
            before, middle = self.readings
            is_maximum = abs(before.error) < abs(middle.error) >= abs(error)
            if is_maximum and not (found and found[-1].error * middle.error > 0):
                found = (*found, middle)[-PEAKS:]
        return Peaks(self.step, (*self.readings, now)[-2:], found)

    @property
    def diverging(self) -> bool:
        """Whether each of the newest four peaks is at least 1.2 times the one before."""
        sizes = self._sizes
        return len(sizes) == PEAKS and all(
            later >= PEAK_RATIO * earlier for earlier, later in pairwise(sizes)
        )

    @property
    def sustained(self) -> bool:
        """Whether the newest four peaks agree within 2 %, all above 5 % of the step."""
        sizes = self._sizes
        if len(sizes) < PEAKS or min(sizes) <= SUSTAINED_ABOVE * self.step:
            return False
        return max(sizes) - min(sizes) <= SUSTAINED_WITHIN * max(sizes)

    @property
    def _sizes(self) -> list[float]:
        return [abs(peak.error) for peak in self.found]


class ChannelRange(NamedTuple):
    """Where a channel belongs."""

    channel: str
    low: float
    high: float


class Watched(NamedTuple):
    """What the detectors of a run look at.

    Attributes:
        channels: names of what samples hold, in their order.
        error: the channel that is a control error, whose peaks count; None without one.
        positive: channels that are to stay above 0.
        ranges: channels that are to stay within bounds.
    """

    channels: tuple[str, ...]
    error: str | None = None
    positive: tuple[str, ...] = ()
    ranges: tuple[ChannelRange, ...] = ()


class Detectors(NamedTuple):
    """The detectors of one run, fed with its samples; each event is raised once.

    Attributes:
        watched: what they look at.
        growth: of the largest magnitude among all channels.
        peaks: of the control error.
        raised: what was raised already: name, or name and channel.
    """

    watched: Watched
    growth: Growth
    peaks: Peaks = Peaks(0.0)
    raised: tuple[str, ...] = ()

    def seen(self, sample: Sample) -> tuple[Detectors, tuple[ModelEvent, ...]]:
        """With one more sample, and the events that it raises.

        Where a value is not finite, nothing else is said of the sample.
        """
        watched, growth, peaks, raised = self
        values = sample.values
        if not all(map(math.isfinite, values)):
            named = zip(watched.channels, values, strict=True)
            bad = [name for name, value in named if not math.isfinite(value)]
            return self._raising([("nan", _at(sample, "nan", channels=bad))])
        growth = growth.seen(max(map(abs, values)))
        if watched.error is not None:
            peaks = peaks.seen(sample.t, values[watched.channels.index(watched.error)])
        now = Detectors(watched, growth, peaks, raised)
        found = []
        if peaks.found is not self.peaks.found:
            found += now._oscillation(sample)
        if growth.diverging:
            facts = {"largest": growth.recent[-1], "before": growth.recent[0]}
            found.append(("diverging", _at(sample, "diverging", **facts)))
        if watched.positive or watched.ranges:
            found += now._bounds(sample)
        return now._raising(found) if found else (now, ())

    def _oscillation(self, sample: Sample) -> list[tuple[str, ModelEvent]]:
        names = [name for name in ("diverging", "sustained") if getattr(self.peaks, name)]
        facts: dict[str, Any] = {
            "channel": self.watched.error,
            "peaks": [peak.error for peak in self.peaks.found],
            "times": [peak.t for peak in self.peaks.found],
        }
        return [(name, _at(sample, name, **facts)) for name in names]

    def _bounds(self, sample: Sample) -> list[tuple[str, ModelEvent]]:
        found = []
        values = dict(zip(self.watched.channels, sample.values, strict=True))
        for name in self.watched.positive:
            if values[name] <= 0:
                event = _at(sample, "unphysical", channel=name, value=values[name])
                found.append((f"unphysical {name}", event))
        for name, low, high in self.watched.ranges:
            if not low <= values[name] <= high:
                facts = {"channel": name, "value": values[name], "low": low, "high": high}
                found.append((f"out_of_range {name}", _at(sample, "out_of_range", **facts)))
        return found

    def _raising(
        self, found: list[tuple[str, ModelEvent]]
    ) -> tuple[Detectors, tuple[ModelEvent, ...]]:
        raised, events = self.raised, []
        for key, event in found:
            if key not in raised:
                raised = (*raised, key)
                events.append(event)
        return self._replace(raised=raised), tuple(events)


def _at(sample: Sample, name: str, **facts: Any) -> ModelEvent:
    return system_event(name, sample.at, sample.t, **facts)


def _json(value: Any) -> Any:
    if isinstance(value, float):
        return publish(value)
    return [_json(item) for item in value] if isinstance(value, list | tuple) else value
