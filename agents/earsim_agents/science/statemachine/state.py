"""The typed state of the ocean agent, and the moves between its roles that are allowed."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from earsim.apparatus.parameter import Value
from earsim_agents.memory.system_state import Moves, SystemState

Step = Literal["question", "route", "tool", "analysis", "logic", "summary", "end"]

MOVES: Moves = {
    "question": ("route", "summary"),
    "route": ("tool", "analysis", "logic", "summary"),
    "tool": ("route",),
    "analysis": ("route",),
    "logic": ("route", "summary"),
    "summary": ("end",),
}
"""What may follow each step."""


class TriedSetting(BaseModel):
    """A valid run: what was changed, and the regimes of both basins."""

    changed: dict[str, Value]
    atlantic: int
    pacific: int


class LearnerResult(BaseModel):
    """A valid run of a learner: what was changed, and the results that the task speaks of."""

    changed: dict[str, Value]
    results: dict[str, Value]


class OceanState(SystemState):
    """What the agent knows, beside what every state holds.

    Attributes:
        atlantic_state: regime of the Atlantic in the last valid run.
        pacific_state: likewise of the Pacific.
        current_step: where it is.
        user_input: the task.
        llm_output: the last reply that was read.
        error: what went wrong last. A refused or failed tool call stands until the next one begins,
            so that no conclusion is drawn from its `tool_input`; an unreadable reply, an illegal
            move or a failed analysis stands before it until a role has replied to it.
        tool_input: of the last tool call.
        tried: every valid run of the ocean, where records are kept.
        learner_result: of the last valid run of a learner; None where there is none.
        learner_results: of every one, where records are kept.
        failures: tool calls that gave no result.
        answers: that were given.
    """

    atlantic_state: int | None = None
    pacific_state: int | None = None
    current_step: Step = "question"
    user_input: str = ""
    llm_output: str = ""
    tool_input: dict[str, Value] = Field(default_factory=dict)
    tried: list[TriedSetting] = Field(default_factory=list)
    learner_result: LearnerResult | None = None
    learner_results: list[LearnerResult] = Field(default_factory=list)
    failures: int = 0
    answers: dict[str, Value] = Field(default_factory=dict)

    @property
    def bracket(self) -> dict[str, tuple[float, float]]:
        """By parameter, the neighbouring values between which a regime changes.

        The first is as the run without a change, the second is not.
        """
        base = next((run for run in self.tried if not run.changed), None)
        if base is None:
            return {}
        found: dict[str, tuple[float, float]] = {}
        for name in dict.fromkeys(name for run in self.tried for name in run.changed):
            runs = [r for r in self.tried if r.changed.keys() == {name}]
            alike = {float(r.changed[name]): _regimes(r) == _regimes(base) for r in runs}
            pairs = [
                (same, other)
                for same, is_same in alike.items()
                for other, is_other in alike.items()
                if is_same and not is_other
            ]
            if pairs:
                found[name] = min(pairs, key=lambda pair: abs(pair[1] - pair[0]))
        return found


def _regimes(run: TriedSetting) -> tuple[int, int]:
    return run.atlantic, run.pacific
