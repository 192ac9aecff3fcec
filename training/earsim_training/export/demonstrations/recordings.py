"""Demonstrations that were recorded: runs of `earsim eval`, `earsim run` and `earsim play`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from earsim.errors import FileError, Finding
from earsim.evaluation.formats.recorded import recorded_cells
from earsim.evaluation.formats.trajectories import is_run
from earsim.evaluation.metrics.counters import has_succeeded
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.replay import settings_of
from earsim.evaluation.runs.external import read_external
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.rows import CallRow, EpisodeRow, StepRow
from earsim.schema import load_trajectory
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites.finding import find_scenario
from earsim_training.export.demonstrations.demonstration import Demonstration, DemonstrationTurn
from earsim_training.export.role_calls import role_record

Left = str
"""Why an episode could not be taken, beginning with its id."""


def is_recording(source: Path) -> bool:
    """Whether a path holds recorded episodes."""
    if source.is_dir():
        return is_run(source)
    return source.name.endswith(".jsonl") and _is_trajectory(source)


def recorded(source: Path) -> Iterator[Demonstration | Left]:
    """Every episode of a run, or the one of a trajectory's file.

    Raises:
        FileError: It cannot be read.
    """
    if source.is_dir():
        yield from _of_run(source)
    else:
        yield _of_file(source)


def _of_run(run: Path) -> Iterator[Demonstration | Left]:
    with Store.open(run, readonly=True) as store:
        for cell in recorded_cells(run, store):
            settings = cell.cell.episode
            for row in store.episodes(cell.cell.name):
                steps, calls = list(store.steps(row.episode)), list(store.calls(row.episode))
                yield _of_row(row, steps, calls, settings, cell.library)


def _of_row(
    row: EpisodeRow,
    steps: Sequence[StepRow],
    calls: Sequence[CallRow],
    settings: EpisodeSettings,
    library: SuiteLookup,
) -> Demonstration | Left:
    scenario = library.scenario(row)
    if scenario is None:
        return f"{row.episode}: its scenario is not at hand, or has changed since"
    turns = tuple(DemonstrationTurn(step.commands) for step in steps)
    who = row.model or row.policy
    # The budget of the record: the scenario's own may have been another when it was played.
    budget = row.extra.get("budget", settings.budget)
    settings = settings.model_copy(update={"budget": budget})
    record = role_record(row, steps, calls, success=has_succeeded(row))
    plan = library.plan(row)
    return Demonstration(
        row.episode, scenario, settings, turns, who, row.seed or 0, plan,
        record=record, external=read_external(row.extra, row.episode),
    )  # fmt: skip


def _of_file(path: Path) -> Demonstration:
    found = load_trajectory(path, partial=True)
    scenario = find_scenario(found.scenario_id)
    if scenario.hash != found.scenario_hash:
        reason = f"{found.scenario_id} has changed since this was recorded"
        raise FileError(str(path), [Finding(str(path), "scenario_hash", reason)])
    turns = tuple(DemonstrationTurn(step.commands or None) for step in found.steps)
    settings = settings_of(found, str(path))
    id, external = f"{found.policy}/{scenario.id}/0", read_external(found.extra, str(path))
    who, seed = found.policy, found.seed or 0
    return Demonstration(id, scenario, settings, turns, who, seed, external=external)


def _is_trajectory(path: Path) -> bool:
    with path.open(encoding="utf-8", errors="replace") as lines:
        return '"record"' in lines.readline(4_096)
