"""What a model of an apparatus is: a pure function that is advanced, and what it tells meanwhile.

A state is a frozen value: `advance` returns a new one and changes nothing, so a world with a
running operation is copied by sharing it. How waiting is cut does not matter: an allowance counts
from the start of the operation, and as many whole steps are done as it pays for.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from earsim.apparatus.parameter import Parameter, Settings, Value


class Severity(StrEnum):
    """How much an event matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class ModelOutput(NamedTuple):
    """A channel or a result: its name, the symbol of its unit, and what it is."""

    name: str
    unit: str
    says: str


class Sample(NamedTuple):
    """One reading of all channels.

    Attributes:
        at: allowance, counted from the start, at which it was taken.
        t: time inside the model.
        values: in the order of the channels that a run with its settings has (`Model.channels_of`).
    """

    at: float
    t: float
    values: tuple[float, ...]


class ModelEvent(NamedTuple):
    """A typed fact about a run.

    Attributes:
        at: allowance, counted from the start, at which it is known.
        t: time inside the model.
        name: such as ``diverging``.
        facts: numbers that show it, as JSON values.
    """

    at: float
    t: float
    name: str
    severity: Severity
    facts: Mapping[str, Any]


class Expected(NamedTuple):
    """What a run will take if nothing happens; None where that is not known beforehand.

    Attributes:
        allowance: seconds of a rig, cost units of a solver.
        cost: cost units; 0 for a rig.
    """

    allowance: float | None
    cost: float | None


class ShownSample(NamedTuple):
    """What a display shows of a sample: time inside the model, and channels; None if not finite."""

    t: float
    channels: Mapping[str, float | None]


class Bounds(NamedTuple):
    """Between which numbers a result will lie; infinite where nothing is known."""

    low: float = -math.inf
    high: float = math.inf


class Advanced(NamedTuple):
    """What came of advancing a run.

    Attributes:
        state: to go on from.
        samples: those taken since the state before.
        events: those raised since the state before.
        spent: cost units since the start.
        fraction: of the run that is done; None where that is not known.
        done: nothing is left to do.
        failed: why the run cannot go on: the name of the event that ended it.
        timed_out: it cannot because the machine took too long, which says nothing about the run.
    """

    state: Any
    samples: tuple[Sample, ...]
    events: tuple[ModelEvent, ...]
    spent: float
    fraction: float | None
    done: bool
    failed: str | None = None
    timed_out: bool = False


class ReferenceAnswer(NamedTuple):
    """How a question about a model is answered by computing, and what that proves.

    Attributes:
        design: settings that answer it.
        answer: the number or word asked for, where the question is not for a design.
        cost: cost units of a run with this design.
        evaluated: how many runs it took.
        method: such as ``bisection``.
        grid: the step or the candidates within which nothing better was overlooked.
    """

    design: Settings
    answer: Value | None
    cost: float
    evaluated: int
    method: str
    grid: str


class Model(ABC):
    """One version of one simulation.

    Attributes:
        id: name and version, such as ``euler1d/1``; a repaired model is a new version.
        title: what it is, in a few words.
        parameters: what can be configured.
        channels: what samples can hold.
        quantities: the results of a completed run.
        events: the names of the events that it can raise.
        rate: cost units done per second of world time; None for a rig, whose allowance is seconds.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    channels: ClassVar[tuple[ModelOutput, ...]]
    quantities: ClassVar[tuple[ModelOutput, ...]]
    events: ClassVar[tuple[str, ...]]
    rate: ClassVar[float | None] = None

    def channels_of(self, settings: Settings) -> tuple[ModelOutput, ...]:
        """The channels of a run with these settings: all, unless a setting hides some."""
        return self.channels

    @abstractmethod
    def start(self, settings: Settings) -> Any:
        """The first state of a run with checked settings."""

    @abstractmethod
    def advance(self, state: Any, allowance: float) -> Advanced:
        """Do all whole steps that an allowance, counted from the start, pays for."""

    @abstractmethod
    def results(self, state: Any) -> Mapping[str, Value | None]:
        """The results so far, by the names of `quantities`; None for one that does not exist."""

    @abstractmethod
    def expected(self, settings: Settings) -> Expected:
        """What a run will take."""

    def implied(self, settings: Settings, readings: Sequence[ShownSample]) -> Mapping[str, Bounds]:
        """What readings so far already say of results, should the run come to its end.

        Bounds are sound: no result that exists lies outside of them. Nothing by default.

        Args:
            settings: of the run, complete.
            readings: oldest first; a display need not show every channel.
        """
        return {}
