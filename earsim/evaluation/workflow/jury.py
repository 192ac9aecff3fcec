"""Judges of ideas: the offline rubric, the interface of models, and how a jury is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from earsim.evaluation.scorers.steps import rationale_validity
from earsim.evaluation.scorers.votes import (
    Criterion,
    Judge,
    Judgement,
    Preference,
    Vote,
    collect,
)
from earsim.registry import Lazy
from earsim.schema.workflow import IdeaDimension, IdeaPart, IdeaReference

RUBRIC = "rubric"
"""Name of the judge without a model."""

MODEL_JUDGE = Lazy("earsim_agents.judging:ModelJudge", extra="llm")
"""Takes a name and the options of `Asker`."""

QUESTIONS: Mapping[IdeaDimension, str] = {
    IdeaDimension.EFFECTIVENESS: "Which idea would, carried out, rather solve the problem asked?",
    IdeaDimension.NOVELTY: "Which idea is further from what is known and done already?",
    IdeaDimension.DETAILEDNESS: "Which idea is told more completely, without repeating itself?",
    IdeaDimension.FEASIBILITY: "Which idea can rather be carried out, step by step, as it is told?",
}


class RubricJudge:
    """Prefers the text that states more facts of a rubric; no model, no opinion.

    By words and numbers, which cannot tell a claim from its denial.
    """

    name = RUBRIC
    options: Mapping[str, Any] = MappingProxyType({})

    def prefer(self, criterion: Criterion, first: str, second: str) -> Judgement:
        """The text with more facts; a tie where both have as many.

        Raises:
            MissingExtra: `rapidfuzz` is not installed.
        """
        ours, theirs = (_stated(criterion.facts, text) for text in (first, second))
        why = f"first {ours}, second {theirs} of {len(criterion.facts)} facts"
        if ours == theirs:
            return Judgement(Preference.TIE, why)
        return Judgement(Preference.FIRST if ours > theirs else Preference.SECOND, why)


def _stated(facts: Sequence[str], text: str) -> int:
    return sum(rationale_validity(text, [fact]) > 0 for fact in facts)


class ToldIdea(NamedTuple):
    """An idea that is to be judged.

    Attributes:
        question: that it answers, as agents were told.
        parts: what was told.
        reference: what it is compared with.
    """

    question: str
    parts: Mapping[str, str]
    reference: IdeaReference

    def criterion(self, dimension: IdeaDimension) -> Criterion:
        """By what it is judged in a dimension."""
        question = f"{QUESTIONS[dimension]}\nThe problem was: {self.question}"
        return Criterion(question, self.reference.rubric.get(dimension, ()))


def vote_on(idea: ToldIdea, dimension: IdeaDimension, judge: Judge) -> Vote | None:
    """A judge's vote between an idea and its reference, in one dimension.

    None of the rubric where the task gives it no facts to look for.

    Raises:
        MissingExtra: `rapidfuzz` is not installed, which the rubric takes.
        ServerFault: The judge's server gave no answer.
    """
    criterion = idea.criterion(dimension)
    if isinstance(judge, RubricJudge) and not criterion.facts:
        return None
    reference = as_text({part.value: text for part, text in idea.reference.parts.items()})
    return collect(criterion, as_text(idea.parts), reference, [judge])[0]


def as_text(parts: Mapping[str, str]) -> str:
    """An idea as judges read it: its parts by name, always in the same order."""
    told = ((part, parts.get(part, "").strip()) for part in IdeaPart)
    return "\n".join(f"{part}: {text}" for part, text in told if text)
