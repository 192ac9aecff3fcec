"""A recipe for test-time reinforcement learning on open questions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from earsim.schema.model import FieldProblem, FileModel, raise_problems
from earsim_training.grpo.recipe import GroupUpdates
from earsim_training.sft.recipe import LoggingSettings, Recipe, read_recipe_of

_Count = Annotated[int, Field(strict=True, ge=1)]
_Weight = Annotated[float, Field(ge=0)]
_Cosine = Annotated[float, Field(ge=0, le=1)]


class AnswerSettings(FileModel):
    """What is asked, and how answers are sampled.

    Attributes:
        questions: File of open questions.
        num_generations: Answers to one question that are compared.
        temperature: Of sampling.
        reply_tokens: Of one reply at most.
        scenario: Whose goal the plan of an answer must reach, for the reward ``plan``.
    """

    questions: str = "questions.jsonl"
    num_generations: Annotated[int, Field(strict=True, ge=2)] = 8
    temperature: Annotated[float, Field(gt=0, le=5)] = 1.0
    reply_tokens: _Count = 2_048
    scenario: str | None = None


class NoveltySettings(FileModel):
    """How novelty is measured.

    Attributes:
        works: File of known works.
        embedder: ``tf-idf``, or a model of sentence-transformers.
        nearest: Works that an answer is compared with.
        threshold: Of 0 to 10; when None it is calibrated on the works.
        pass_rate: Share of the works, each among the others, that a calibrated threshold passes.
        relevance: Cosine to its question that a novel answer must have; 0 asks for none.
    """

    works: str = "works.jsonl"
    embedder: str = "tf-idf"
    nearest: _Count = 4
    threshold: Annotated[float, Field(ge=0, le=10)] | None = None
    pass_rate: Annotated[float, Field(gt=0, lt=1)] = 0.5
    relevance: _Cosine = 0.0


class AnswerRewards(FileModel):
    """Weights of the rewards; all are measured."""

    format: _Weight = 1.0
    novelty: _Weight = 1.0
    plan: _Weight = 0.0


class TtrlRecipe(Recipe):
    """A run of test-time reinforcement learning."""

    schema_: Literal["earsim.ttrl/1"] = Field(
        default="earsim.ttrl/1", validation_alias="schema", serialization_alias="schema"
    )
    asking: AnswerSettings = AnswerSettings()
    novelty: NoveltySettings = NoveltySettings()
    rewards: AnswerRewards = AnswerRewards()
    optimisation: GroupUpdates = GroupUpdates()
    keeping: LoggingSettings = LoggingSettings(logging_steps=1)

    @model_validator(mode="after")
    def _together(self) -> Self:
        problems = []
        if self.optimisation.batch % self.asking.num_generations:
            problems.append(
                FieldProblem(
                    ("optimisation", "batch"),
                    f"{self.optimisation.batch} answers are no number of groups of "
                    f"{self.asking.num_generations}",
                    f"a multiple of {self.asking.num_generations}",
                )
            )
        if self.rewards.plan and self.asking.scenario is None:
            where = ("asking", "scenario")
            problems.append(FieldProblem(where, "no goal for the reward `plan`", "SCENE/TASK"))
        raise_problems("TtrlRecipe", problems)
        return self


def read_ttrl_recipe(path: Path, assignments: Iterable[str] = ()) -> TtrlRecipe:
    """The recipe of a file, or the one that comes along under that name.

    Raises:
        FileError: With everything that is wrong in it.
        UsageError: An assignment leads nowhere.
    """
    return read_recipe_of(TtrlRecipe, path, assignments)
