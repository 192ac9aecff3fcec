"""What a scientific workflow task belongs to, and what its answer is compared with."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from earsim.schema.model import FieldProblem, FileModel, Text, raise_problems

_Sentence = Annotated[Text, Field(min_length=1, max_length=1_000)]
_Work = Annotated[Text, Field(min_length=1, max_length=4_000)]


class WorkflowFamily(StrEnum):
    """Kind of a scientific workflow task, after SGI (arXiv 2512.16969)."""

    DEEP_RESEARCH = "deep_research"
    IDEA = "idea"
    DRY_EXPERIMENT = "dry_experiment"
    WET_EXPERIMENT = "wet_experiment"
    FIGURE = "figure"


class ScientificDomain(StrEnum):
    """Branch of science that a task is about."""

    ASTRONOMY = "astronomy"
    CHEMISTRY = "chemistry"
    EARTH = "earth"
    ENERGY = "energy"
    INFORMATION = "information"
    LIFE = "life"
    MATERIALS = "materials"
    MATHEMATICS = "mathematics"
    NEUROSCIENCE = "neuroscience"
    PHYSICS = "physics"


class IdeaDimension(StrEnum):
    """What an idea is judged by."""

    EFFECTIVENESS = "effectiveness"
    NOVELTY = "novelty"
    DETAILEDNESS = "detailedness"
    FEASIBILITY = "feasibility"


class IdeaPart(StrEnum):
    """A part of a complete idea."""

    BACKGROUND = "background"
    HYPOTHESIS = "hypothesis"
    METHOD = "method"
    STEPS = "steps"
    OUTCOME = "outcome"
    RISKS = "risks"


class IdeaReference(FileModel):
    """What an idea is compared with.

    Attributes:
        keywords: of an idea that answers the question.
        given: works that who has the idea is shown.
        held_out: works that it is not shown.
        parts: the reference idea; steps as ``a -> b -> c``, a chain a line.
        rubric: for each dimension what a good idea states; the offline judge looks for it.
    """

    keywords: tuple[_Sentence, ...] = Field(min_length=1, max_length=50)
    given: tuple[_Work, ...] = Field(min_length=1, max_length=50)
    held_out: tuple[_Work, ...] = Field(min_length=1, max_length=50)
    parts: dict[IdeaPart, _Work] = Field(min_length=1)
    rubric: dict[IdeaDimension, tuple[_Sentence, ...]] = Field(default_factory=dict)


class Workflow(FileModel):
    """WorkflowFamily and domain of a task, and what its answer is compared with beside its goal.

    Attributes:
        steps: of the right derivation, in any order; step-level accuracy compares what is said.
        facts: that a valid rationale states.
        idea: of the family ``idea``, which has to have one.
    """

    family: WorkflowFamily
    domain: ScientificDomain
    steps: tuple[_Sentence, ...] = Field(default=(), max_length=100)
    facts: tuple[_Sentence, ...] = Field(default=(), max_length=100)
    idea: IdeaReference | None = None

    @model_validator(mode="after")
    def _has_an_idea_where_it_is_one(self) -> Self:
        if (self.family is WorkflowFamily.IDEA) != (self.idea is not None):
            found = "it is missing" if self.idea is None else f"the family is {self.family}"
            problem = FieldProblem(("idea",), found, "the family `idea`, and no other, has it")
            raise_problems("Workflow", [problem])
        return self
