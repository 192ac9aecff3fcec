"""`earsim replay`: verify recorded episodes by playing them again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, complain, examples, safe
from earsim.errors import EarSimError, FileError, Finding, ReplayMismatch
from earsim.evaluation.replay import Verified, verify
from earsim.evaluation.run_folder import MANIFEST, TRAJECTORIES, load_manifest
from earsim.schema import Scenario, Trajectory, load_trajectory
from earsim.suites.finding import find_scenario

NAME = "replay"
EXAMPLES = examples(
    "earsim replay runs/starter-random-0",
    "earsim replay somebody.jsonl --suite their_scenes/",
)


def command(
    trajectories: Annotated[
        list[Path], typer.Argument(help="Trajectory files, or folders (runs) that hold them.")
    ],
    suite: Annotated[
        str | None,
        typer.Option(help="Where the scenarios are; a run's own suite, or any known, by default."),
    ] = None,
) -> None:
    """Verify recorded episodes: scenario, every outcome, every digest, and the verdict."""
    screen = Screen()
    worst = Code.FINE
    equal = 0
    for path in _files(trajectories):
        try:
            trajectory = load_trajectory(path)
            found = verify(trajectory, _scenario(trajectory, path, suite), source=str(path))
        except ReplayMismatch as mismatch:
            screen.say("differs  ", safe(str(mismatch)))
            worst = max(worst, Code.NO)
        except EarSimError as error:
            complain(str(error))
            worst = Code.WRONG_INPUT
        else:
            equal += 1
            screen.say("equal    ", safe(f"{path}: {_told(found)}"))
    screen.say(f"{equal} equal" + ("." if worst is Code.FINE else ", and not all are."))
    if worst is not Code.FINE:
        raise typer.Exit(worst)


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.rglob("*.jsonl"))
        if not found:
            reason = "no trajectories"
            raise FileError(str(path), [Finding(str(path), "", reason, "expected *.jsonl files")])
        yield from found


def _scenario(trajectory: Trajectory, path: Path, suite: str | None) -> Scenario:
    """From the suite that is named, else that of the run the file lies in, else any known one."""
    if suite is None:
        suite = _suite_of_run(path)
    return find_scenario(trajectory.scenario_id, suite=suite)


def _suite_of_run(path: Path) -> str | None:
    for folder in path.resolve().parents:
        if folder.name == TRAJECTORIES and (folder.parent / MANIFEST).is_file():
            return load_manifest(folder.parent).settings.suite
    return None


def _told(found: Verified) -> str:
    decisions = f"{found.decisions} decision{'s' * (found.decisions != 1)}"
    if found.unproved:
        return f"{decisions}, {found.unproved} of them without a digest to compare"
    return decisions
