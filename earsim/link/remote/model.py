"""A model that lives elsewhere, as the world knows any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from earsim.apparatus.model import (
    Advanced,
    Expected,
    Model,
    ModelEvent,
    ModelOutput,
    Sample,
    Severity,
)
from earsim.apparatus.parameter import Settings, Value
from earsim.errors import UsageError
from earsim.link.remote.addresses import addresses
from earsim.link.remote.description import ModelDescription
from earsim.link.remote.pool import REMOTE_POOL
from earsim.link.remote.run import RemoteEnd, RemoteFault, RemoteRun, Told

MODEL_FAULT = "model_fault"
"""The event of a run whose model did not do what it should; every such model can raise it."""

_LONGEST_S = 86_400.0
"""As far as a run is advanced by who asks for all of it; a world goes no farther either."""


class RemoteModel(Model):
    """A model behind a socket: one class for each, made from what it says of itself.

    A run is a function of its settings, as that of any model: an instrument that measures anew each
    time offers a setting for it, such as the number of the measurement.
    """

    description: ModelDescription

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its description: who reads it connects when it needs to."""
        return remote_model, (self.description,)

    def start(self, settings: Settings) -> RemoteRun:
        """A run of which nothing was told; the model is asked once it is advanced."""
        run = RemoteRun.of(self.id, settings)
        REMOTE_POOL.forget_fault(run)
        return run

    def advance(self, state: RemoteRun, allowance: float) -> Advanced:
        """Ask for what is to tell up to an allowance, and wait for the answer."""
        new, told = state, tuple[Told, ...]()
        if state.end is None and allowance > state.allowance:
            allowance = min(allowance, _LONGEST_S * (self.rate or 1.0))
            _, chain, expected, end = heard = REMOTE_POOL.advanced(state, allowance)
            told, count = heard.told, state.told + len(heard.told)
            allowance = allowance if end is None else min(allowance, end.at)
            new = replace(
                state, told=count, chain=chain, allowance=allowance, expected=expected, end=end
            )
        samples = [each for each in told if isinstance(each, Sample)]
        events = [each for each in told if isinstance(each, ModelEvent)]
        end, failed = new.end, None
        if end is not None and end.end is not RemoteEnd.COMPLETED:
            failed = end.message
            if new is not state and not end.end.is_measured:
                facts = {"fault": end.end.value, "message": end.message}
                events.append(ModelEvent(end.at, end.at, MODEL_FAULT, Severity.ERROR, facts))
        return Advanced(
            new,
            tuple(samples),
            tuple(events),
            self._spent(new),
            self._fraction(new),
            end is not None and failed is None,
            failed,
            timed_out=end is not None and end.end is RemoteEnd.TIMEOUT,
        )

    def results(self, state: RemoteRun) -> Mapping[str, Value | None]:
        """Those told at the end."""
        told = {} if state.end is None else state.end.results
        return {each.name: told.get(each.name) for each in self.quantities}

    def expected(self, settings: Settings) -> Expected:
        """What the model says that a run will take."""
        return REMOTE_POOL.expected(RemoteRun.of(self.id, settings))

    def _spent(self, state: RemoteRun) -> float:
        """Of a solver that goes on: what it was allowed; afterwards what it says that it took."""
        if self.rate is None:
            return 0.0
        if state.end is None:
            return state.allowance
        return state.end.at if state.end.cost is None else state.end.cost

    def _fraction(self, state: RemoteRun) -> float | None:
        if state.end is not None and state.end.end is RemoteEnd.COMPLETED:
            return 1.0
        return min(state.allowance / state.expected, 1.0) if state.expected else None


def remote_model(description: ModelDescription) -> RemoteModel:
    """The model that has a description."""

    def outputs(given: Any) -> tuple[ModelOutput, ...]:
        return tuple([ModelOutput(each.name, each.unit, each.says) for each in given])

    fields = {
        "__doc__": description.title,
        "description": description,
        "id": description.id,
        "title": description.title,
        "parameters": tuple([each.parameter() for each in description.parameters]),
        "channels": outputs(description.channels),
        "quantities": outputs(description.quantities),
        "events": tuple(dict.fromkeys((*description.events, MODEL_FAULT))),
        "rate": description.rate,
    }
    found: RemoteModel = type("RemoteModel", (RemoteModel,), fields)()
    return found


def attached(id: str) -> RemoteModel:
    """A model that the user has attached.

    Raises:
        UsageError: It does not answer, or not with sense.
    """
    try:
        return remote_model(REMOTE_POOL.description(id))
    except RemoteFault as fault:
        where = addresses().get(id, "nowhere")
        raise UsageError(f"model {id} at {where}: {fault}") from None
