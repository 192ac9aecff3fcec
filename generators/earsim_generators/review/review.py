"""One decision of one reviewer about one scenario: a line of `reviews.jsonl`."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from earsim import ids
from earsim.schema.model import FileModel, Id, Name
from earsim.schema.scenario import ScenarioId

_REVIEWER_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,39}$"

Reviewer = Annotated[str, StringConstraints(pattern=_REVIEWER_PATTERN)]
"""The name of a reviewer; it names a folder, so it is a word."""

Note = Annotated[str, StringConstraints(pattern=ids.TEXT_PATTERN, max_length=4_000)]


class ReviewDecision(StrEnum):
    """What a reviewer makes of a task; to correct it is to accept it with other words."""

    ACCEPT = "accept"
    CORRECT = "correct"
    REJECT = "reject"

    @property
    def keeps(self) -> bool:
        """Whether the task stays."""
        return self is not ReviewDecision.REJECT


def is_reviewer(name: str) -> bool:
    """Whether somebody may be called that."""
    return re.fullmatch(_REVIEWER_PATTERN.strip("^$"), name) is not None


class Tried(FileModel):
    """A reviewer's own attempt at the task.

    Attributes:
        won: The goal held at the end.
        decisions: How many were taken.
        termination: Why it ended; ``quit`` when it was left.
    """

    won: bool
    decisions: int = Field(ge=0)
    termination: Name


class Review(FileModel):
    """A decision. The last one of a reviewer about a scenario counts, while its hash is the same.

    Attributes:
        scenario_hash: Of the scenario as it was reviewed.
        instruction: The better one, placeholders included; with ``correct`` only.
        note: Why, or whatever else there is to say.
        tried: None for who did not try it.
    """

    schema_: Literal["earsim.review/1"] = Field(
        default="earsim.review/1", validation_alias="schema", serialization_alias="schema"
    )
    reviewer: Reviewer
    scenario_id: ScenarioId
    scenario_hash: Id
    decision: ReviewDecision
    instruction: Note | None = Field(default=None, min_length=1)
    note: Note = ""
    tried: Tried | None = None

    @model_validator(mode="after")
    def _corrects_by_an_instruction(self) -> Self:
        if (self.decision is ReviewDecision.CORRECT) != (self.instruction is not None):
            context = {
                "reason": f"{self.decision.value} and an instruction of {self.instruction!r}",
                "expected": "an instruction with correct, and only then",
            }
            raise PydanticCustomError("problem", "{reason}", context)
        return self
