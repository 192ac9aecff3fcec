"""A run of a model that lives elsewhere, as far as a world was told of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from earsim.apparatus.model import Expected, ModelEvent, Sample
from earsim.apparatus.parameter import Settings, Value

Told = Sample | ModelEvent

NOTHING_TOLD = "0" * 64
"""The chain of a run of which nothing was told."""


class RemoteEnd(StrEnum):
    """How a run that goes on elsewhere ended."""

    COMPLETED = "completed"
    FAILED = "failed"  # the model says so
    TIMEOUT = "timeout"  # no answer in time
    GONE = "gone"  # nobody answers, or the connection was cut
    NONSENSE = "nonsense"  # an answer that makes no sense
    UNREPEATABLE = "unrepeatable"  # asked again, it tells something else

    @property
    def is_measured(self) -> bool:
        """Whether it says anything about who began the run."""
        return self in (RemoteEnd.COMPLETED, RemoteEnd.FAILED)


class EndedRun(NamedTuple):
    """The end of a run.

    Attributes:
        at: allowance, counted from the start, at which it came.
        end: how.
        message: why, where it did not complete.
        results: by name.
        cost: cost units that it took; None where that was not told.
    """

    at: float
    end: RemoteEnd
    message: str = ""
    results: Mapping[str, Value | None] = {}
    cost: float | None = None


class RemoteFault(Exception):
    """The other end did not do what it should.

    Attributes:
        end: how the run ends by it.
    """

    def __init__(self, end: RemoteEnd, message: str) -> None:
        super().__init__(message)
        self.end = end


@dataclass(frozen=True, slots=True)
class RemoteRun:
    """The state of a run: immutable, shared by copies of a world, and enough to take it up again.

    Attributes:
        model: id of the model.
        settings: by name, in the order of the names.
        told: how many readings and events were received.
        chain: a hash of these, so that what is told again can be compared.
        allowance: as far as it was advanced.
        expected: allowance that it will take; None where that is not known.
        end: None while it goes on.
    """

    model: str
    settings: tuple[tuple[str, Value], ...]
    told: int = 0
    chain: str = NOTHING_TOLD
    allowance: float = 0.0
    expected: float | None = None
    end: EndedRun | None = None

    @classmethod
    def of(cls, model: str, settings: Settings) -> RemoteRun:
        """A run of which nothing was told yet."""
        return cls(model, tuple(sorted(settings.items())))

    @property
    def key(self) -> str:
        """Equal for runs that tell the same: those of one model with one set of settings."""
        return json.dumps([self.model, *self.settings])


@dataclass(slots=True)
class RunTold:
    """All that was told of a run, for every world that has it.

    Attributes:
        told: readings and events, in order.
        reached: allowance up to which nothing is missing.
        end: None while it goes on.
        expected: what it will take.
    """

    told: list[Told] = field(default_factory=list)
    reached: float = -1.0
    end: EndedRun | None = None
    expected: Expected = Expected(None, None)  # noqa: RUF009 - a named tuple does not change
    _chain: list[str] = field(default_factory=lambda: [NOTHING_TOLD])

    def chain(self, count: int) -> str:
        """The hash of the first so many readings and events."""
        for each in self.told[len(self._chain) - 1 : count]:
            self._chain.append(hashlib.sha256((self._chain[-1] + repr(each)).encode()).hexdigest())
        return self._chain[min(count, len(self._chain) - 1)]

    def begins_like(self, other: RunTold) -> bool:
        """Whether it tells at least what another has told, and the same."""
        count = len(other.told)
        return len(self.told) >= count and self.chain(count) == other.chain(count)
