"""One attempt of a person at one scenario: decisions that can be taken back, and their record."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping

from earsim.actions.decision import Decision
from earsim.episode import Snapshot
from earsim.evaluation.runs.recorder import begin, is_over, take, trajectory_of
from earsim.evaluation.termination import Ending
from earsim.play.typed import one_line
from earsim.schema import Scenario, StepRecord, Trajectory
from earsim.schema.records.episode_settings import EpisodeSettings

_BEGINNINGS = ("undone", "hints", "least_asked")


class Session:
    """A live episode with its history.

    Attributes:
        episode: the live episode; read it, but change it only through its methods.
        start: the world before the first decision.
        steps: the record of every decision that stands.
        notes: how often the player did what the commands do not show; goes into the memory.
        started_at: seconds since 1970.
    """

    def __init__(self, scenario: Scenario, settings: EpisodeSettings) -> None:
        """Begin an episode."""
        self.started_at = time.time()
        self.episode = begin(scenario, settings)
        self.start = self.episode.world.copy()
        self.steps: list[StepRecord] = []
        self.notes: Counter[str] = Counter()
        self._settings = settings
        self._before: list[Snapshot] = []
        self._undone: list[StepRecord] = []

    @property
    def is_over(self) -> bool:
        """Whether no further decision can be taken."""
        return is_over(self.episode)

    @property
    def has_begun(self) -> bool:
        """Whether there is something to record: a decision, even one taken back, or a hint."""
        return bool(self.steps) or any(map(self.notes.__getitem__, _BEGINNINGS))

    def take(self, commands: Mapping[str, str]) -> Decision:
        """Take a decision, and remember it together with the moment before."""
        self._undone.clear()
        return self._take(commands)

    def _take(self, commands: Mapping[str, str]) -> Decision:
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
        self._undone = undone + self._undone
        return undone

    def redo(self, count: int = 1) -> list[StepRecord]:
        """Take decisions again that were taken back, at most all; returns them, oldest first.

        A new decision makes an end of those taken back before it.
        """
        again = self._undone[:count]
        if not again:
            return []
        for step in again:
            self._take(step.commands)
        del self._undone[:count]
        self.notes["redone"] += len(again)
        return self.steps[len(self.steps) - len(again) :]

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


def commands_of(steps: Iterable[StepRecord], *, in_team: bool) -> list[str]:
    """One line per decision: `GRAB key`, or `ada: GRAB key; SAY mine | bo: EXPLORE` in a team."""
    return [
        " | ".join(
            f"{agent}: {one_line(text)}" if in_team else one_line(text)
            for agent, text in step.commands.items()
        )
        for step in steps
    ]
