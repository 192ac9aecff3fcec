"""Replies of perception and reflection, and the rules that come before them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from earsim.apparatus.message import Envelope
from earsim.apparatus.model import Severity
from earsim.apparatus.parameter import Value
from earsim.apparatus.payload import CodeEvent, ModelStateUpdate
from earsim_agents.replies.record import StrictReply, Text
from earsim_agents.science.embodied.plan import Constraint

Perception = Literal["NORMAL", "WARNING", "ERROR"]
Decision = Literal["ACCEPT", "LOCAL_ADJUST", "GLOBAL_REPLAN"]


class Perceived(StrictReply):
    """What perception says of a run that goes on."""

    state: Perception
    why: Text = ""


class Reflected(StrictReply):
    """What reflection says of an outcome."""

    decision: Decision
    why: Text = ""


def by_rule(stream: Sequence[Envelope]) -> Perceived | None:
    """What the events of a stream say by themselves; None where no rule speaks.

    An event of severity error is an ERROR, one of severity warning a WARNING.
    """
    found = [e.payload for e in stream if isinstance(e.payload, CodeEvent)]
    for severity, state in ((Severity.ERROR, "ERROR"), (Severity.WARNING, "WARNING")):
        names = [event.event for event in found if event.severity is severity]
        if names:
            return Perceived.model_validate({"state": state, "why": ", ".join(names)})
    return None


def events_of(stream: Iterable[Envelope]) -> tuple[str, ...]:
    """Warnings and errors that a run raised, each once."""
    names = (
        envelope.payload.event
        for envelope in stream
        if isinstance(envelope.payload, CodeEvent)
        and envelope.payload.severity is not Severity.INFO
    )
    return tuple(dict.fromkeys(names))


def last_readings(stream: Sequence[Envelope], most: int = 5) -> str:
    """The newest readings of a run, a line each."""
    found = [e.payload for e in stream if isinstance(e.payload, ModelStateUpdate)][-most:]
    return "\n".join(
        f"t {each.t:g}: " + ", ".join(f"{name} {value}" for name, value in each.channels.items())
        for each in found
    )


def unmet(constraints: Sequence[Constraint], results: Mapping[str, Value | None]) -> list[str]:
    """The constraints that results do not meet; those about no result are left to the model."""
    checked = (each for each in constraints if each.result in results)
    return [
        f"{each} (it is {results[each.result]})"
        for each in checked
        if not each.holds(results[each.result])
    ]
