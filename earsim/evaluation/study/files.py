"""The files of a study's stages: each can be read, changed by hand, and used by the next stage."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import Field, model_validator

from earsim.errors import UsageError
from earsim.evaluation.runs.sweep import Label
from earsim.evaluation.study.expression import Expression
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml
from earsim.schema.model import FieldProblem, FileModel, raise_problems

SELECTION, METRICS, RUN, SCORES, REPORT = (
    "selection.yaml", "metrics.yaml", "run", "scores.json", "report.md"
)  # fmt: skip

GRADING = "scores.partial.json"
"""Scores of the episodes so far, while grades are given; gone once all are."""

M = TypeVar("M", bound=FileModel)

_Text = Annotated[str, Field(max_length=2_000)]


class Choice(FileModel):
    """One scenario of a study.

    Attributes:
        scenario: as sweeps name it, such as ``heat_bay/the_slab``.
        score: how well it fits the question (BM25); None where somebody chose it by hand.
        why: the reason.
    """

    scenario: Annotated[str, Field(min_length=1, max_length=300)]
    score: float | None = None
    why: _Text = ""


class StudySelection(FileModel):
    """What stage 1 decided: the scenarios that answer a question, with reasons.

    Attributes:
        question: of the user.
        domain: only scenes of this domain; empty for any.
        suites: that were searched.
        searched: how many scenarios they have.
        chosen: at least one, best first.
    """

    schema_: Literal["earsim.study-selection/1"] = Field(
        default="earsim.study-selection/1", validation_alias="schema", serialization_alias="schema"
    )
    question: _Text
    domain: str = ""
    suites: tuple[str, ...]
    searched: int = 0
    chosen: tuple[Choice, ...] = Field(min_length=1)


class Rubric(FileModel):
    """A criterion that a judge grades from 0 to 10.

    Attributes:
        criterion: what is asked.
        facts: what a good answer states; the offline judge looks for them.
        weight: of this criterion among others.
    """

    criterion: Annotated[str, Field(min_length=1, max_length=2_000)]
    facts: tuple[_Text, ...] = ()
    weight: float = Field(default=1.0, gt=0, le=1_000)


class StudyMetric(FileModel):
    """A metric of a study: an expression, or a rubric.

    Attributes:
        name: of its row in the report.
        says: what it tells.
        expression: over the numbers of episodes.
        rubric: for a judge.
    """

    name: Label
    says: _Text = ""
    expression: str | None = None
    rubric: Rubric | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        problems = []
        if (self.expression is None) == (self.rubric is None):
            problems.append(FieldProblem(("expression",), "not one of both", "give it or a rubric"))
        elif self.expression is not None:
            try:
                Expression(self.expression)
            except UsageError as error:
                problems.append(FieldProblem(("expression",), str(error), "see earsim study -h"))
        raise_problems("StudyMetric", problems)
        return self


class StudyMetrics(FileModel):
    """What stage 2 decided: what is measured.

    Attributes:
        intent: of the user.
        builtin: ids of metrics that there are.
        custom: further ones; a name that exists among the built-in ones wins over these.
    """

    schema_: Literal["earsim.study-metrics/1"] = Field(
        default="earsim.study-metrics/1", validation_alias="schema", serialization_alias="schema"
    )
    intent: _Text = ""
    builtin: tuple[str, ...] = ()
    custom: tuple[StudyMetric, ...] = ()


def stage_file(folder: Path, name: str) -> Path:
    """The file of a stage that must have been made.

    Raises:
        UsageError: It is not there; says which stage makes it.
    """
    made_by = {SELECTION: "select", METRICS: "customise", SCORES: "evaluate"}
    path = folder / name
    if not path.exists():
        raise UsageError(f"{path} is not there: `earsim study {made_by[name]} {folder}` makes it")
    return path


def read_stage(folder: Path, name: str, model: type[M]) -> M:
    """What a stage wrote, or somebody made of it.

    Raises:
        UsageError: It is not there.
        FileError: Something is wrong in it; with every place.
    """
    path = stage_file(folder, name)
    return validated(parse_yaml(read_text(path), str(path)), model)
