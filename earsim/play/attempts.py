"""Which scenario a person plays next, where that is saved, and whether it goes on from before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from earsim.errors import UsageError
from earsim.evaluation.run_folder import RunFolder
from earsim.play.session import LEFT, Session
from earsim.schema import Scenario, Trajectory
from earsim.schema.records.manifest import EpisodeSettings, RunSettings
from earsim.suites.finding import find_suite

POLICY = "human"
_PLAYER = re.compile(r"\w[\w.-]{0,40}")


class Attempt(NamedTuple):
    """One go at one scenario.

    Attributes:
        number: how many finished ones there are already.
        left: the record to go on from, if it was begun before.
    """

    scenario: Scenario
    settings: RunSettings
    folder: RunFolder
    number: int
    left: Trajectory | None

    def begin(self) -> Session:
        """Start it, or bring it to where it was left."""
        session = Session(
            self.scenario, self.settings.episode, player=self.settings.policy, attempt=self.number
        )
        if self.left is not None:
            session.resume(self.left)
        return session

    def save(self, session: Session) -> None:
        """Write down what was done so far; nothing for who did nothing."""
        if not session.steps and self.left is None:
            return
        trajectory = session.trajectory()
        self.folder.open(self.settings)
        self.folder.save(trajectory)
        self.folder.note(self.scenario.id, trajectory, "")
        self.folder.close()


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
    policy = POLICY if player is None else f"{POLICY}-{player}"
    found = find_suite(text)
    suite = found.suite.select(category=category)
    if not len(suite):
        raise UsageError(f"{text} has no scenario of category {category}")
    for number, folder in enumerate(_folders(suite.name, policy, episode, out)):
        settings = RunSettings(suite=found.source, policy=policy, seed=number, episode=episode)
        for scenario in map(suite.load, suite.ids):
            last = folder.finished(scenario, episode.ruleset)
            if last is None or _was_left(last):
                if folder.manifest_path.exists():
                    folder.open(settings)  # complains now, not after the game
                return Attempt(scenario, settings, folder, number, last)
    raise UsageError(f"everything asked for is finished, in {out}; choose another folder")


def _folders(
    suite: str, policy: str, episode: EpisodeSettings, out: Path | None
) -> Iterator[RunFolder]:
    """Where the attempts lie, the first first; without end, unless the folder is given."""
    if out is not None:
        yield RunFolder(out)
        return
    changed = [episode.ruleset or "", f"budget{episode.budget}" if episode.budget else ""]
    for number in count():
        name = "-".join(filter(None, (suite, policy, str(number), *changed)))
        yield RunFolder(Path("runs") / name)


def _was_left(trajectory: Trajectory) -> bool:
    return trajectory.result is not None and trajectory.result.termination == LEFT
