"""SGI-Score: the mean over five families of scientific workflow tasks, in percent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class WorkflowScores(NamedTuple):
    """What was reached in each family, in percent; None for a family that was not played.

    Attributes:
        exact_match: of deliberation.
        idea: the four dimensions of conception, in any order.
        pass_all_5: of dry experiments.
        sequence_similarity: of wet experiments, with `parameter_accuracy`.
        choice_accuracy: of perception.
    """

    exact_match: float | None = None
    idea: Sequence[float] | None = None
    pass_all_5: float | None = None
    sequence_similarity: float | None = None
    parameter_accuracy: float | None = None
    choice_accuracy: float | None = None

    @property
    def families(self) -> tuple[float | None, ...]:
        """The five numbers that the score is the mean of."""
        idea = None if self.idea is None or len(self.idea) != 4 else sum(self.idea) / 4
        wet = (
            None
            if self.sequence_similarity is None or self.parameter_accuracy is None
            else (self.sequence_similarity + self.parameter_accuracy) / 2
        )
        return (self.exact_match, idea, self.pass_all_5, wet, self.choice_accuracy)

    @property
    def score(self) -> float | None:
        """The mean of the five; None where one is missing: it is never averaged over the rest."""
        return joint_score(self.families)


def joint_score(families: Sequence[float | None]) -> float | None:
    """SGI-Score of the numbers of the five families; None where one is missing.

    Raises:
        ValueError: There are not five.
    """
    if len(families) != 5:
        raise ValueError(f"five families, not {len(families)}")
    known = [family for family in families if family is not None]
    return sum(known) / 5 if len(known) == 5 else None
