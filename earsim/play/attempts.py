"""Which scenario a person plays next, where that is saved, and whether it goes on from before."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from earsim.errors import UsageError
from earsim.evaluation.formats.trajectories import is_run, trajectory_of_row
from earsim.evaluation.runs.jobs import Job
from earsim.evaluation.runs.recorder import result_of
from earsim.evaluation.runs.rollout import End, row_of
from earsim.evaluation.runs.run_config import run_configs_of
from earsim.evaluation.runs.sweep import ModelConfig, Sweep
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import (
    MANIFEST,
    RunManifest,
    alone_in,
    joined,
    load_run_manifest,
    new_manifest,
    save_manifest,
    scenarios_of,
)
from earsim.evaluation.store.records import Writing
from earsim.evaluation.termination import Ending
from earsim.installed import version
from earsim.play.session import Session
from earsim.rulesets import RULESETS
from earsim.schema import Scenario, Trajectory
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites import Suite
from earsim.suites.finding import find_suite

POLICY = "human"
_PLAYER = re.compile(r"\w[\w.-]{0,40}")


class AttemptRun:
    """The run in which the attempts of a player at the scenarios of a suite are saved.

    Attributes:
        path: its folder; made by the first `save`.
        cell: how its episodes are played; the number of the attempt is the seed.
    """

    def __init__(
        self,
        path: Path,
        suite: Suite,
        source: str,
        settings: EpisodeSettings,
        *,
        player: str = POLICY,
        number: int = 0,
    ) -> None:
        """Write nothing yet.

        Args:
            path: its folder.
            suite: whose scenarios are played.
            source: name or path of the suite.
            settings: how they are played.
            player: what results call the player.
            number: of the attempt.
        """
        self.path = path
        self._suite = suite
        self._sweep = Sweep(
            models=(ModelConfig(policy=POLICY, name=player),),
            suites=(source,),
            rulesets=(settings.ruleset,),
            seed=number,
            budget=settings.budget,
            end_on=settings.end_on,
        )
        (self.cell,) = run_configs_of(self._sweep)

    def check(self) -> None:
        """Compare with what the folder holds.

        Raises:
            UsageError: It holds another run.
        """
        if (self.path / MANIFEST).exists():
            joined(load_run_manifest(self.path), self._manifest(0), self.path)

    def recorded(self, scenario: Scenario) -> tuple[Trajectory, bool] | None:
        """The attempt at a scenario as it is now, and whether it was left before its end."""
        if not is_run(self.path):
            return None
        in_force = RULESETS[self.cell.ruleset or scenario.ruleset].id
        with Store.open(self.path, readonly=True) as store:
            for row in store.episodes(self.cell.name):
                if (row.scenario_hash, row.ruleset) == (scenario.hash, in_force):
                    steps = store.steps(row.episode)
                    found = trajectory_of_row(row, steps, self.cell, version("earsim"))
                    return found, row.termination == Ending.QUIT
        return None

    def save(self, session: Session, *, left: Ending = Ending.QUIT) -> None:
        """Write an attempt down as it stands, in place of what was there of it.

        Args:
            session: The attempt.
            left: Why it ended, if its episode is not over.
        """
        scenario = session.episode.engine.scenario
        job = Job(self.cell.name, scenario.id, 0)
        writing = Writing(job.episode)
        for step in session.steps:
            writing.step(step, unreadable=False)
        ending = Ending(result_of(session.episode).termination) if session.is_over else left
        row = row_of(
            job,
            self.cell,
            self._suite,
            End(ending),
            scenario=scenario,
            episode=session.episode,
            memory=session.memory,
            extra={"unreadable": 0},
            started_at=session.started_at,
            wall_ms=1000 * (time.time() - session.started_at),
        )
        with alone_in(self.path), Store.open(self.path) as store:
            store.add(writing.finish(row))
            manifest = self._manifest(len(store.outcomes()))
            scenarios = scenarios_of(store.episodes())
            save_manifest(manifest.model_copy(update={"scenarios": scenarios}), self.path)

    def _manifest(self, planned: int) -> RunManifest:
        return new_manifest(self._sweep, (self.cell,), {self.cell.name: planned})


class Attempt(NamedTuple):
    """One go at one scenario.

    Attributes:
        number: how many finished ones there are already.
        left: the record to go on from, if it was begun before.
    """

    scenario: Scenario
    run: AttemptRun
    number: int
    left: Trajectory | None

    def begin(self) -> Session:
        """Start it, or bring it to where it was left."""
        session = Session(self.scenario, self.run.cell.episode)
        if self.left is not None:
            session.resume(self.left)
        return session

    def save(self, session: Session) -> None:
        """Write down what was done so far; nothing for who did nothing."""
        if session.has_begun or self.left is not None:
            self.run.save(session)


def find_attempt(
    text: str,
    episode: EpisodeSettings,
    *,
    category: str | None = None,
    player: str | None = None,
    out: Path | None = None,
) -> Attempt:
    """The attempt that a person means who asks for a scenario, or for a suite.

    One that was left goes on. A finished one is kept, and the next is another attempt, in a folder
    of its own; of a suite, the first scenario is meant that has no finished attempt.

    Args:
        text: what was typed: a scenario or a suite.
        episode: how it is played.
        category: only scenarios of this category.
        player: the player's name.
        out: where the run is saved; only one attempt fits in.

    Raises:
        UnknownName: There is no such scenario or suite.
        UsageError: The name will not do, or everything asked for is finished already.
    """
    if player is not None and not _PLAYER.fullmatch(player):
        raise UsageError(f"{player!r} will not do as a name: letters, digits, _ . and -")
    name = POLICY if player is None else f"{POLICY}-{player}"
    found = find_suite(text)
    suite = found.suite.select(category=category)
    if not len(suite):
        raise UsageError(f"{text} has no scenario of category {category}")
    for number, folder in enumerate(_folders(suite.name, name, episode, out)):
        run = AttemptRun(folder, suite, found.source, episode, player=name, number=number)
        attempt = next_attempt(run, suite, number=number)
        if attempt is not None:
            return attempt
    raise UsageError(f"everything asked for is finished, in {out}; choose another folder")


def next_attempt(run: AttemptRun, suite: Suite, *, number: int = 0) -> Attempt | None:
    """The first scenario of a suite that has no finished attempt in a run; None if all have.

    Raises:
        UsageError: The folder of the run holds another one.
    """
    for scenario in map(suite.load, suite.ids):
        last = run.recorded(scenario)
        if last is None or last[1]:
            run.check()  # complains now, not after the game
            return Attempt(scenario, run, number, None if last is None else last[0])
    return None


def _folders(suite: str, player: str, episode: EpisodeSettings, out: Path | None) -> Iterator[Path]:
    """Where the attempts lie, the first first; without end, unless the folder is given."""
    if out is not None:
        yield out
        return
    changed = [episode.ruleset or "", f"budget{episode.budget}" if episode.budget else ""]
    for number in count():
        yield Path("runs") / "-".join(filter(None, (suite, player, str(number), *changed)))
