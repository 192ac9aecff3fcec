"""What the embodied agent remembers: its plan, what it tried, and what it did about trouble."""

from __future__ import annotations

from pydantic import BaseModel, Field

from earsim_agents.science.embodied.plan import ProblemPlan


class TrialRecord(BaseModel):
    """One run, piece of code or answer.

    Attributes:
        action: as it was given.
        outcome: how it ended: ``completed``, ``failed``, ``refused`` or ``submitted``.
        told: results, or why it failed.
        events: warnings and errors that its body raised.
    """

    action: str
    outcome: str
    told: str = ""
    events: tuple[str, ...] = ()


class EmbodiedState(BaseModel):
    """The typed memory of an episode.

    Attributes:
        plan: the plan in force.
        step: the step of it that is carried out, from 0.
        turns: calls of the generator so far.
        attempts: everything that was tried, oldest first.
        best: the action of the best run so far, with the number of constraints it met.
        intermediates: numbers that the last run told while it went as it should, by name.
        unmet: constraints that the last outcome did not meet.
        unknown: constraints about nothing that is known, which reflection has to judge.
        stops: runs that perception stopped.
        hot_fixes: steps that were repaired without touching the plan.
        replans: plans that were thrown away.
        reviews_failed: answers that the reflector found suspicious.
        ended: why it stopped trying.
    """

    plan: ProblemPlan | None = None
    step: int = 0
    turns: int = 0
    attempts: list[TrialRecord] = Field(default_factory=list)
    best: tuple[str, int] | None = None
    intermediates: dict[str, float | None] = Field(default_factory=dict)
    unmet: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    stops: int = 0
    hot_fixes: int = 0
    replans: int = 0
    reviews_failed: int = 0
    ended: str = ""
