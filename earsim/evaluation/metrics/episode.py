"""One episode as the metrics see it: what is counted in it, and nothing of its text.

Everything a metric needs is counted once, when an episode is read from the store. So a report holds
a few numbers per episode in memory however long its prompts were, and two metrics can never count
one thing in two ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from earsim.evaluation.interventions import NumericAnswer, StoppedRun
from earsim.evaluation.metrics.failure import Signs
from earsim.evaluation.scorers.votes import Vote
from earsim.evaluation.summary import UNKNOWN
from earsim.evaluation.workflow.outcome import WorkflowOutcome
from earsim.planner.laboratory.design_outcome import DesignOutcome
from earsim.planner.laboratory.threshold_outcome import ThresholdOutcome
from earsim.schema import Category


class RoleUsage(NamedTuple):
    """What the model calls of one role used in one episode.

    Attributes:
        calls: calls made.
        prompt: prompt tokens.
        completion: completion tokens, reasoning included.
        cached: prompt tokens that the server says it had in its prefix cache.
        untold: calls for which the server gave no token counts.
        retries: attempts beyond the first of each call.
        cost: in the currency of the prices; None without a price.
    """

    calls: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    untold: int = 0
    retries: int = 0
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """Prompt and completion together."""
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedEpisode:
    """What one episode contributes to the metrics.

    Attributes:
        measured: whether the episode says anything about the policy.
        succeeded: by the verdict that the ruleset publishes; never without a measurement.
        latched: the goal held after some decision.
        final: the goal held at the end.
        claimed: the policy said that it was done.
        first_true: decision, from 0, after which the goal first held.
        plan: decisions of the certificate's plan, class `plain`; None without a certificate.
        loads_in_reference: whether EAR-Bench's own loader accepts the file; None where that is
            not known or makes no sense.
        commands: commands whose outcome is recorded.
        rejections: refused commands by reason.
        unread: decisions whose reply could not be read.
        usage: of the model calls, by role.
        signs: what the rules of the failure modes that fit rest on, by mode; None where they were
            not determined.
        designs: what its runs are worth as designs, by apparatus whose error the goal asks for.
        workflow: what it came to as a scientific workflow task; None for any other.
        votes: of judges on its idea, by dimension.
        score: share of the goal that holds at the end, 0 to 1.
        stopped: runs of apparatus that were stopped; None in a scene without apparatus.
        hot_fixes: steps repaired without another plan, where the policy's memory counts them.
        answers: to questions whose right answer is a number.
        thresholds: what its answers to threshold questions are worth.
        illegal_moves: of a typed memory, those that its table does not have; None without moves.
    """

    id: str
    suite: str
    scenario_id: str
    scenario_hash: str
    category: str
    level: str
    ruleset: str
    measured: bool
    succeeded: bool
    termination: str
    repeat: int = 0
    latched: bool = False
    final: bool = False
    claimed: bool = False
    decisions: int = 0
    first_true: int | None = None
    plan: int | None = None
    loads_in_reference: bool | None = None
    commands: int = 0
    rejections: Mapping[str, int] = field(default_factory=dict)
    unread: int = 0
    usage: Mapping[str, RoleUsage] = field(default_factory=dict)
    signs: Mapping[str, Signs] | None = None
    designs: tuple[DesignOutcome, ...] = ()
    workflow: WorkflowOutcome | None = None
    votes: Mapping[str, tuple[Vote, ...]] = field(default_factory=dict)
    score: float = 0.0
    stopped: tuple[StoppedRun, ...] | None = None
    hot_fixes: int | None = None
    answers: tuple[NumericAnswer, ...] = ()
    thresholds: tuple[ThresholdOutcome, ...] = ()
    illegal_moves: int | None = None

    @property
    def modes(self) -> tuple[str, ...] | None:
        """The failure modes that fit, the main one first; None where they were not determined."""
        return None if self.signs is None else tuple(self.signs)

    @property
    def accepted(self) -> int:
        """Commands that took effect."""
        return self.commands - sum(self.rejections.values())

    @property
    def decisions_to_goal(self) -> int | None:
        """L_run: decisions up to the first after which the goal held."""
        return None if self.first_true is None else self.first_true + 1

    @property
    def step_ratio(self) -> float | None:
        """L_plan / L_run of a success with a plan; None for anything else."""
        run = self.decisions_to_goal
        if not self.succeeded or not run or not self.plan:
            return None
        return self.plan / run


def level_of(category: str, stored: str | None) -> str:
    """The level with whom it is for: `one agent, L2`."""
    return f"{team_of(category)}, {stored}" if stored and category in {*Category} else UNKNOWN


def team_of(category: str) -> str:
    """With whom it is: `one agent` or `several agents`."""
    team = category in {*Category} and Category(category).is_collaboration
    return "several agents" if team else "one agent"
