"""Episodes of a run as trajectories: what is verified, replayed and handed on one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from earsim.errors import FileError, Finding
from earsim.evaluation.runs.run_config import RunConfig, title
from earsim.evaluation.store.database import DATABASE, Store
from earsim.evaluation.store.manifest import RunManifest, load_run_manifest
from earsim.evaluation.store.rows import EpisodeRow, StateRow, StepRow
from earsim.evaluation.termination import EpisodeOutcome
from earsim.installed import UNKNOWN_VERSION
from earsim.schema import Result, StepRecord, Trajectory, load_trajectory, save_trajectory


def trajectory_of_row(
    row: EpisodeRow, steps: Iterable[StepRow], cell: RunConfig, version: str
) -> Trajectory:
    """A recorded episode as a trajectory.

    Args:
        row: the episode; its scenario was loaded.
        steps: its decisions, in order.
        cell: how it was played.
        version: of earsim, which recorded it.
    """
    return Trajectory(
        scenario_id=row.scenario_id,
        scenario_hash=row.scenario_hash,
        ruleset=row.ruleset,
        env_version=version,
        policy=title(cell.entrant),
        seed=row.seed,
        steps=tuple(
            StepRecord(
                decision=step.decision,
                commands=step.commands or {},
                outcomes=step.outcomes,
                digest=step.digest or None,
                clock=step.clock,
            )
            for step in steps
        ),
        result=_result(row),
        memory=row.memory,
        extra={
            "category": row.category,
            "budget": row.extra.get("budget", cell.budget),
            "end_on": cell.end_on,
            "observability": cell.episode.observability,
            **({"code": row.extra["code"]} if "code" in row.extra else {}),
        },
    )


def _result(row: EpisodeRow) -> Result | None:
    """How it ended; None where it was not measured."""
    if row.outcome == EpisodeOutcome.NO_MEASUREMENT:
        return None
    return Result(**{name: getattr(row, name) for name in Result.model_fields})


def trajectories_of(run: Path) -> Iterator[tuple[RunConfig, EpisodeRow, Trajectory]]:
    """The episodes of a run that were begun, cell by cell.

    Raises:
        FileError: The folder holds no run.
    """
    manifest = load_run_manifest(run)
    with Store.open(run, readonly=True) as store:
        for cell in manifest.cells.values():
            for row in store.episodes(cell.name):
                if row.ruleset:
                    found = trajectory_of_row(
                        row, store.steps(row.episode), cell, _version(manifest)
                    )
                    states = [_state(each) for each in store.states(row.episode)]
                    extra = {**found.extra, "states": states} if states else found.extra
                    yield cell, row, found.model_copy(update={"extra": extra})


def _state(row: StateRow) -> dict[str, Any]:
    return {"decision": row.decision, "kind": row.kind, "state": row.state}


def _version(manifest: RunManifest) -> str:
    return manifest.versions.get("earsim", UNKNOWN_VERSION)


def is_run(path: Path) -> bool:
    """Whether a folder holds a run."""
    return (path / DATABASE).is_file()


class Recording(NamedTuple):
    """A recorded episode, before it is read.

    Attributes:
        source: names it in messages.
        suite: name or path of the suite that its run played; None for a file.
        load: reads it; raises FileError where it cannot.
    """

    source: str
    suite: str | None
    load: Callable[[], Trajectory]


def recordings_below(path: Path) -> Iterator[Recording]:
    """Every episode of a run, of a folder with runs or trajectory files below it, or of a file.

    What lies in the folder of a run, such as annotations and votes, is no trajectory file.

    Raises:
        FileError: There are none.
    """
    if not path.is_dir():
        yield Recording(str(path), None, partial(load_trajectory, path))
        return
    runs = sorted(found.parent for found in path.rglob(DATABASE))
    files = sorted(file for file in path.rglob("[!.]*.jsonl") if file.parent not in runs)
    for run in runs:
        for cell, row, trajectory in trajectories_of(run):
            yield Recording(f"{run}: {row.episode}", cell.suite, partial(_itself, trajectory))
    for file in files:
        yield Recording(str(file), None, partial(load_trajectory, file))
    if not runs and not files:
        expected = "expected a run, or *.jsonl files with trajectories"
        raise FileError(str(path), [Finding(str(path), "", "no trajectories", expected)])


def _itself(trajectory: Trajectory) -> Trajectory:
    return trajectory


def write_trajectories(run: Path, out: Path) -> Iterator[Path]:
    """Write each episode of a run as a file ``CELL/SCENARIO/REPEAT.jsonl`` below a folder."""
    for _, row, trajectory in trajectories_of(run):
        path = out / f"{row.episode}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        save_trajectory(trajectory, path)
        yield path
