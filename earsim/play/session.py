"""One attempt of a person at one scenario: decisions that can be taken back, and their record."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping

from earsim.actions.decision import Decision
from earsim.episode import Snapshot
from earsim.evaluation.runs.recorder import begin, is_over, take, trajectory_of
from earsim.evaluation.termination import Ending
from earsim.schema import Scenario, StepRecord, Trajectory
from earsim.schema.records.episode_settings import EpisodeSettings


class Session:
    """A live episode with its history.

    Attributes:
        episode: the live episode; read it, but change it only through `take` and `undo`.
        steps: the record of every decision that stands.
        notes: how often the player did what the commands do not show; goes into the memory.
        started_at: seconds since 1970.
    """

    def __init__(self, scenario: Scenario, settings: EpisodeSettings) -> None:
        """Begin an episode."""
        self.started_at = time.time()
        self.episode = begin(scenario, settings)
        self.steps: list[StepRecord] = []
        self.notes: Counter[str] = Counter()
        self._settings = settings
        self._before: list[Snapshot] = []

    @property
    def is_over(self) -> bool:
        """Whether no further decision can be taken."""
        return is_over(self.episode)

    def take(self, commands: Mapping[str, str]) -> Decision:
        """Take a decision, and remember it together with the moment before."""
        self._before.append(self.episode.snapshot())
        self.steps.append(take(self.episode, commands))
        assert self.episode.last is not None
        return self.episode.last

    def undo(self, count: int = 1) -> list[StepRecord]:
        """Take back the last decisions, at most all; returns them, oldest first."""
        count = min(count, len(self.steps))
        if count < 1:
            return []
        undone = self.steps[-count:]
        self.episode.restore(self._before[-count])
        del self.steps[-count:], self._before[-count:]
        self.notes["undone"] += count
        return undone

    def resume(self, left: Trajectory) -> None:
        """Do again what was done in an attempt that its player left."""
        for step in left.steps:
            self.take(step.commands)
        if isinstance(left.memory, dict):
            self.notes.update({key: n for key, n in left.memory.items() if isinstance(n, int)})
        self.notes["resumed"] += 1

    @property
    def memory(self) -> dict[str, int]:
        """The notes as they are recorded."""
        return {key: self.notes[key] for key in sorted(self.notes)}

    def trajectory(self) -> Trajectory:
        """The record of the attempt as it stands."""
        return trajectory_of(
            self.episode,
            self.steps,
            self._settings,
            policy="human",
            memory=self.memory,
            termination=None if self.is_over else Ending.QUIT.value,
        )


def commands_of(steps: Iterable[StepRecord]) -> list[str]:
    """One line per decision: `GRAB key`, or `ada: GRAB key | bo: EXPLORE` in a team."""
    return [
        " | ".join(
            text if len(step.commands) == 1 and not step.outcomes[1:] else f"{agent}: {text}"
            for agent, text in step.commands.items()
        )
        for step in steps
    ]
