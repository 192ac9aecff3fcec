"""What the planner says: a problem, its constraints and its sub-tasks, read strictly from JSON.

Source: EmbodiedAct (arXiv 2602.20639), global plan; the fields are those of its prompt.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from earsim.apparatus.parameter import Value
from earsim_agents.replies.record import Name, StrictReply, Text

Op = Literal["<=", "<", ">=", ">", "==", "!="]

_ORDER: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}

_SAME = 1e-9
"""Numbers are equal within this, relative or absolute."""


class Constraint(StrictReply):
    """A yes-or-no verifier of an outcome.

    Attributes:
        name: what it is called.
        result: a result of the last run, a channel (every reading counts), or a count of runs.
        op: how it compares.
        value: with what.
        unit: of the value; for the reader.
        after: of a channel, only readings from this time of the run on, in its own seconds.
    """

    name: Name
    result: Name
    op: Op
    value: bool | float | Name
    unit: Annotated[str, Field(max_length=32)] = ""
    after: float | None = None

    def holds(self, found: Value | None) -> bool:
        """Whether a value satisfies it; one that does not exist never does."""
        wanted = self.value
        if found is None or isinstance(found, bool) is not isinstance(wanted, bool):
            return False
        if isinstance(found, str) or isinstance(wanted, str):
            return self.op in ("==", "!=") and (found == wanted) is (self.op == "==")
        if self.op in _ORDER:
            return _ORDER[self.op](found, wanted)
        return math.isclose(found, wanted, rel_tol=_SAME, abs_tol=_SAME) is (self.op == "==")

    def __str__(self) -> str:
        late = "" if self.after is None else f" from t {self.after:g} on"
        value = f"{self.value:g}" if type(self.value) is float else str(self.value)
        return f"{self.result} {self.op} {value}{self.unit and ' '}{self.unit}{late}"


class SubTask(StrictReply):
    """A part of the plan: steps, each of which one reply of the generator carries out."""

    name: Text
    steps: Annotated[tuple[Text, ...], Field(min_length=1, max_length=10)]


class ProblemPlan(StrictReply):
    """The global plan.

    Attributes:
        problem_type: such as ``controller tuning``.
        equations: what is known of the system.
        constraints: that the outcome of the last step has to satisfy.
        subtasks: in their order.
    """

    problem_type: Text
    equations: Annotated[tuple[Text, ...], Field(max_length=20)] = ()
    constraints: Annotated[tuple[Constraint, ...], Field(max_length=20)] = ()
    subtasks: Annotated[tuple[SubTask, ...], Field(min_length=1, max_length=10)]

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of all sub-tasks."""
        return tuple(step for subtask in self.subtasks for step in subtask.steps)
