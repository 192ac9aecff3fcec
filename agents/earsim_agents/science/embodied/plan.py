"""What the planner says: a problem, its constraints and its sub-tasks, read strictly from JSON.

Source: EmbodiedAct (arXiv 2602.20639), global plan; the fields are those of its prompt.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from earsim.apparatus.model import Bounds
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
        result: a result of the last run, a channel (every reading counts), a count of runs, or a
            question that is answered.
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

    def excludes(self, bounds: Bounds) -> bool:
        """Whether no number within bounds satisfies it."""
        wanted = self.value
        if isinstance(wanted, bool | str):
            return False
        if self.op in ("<=", "<"):
            return not self.holds(bounds.low)
        if self.op in (">=", ">"):
            return not self.holds(bounds.high)
        inside = bounds.low - _SAME <= wanted <= bounds.high + _SAME
        return not inside if self.op == "==" else bounds.low == bounds.high == wanted

    def __str__(self) -> str:
        late = "" if self.after is None else f" from t {self.after:g} on"
        value = f"{self.value:g}" if type(self.value) is float else str(self.value)
        return f"{self.result} {self.op} {value}{self.unit and ' '}{self.unit}{late}"


class ExpectedReading(StrictReply):
    """Where the readings of a channel are expected to lie while a run goes on.

    Attributes:
        channel: of the readings.
        low: bound from below, if there is one.
        high: bound from above.
        after: only readings from this time of the run on, in its own seconds.
    """

    channel: Name
    low: float | None = None
    high: float | None = None
    after: float | None = None

    @model_validator(mode="after")
    def _has_bounds_in_order(self) -> ExpectedReading:
        if self.low is None and self.high is None:
            raise ValueError("it has neither low nor high")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low {self.low:g} is above high {self.high:g}")
        return self

    def holds(self, found: float | None) -> bool:
        """Whether a reading lies there; one that is no finite number never does."""
        if found is None:
            return False
        low = -math.inf if self.low is None else self.low
        return low <= found <= (math.inf if self.high is None else self.high)

    def __str__(self) -> str:
        low = "" if self.low is None else f"{self.low:g} <= "
        return f"{low}{self.channel}{'' if self.high is None else f' <= {self.high:g}'}"


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
        expected: where readings lie as long as nothing goes wrong.
        subtasks: in their order.
    """

    problem_type: Text
    equations: Annotated[tuple[Text, ...], Field(max_length=20)] = ()
    constraints: Annotated[tuple[Constraint, ...], Field(max_length=20)] = ()
    expected: Annotated[tuple[ExpectedReading, ...], Field(max_length=20)] = ()
    subtasks: Annotated[tuple[SubTask, ...], Field(min_length=1, max_length=10)]

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of all sub-tasks."""
        return tuple(step for subtask in self.subtasks for step in subtask.steps)
