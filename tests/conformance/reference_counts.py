"""Counting one episode: the figures that the reference reports per task (EAR-Bench 5.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from earsim.actions.decision import Decision
from earsim.actions.outcome import Status


@dataclass(slots=True)
class ReferenceCounts:
    """Running figures of one episode.

    Attributes:
        decisions: turns taken so far.
        succeeded: turns whose overall status was a success.
        completed_at: first turn, from 0, after which the goal held; None if never.
        claimed_at: first turn, from 0, that claimed the goal; None if never.
        asked: turns for which a policy gave any answer at all.
    """

    decisions: int = 0
    succeeded: int = 0
    completed_at: int | None = None
    claimed_at: int | None = None
    asked: int = 0

    def count(self, decision: Decision, *, holds: bool, answered: bool = True) -> None:
        """Add one turn; `holds` is the goal as it stands after it."""
        if holds and self.completed_at is None:
            self.completed_at = self.decisions
        if decision.claimed and self.claimed_at is None:
            self.claimed_at = self.decisions
        if decision.status in (Status.SUCCESS, Status.PARTIAL, Status.WAITING):
            self.succeeded += 1
        if answered or self.asked:
            self.asked += 1
        self.decisions += 1

    @property
    def completed(self) -> bool:
        """Whether the goal held after any turn."""
        return self.completed_at is not None

    @property
    def claimed(self) -> bool:
        """Whether the policy ever claimed the goal."""
        return self.claimed_at is not None

    def reference_row(self) -> dict[str, Any]:
        """The row the reference writes for a task, in its own names."""
        completed, claimed = self.completed, self.claimed
        timed_out = not completed and self.decisions >= 50  # hard-wired there: EAR-Bench Q33
        return {
            "total_steps": self.decisions,
            "model_claimed_done": claimed,
            "subtask_completed": completed,
            "actual_completion_step": -1 if self.completed_at is None else self.completed_at,
            "done_command_step": -1 if self.claimed_at is None else self.claimed_at,
            "true_positive": claimed and completed,
            "false_positive": claimed and not completed,
            "true_negative": not claimed and not completed,
            "false_negative": not claimed and completed,
            "status": "completed" if completed else "timeout" if timed_out else "failed",
            "successful_steps": self.succeeded,
            "failed_steps": self.decisions - self.succeeded,
            "command_success_rate": self.succeeded / self.decisions if self.decisions else 0.0,
            "llm_interactions": self.asked,
        }
