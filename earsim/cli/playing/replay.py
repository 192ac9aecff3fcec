"""`earsim replay`: verify recorded episodes by playing them again."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, complain, examples, safe
from earsim.errors import EarSimError, ReplayMismatch
from earsim.evaluation.formats.trajectories import Recording, recordings_below
from earsim.evaluation.replay import Verified, verify
from earsim.schema import Scenario
from earsim.suites.finding import find_scenario, find_suite

EXAMPLES = examples(
    "earsim replay runs/starter-random-0",
    "earsim replay somebody.jsonl --suite their_scenes/",
)


def command(
    trajectories: Annotated[
        list[Path], typer.Argument(help="Runs, trajectory files, or folders that hold such.")
    ],
    suite: Annotated[
        str | None,
        typer.Option(help="Where the scenarios are; a run's own suite, or any known, by default."),
    ] = None,
    rerun: Annotated[
        bool,
        typer.Option("--rerun", help="Execute code of agents again, instead of its record."),
    ] = False,
) -> None:
    """Verify recorded episodes: scenario, every outcome, every digest, and the verdict."""
    screen = Screen()
    worst = Code.FINE
    equal = 0
    for recording in chain.from_iterable(map(recordings_below, trajectories)):
        try:
            trajectory = recording.load()
            scenario = _scenario(trajectory.scenario_id, recording, suite)
            found = verify(trajectory, scenario, source=recording.source, rerun=rerun)
        except ReplayMismatch as mismatch:
            screen.say("differs  ", safe(str(mismatch)))
            worst = max(worst, Code.NO)
        except EarSimError as error:
            complain(str(error))
            worst = Code.WRONG_INPUT
        else:
            equal += 1
            screen.say("equal    ", safe(f"{recording.source}: {_told(found)}"))
    screen.say(f"{equal} equal" + ("." if worst is Code.FINE else ", and not all are."))
    if worst is not Code.FINE:
        raise typer.Exit(worst)


def _scenario(scenario_id: str, recording: Recording, suite: str | None) -> Scenario:
    """From the suite that is named, else that of the run, else any known one."""
    if suite is None and recording.suite is not None:
        return find_suite(recording.suite).suite.load(scenario_id)
    return find_scenario(scenario_id, suite=suite)


def _told(found: Verified) -> str:
    decisions = f"{found.decisions} decision{'s' * (found.decisions != 1)}"
    if found.unproved:
        return f"{decisions}, {found.unproved} of them without a digest to compare"
    return decisions
