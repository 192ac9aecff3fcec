"""Reflection: constraints held against what is known, and what the model decides of the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from earsim.apparatus.model import ShownSample
from earsim.apparatus.parameter import Value
from earsim_agents.replies.record import StrictReply, Text
from earsim_agents.science.embodied.plan import Constraint, ExpectedReading

Decision = Literal["ACCEPT", "LOCAL_ADJUST", "GLOBAL_REPLAN"]


ALL_MET = "All constraints are met."


class Reflected(StrictReply):
    """What reflection says of an outcome."""

    decision: Decision
    why: Text = ""


class KnownValues(NamedTuple):
    """What constraints are held against.

    Attributes:
        values: results of the last run, counts of runs and answers, by name; None for a result
            that does not exist.
        readings: of the last run, oldest first.
    """

    values: Mapping[str, Value | None]
    readings: Sequence[ShownSample] = ()


class Verification(NamedTuple):
    """What came of holding constraints against evidence.

    Attributes:
        met: how many constraints hold.
        unmet: those that do not, with what was found.
        unknown: those about nothing that is known, which the model has to judge.
    """

    def __str__(self) -> str:
        met = "All constraints that can be checked are met." if self.unknown else ALL_MET
        told = f"Not met: {'; '.join(self.unmet)}." if self.unmet else met
        return f"{told} Left to you: {'; '.join(self.unknown)}." if self.unknown else told

    met: int
    unmet: tuple[str, ...]
    unknown: tuple[str, ...]


def verify(constraints: Sequence[Constraint], evidence: KnownValues) -> Verification:
    """Hold constraints against what is known; one about a channel against every reading of it."""
    met, unmet, unknown = 0, [], []
    for each in constraints:
        if each.result in evidence.values:
            found = evidence.values[each.result]
            wrong = None if each.holds(found) else f"{each} (it is {found})"
        elif any(_readings(each, evidence.readings)):
            wrong = violation(each, evidence.readings)
        else:
            unknown.append(str(each))
            continue
        met += wrong is None
        unmet += [] if wrong is None else [wrong]
    return Verification(met, tuple(unmet), tuple(unknown))


def violation(what: Constraint | ExpectedReading, readings: Sequence[ShownSample]) -> str | None:
    """The first reading of a channel that is not as it has to be, or as expected; None if none."""
    for reading in _readings(what, readings):
        found = reading.channels[_channel(what)]
        if not what.holds(found):
            return f"{what} ({_channel(what)} is {found} at t {reading.t:g})"
    return None


def _readings(
    what: Constraint | ExpectedReading, readings: Sequence[ShownSample]
) -> Sequence[ShownSample]:
    since = what.after
    return [
        reading
        for reading in readings
        if _channel(what) in reading.channels and (since is None or reading.t >= since)
    ]


def _channel(what: Constraint | ExpectedReading) -> str:
    return what.result if isinstance(what, Constraint) else what.channel
