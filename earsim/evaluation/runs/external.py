"""What came from outside the world: output of code, and what models elsewhere told of their runs.

A trajectory keeps it, and a replay plays it: nothing is executed, and no run is asked for, again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from earsim.apparatus.bodies.pool import POOL, Received
from earsim.apparatus.model import Expected, ModelEvent, Sample, Severity
from earsim.evaluation.runs.code import code_record, read_code
from earsim.evaluation.runs.code import machine_fault as fault_of_code
from earsim.evaluation.termination import Ending
from earsim.link.remote.model import MODEL_FAULT
from earsim.link.remote.pool import REMOTE_POOL
from earsim.link.remote.run import EndedRun, RemoteEnd, RemoteRun, RunTold
from earsim.schema import StepRecord
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.model import FileModel, JsonDict
from earsim.world import World
from earsim.world.lab import LabRun


class ExternalRecord(NamedTuple):
    """What was received from outside; None where that is not known.

    Attributes:
        code: by the key of the piece.
        models: by the key of the run.
    """

    code: Mapping[str, Received] | None
    models: Mapping[str, RunTold] | None

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Within it what is recorded is received again."""
        with ExitStack() as stack:
            if self.code is not None:
                stack.enter_context(POOL.playing(self.code))
            if self.models is not None:
                stack.enter_context(REMOTE_POOL.playing(self.models))
            yield


def machine_fault(record: StepRecord, world: World) -> tuple[Ending, str] | None:
    """Why a decision makes its episode no measurement: nothing that the agents did.

    Args:
        record: of the decision.
        world: after it.
    """
    for run in _remote_runs(world):
        end = run.state.end
        if end is not None and not end.end.is_measured:
            return Ending.MODEL_FAULT, end.message
    return fault_of_code(record, world)


def external_record(world: World) -> dict[str, Any]:
    """What a world has received from outside, as a trajectory keeps it."""
    runs = [_recorded(run) for run in _remote_runs(world)]
    return {**code_record(world), **({"remote_runs": runs} if runs else {})}


def read_external(extra: Mapping[str, Any], source: str) -> ExternalRecord:
    """What was received from outside.

    Args:
        extra: what the writer of an episode noted beside it.
        source: names the episode in messages.

    Raises:
        FileError: The record is none.
    """
    models = None
    if "remote_runs" in extra:
        record = validated(Document(source, {"remote_runs": extra["remote_runs"]}), _RunsRecord)
        models = dict[str, RunTold]()
        for each in record.remote_runs:
            key, told = each.read()
            before = models.get(key)
            if before is None or before.reached < told.reached:
                models[key] = told
    return ExternalRecord(read_code(extra, source), models)


def _remote_runs(world: World) -> list[LabRun]:
    """The runs of models elsewhere, oldest first."""
    lab = None if world.timeline is None else world.timeline.lab
    runs = () if lab is None else lab.runs.values()
    return [run for run in runs if isinstance(run.state, RemoteRun)]


class _SampleRecord(FileModel):
    at: float
    t: float
    values: tuple[float | None, ...]


class _EventRecord(FileModel):
    at: float
    t: float
    name: str
    severity: Severity
    facts: JsonDict


class _EndRecord(FileModel):
    at: float
    end: RemoteEnd
    message: str
    results: dict[str, bool | int | float | str | None]
    cost: float | None


class _RunRecord(FileModel):
    """What was told of one run."""

    model: str
    settings: dict[str, bool | int | float | str]
    expected: tuple[float | None, float | None]
    told: tuple[_SampleRecord | _EventRecord, ...]
    reached: float
    end: _EndRecord | None

    def read(self) -> tuple[str, RunTold]:
        """The key of the run, and what was told."""
        told = RunTold(reached=self.reached, expected=Expected(*self.expected))
        for each in self.told:
            if isinstance(each, _SampleRecord):
                values = [math.nan if value is None else value for value in each.values]
                told.told.append(Sample(each.at, each.t, tuple(values)))
            else:
                event = ModelEvent(each.at, each.t, each.name, each.severity, each.facts)
                told.told.append(event)
        if self.end is not None:
            told.end = EndedRun(**dict(self.end))
        return RemoteRun.of(self.model, self.settings).key, told


class _RunsRecord(FileModel):
    remote_runs: tuple[_RunRecord, ...]


def _recorded(run: LabRun) -> dict[str, Any]:
    """The record of a run; of one moment, its readings first."""
    state: RemoteRun = run.state
    told: list[Sample | ModelEvent] = [*run.samples]
    told += [event for event in run.events if event.name != MODEL_FAULT]
    told.sort(key=lambda each: (each.at, isinstance(each, ModelEvent)))
    return {
        "model": state.model,
        "settings": dict(state.settings),
        "expected": list(run.expected),
        "told": [_told(each) for each in told],
        "reached": state.allowance,
        "end": None if state.end is None else {**state.end._asdict(), "end": state.end.end.value},
    }


def _told(each: Sample | ModelEvent) -> dict[str, Any]:
    if isinstance(each, Sample):
        values = [value if math.isfinite(value) else None for value in each.values]
        return {"at": each.at, "t": each.t, "values": values}
    return {**each._asdict(), "severity": each.severity.value, "facts": dict(each.facts)}
