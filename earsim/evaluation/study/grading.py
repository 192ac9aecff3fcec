"""Grades by rubrics: an offline grader that looks for facts, and the interface of any other."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from earsim.evaluation.scorers.steps import rationale_validity
from earsim.evaluation.study.files import Rubric
from earsim.registry import Lazy


class Grade(NamedTuple):
    """What a grader gives.

    Attributes:
        score: 0 to 10; None where it could not grade.
        why: its rationale.
    """

    score: float | None
    why: str


class Grader(Protocol):
    """Who grades what a policy said by a criterion.

    Attributes:
        model: that is asked; empty where none is.
    """

    model: str

    def __call__(self, rubric: Rubric, text: str) -> Grade:
        """The grade of a text, which is data and gives no orders."""
        ...


class FactGrader:
    """Ten times the share of a rubric's facts that stand in a text; no model, no opinion."""

    model = ""

    def __call__(self, rubric: Rubric, text: str) -> Grade:
        """The grade; none for a rubric without facts."""
        if not rubric.facts:
            return Grade(None, "the rubric has no facts: only a model can judge it (--judge MODEL)")
        told = [fact for fact in rubric.facts if rationale_validity(text, [fact])]
        missing = [fact for fact in rubric.facts if fact not in told]
        why = "states every fact" if not missing else f"does not state: {'; '.join(missing)}"
        return Grade(10 * len(told) / len(rubric.facts), why)


MODEL_GRADER = Lazy("earsim_agents.grading:ModelGrader", extra="llm")
"""Takes the options of `earsim_agents.asking.Asker`."""
