"""Whether the goal holds, has ever held, and was claimed: both verdicts are always kept."""

from __future__ import annotations

from typing import Any

from earsim.goals import CompiledGoal
from earsim.pickled import reduced
from earsim.world import World


class Verdict:
    """The state of the goal over an episode; looks when told to.

    Attributes:
        score: how many parts of the goal hold in the world last looked at.
        now: whether all of them do.
        ever: it held at some look (the latched verdict of EAR-Bench 5.1).
        since: number of the decision, from 0, after which it first held; None if never.
    """

    __slots__ = ("_changed", "_goal", "ever", "now", "score", "since")

    def __init__(self, goal: CompiledGoal, *, source: Verdict | None = None) -> None:
        if source is not None:  # `copy` asks for it: compiled classes cannot be made empty
            self._take(source)
            return
        self._goal = goal
        self._changed = -1
        self.score = 0
        self.now = False
        self.ever = False
        self.since: int | None = None

    def look_first(self, world: World) -> None:
        """Note how things stand before the first decision; that never counts as ever."""
        self._ask(world)

    def look(self, world: World, decision: int) -> bool:
        """Ask the goal after a decision; a world in which nothing changed is not asked again."""
        has_changed = world.changed != self._changed
        if has_changed or (self._goal.timed and world.timeline is not None):
            self._ask(world)
        if self.now and not self.ever:
            self.ever = True
            self.since = decision
        return self.now

    def _ask(self, world: World) -> None:
        self._changed = world.changed
        self.score = self._goal.score(world)
        self.now = self.score == len(self._goal.parts)

    def copy(self) -> Verdict:
        """An independent copy."""
        return Verdict(self._goal, source=self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its attributes."""
        return reduced(self, self._goal)

    def _take(self, source: Verdict) -> None:
        """Become a copy of another."""
        self._goal = source._goal
        self._changed = source._changed
        self.score = source.score
        self.now = source.now
        self.ever = source.ever
        self.since = source.since
