"""Reviews of scenarios, their file `reviews.jsonl`, and the consensus of several reviewers."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from io import FileIO
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from earsim import ids
from earsim.errors import FileError, Finding
from earsim.schema import Scenario
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import decode
from earsim.schema.model import FileModel, Id, Name
from earsim.schema.scenario import ScenarioId

_REVIEWER_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,39}$"

Reviewer = Annotated[str, StringConstraints(pattern=_REVIEWER_PATTERN)]
"""The name of a reviewer; it names a folder, so it is a word."""

Note = Annotated[str, StringConstraints(pattern=ids.TEXT_PATTERN, max_length=4_000)]


class ReviewDecision(StrEnum):
    """A reviewer's decision; to correct a task is to accept it with other words."""

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
    """A reviewer's own attempt at the task; `termination` is ``quit`` when it was left."""

    won: bool
    decisions: int = Field(ge=0)
    termination: Name


class Review(FileModel):
    """A decision; the last one of a reviewer about a scenario counts while its hash is the same.

    Attributes:
        instruction: The corrected one with placeholders; with ``correct`` only.
        tried: None without an attempt.
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


class Consensus(StrEnum):
    """Result of all reviews; SPLIT without a majority for the task or for its words."""

    OPEN = "open"
    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    REJECTED = "rejected"
    SPLIT = "split"


class ReviewOutcome(NamedTuple):
    """The consensus on a scenario; `instruction` is the corrected one, None if unchanged."""

    consensus: Consensus
    instruction: str | None = None


def outcome_of(reviews: Mapping[str, Review]) -> ReviewOutcome:
    """A majority must be for a scenario, and a majority of those for the same words."""
    if not reviews:
        return ReviewOutcome(Consensus.OPEN)
    kept = [review for review in reviews.values() if review.decision.keeps]
    against = len(reviews) - len(kept)
    if len(kept) == against:
        return ReviewOutcome(Consensus.SPLIT)
    if len(kept) < against:
        return ReviewOutcome(Consensus.REJECTED)
    words = Counter(review.instruction for review in kept)
    instruction, votes = words.most_common(1)[0]
    if 2 * votes <= len(kept):
        return ReviewOutcome(Consensus.SPLIT)
    return ReviewOutcome(
        Consensus.ACCEPTED if instruction is None else Consensus.CORRECTED, instruction
    )


_LONGEST_LINE = 100_000


class ReviewFile:
    """The decisions about a suite, in order."""

    def __init__(self, path: Path) -> None:
        """Read what is there.

        Raises:
            FileError: A line that is not the last is no review.
        """
        self.path = path
        self.reviews = list(self._read())

    def add(self, review: Review) -> None:
        """Append a decision; it is on disk when this returns."""
        data = review.model_dump(mode="json", by_alias=True)
        line = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a+b", buffering=0) as file:  # one write, so that lines never mix
            _forget_torso(file)
            file.write(f"{line}\n".encode("ascii"))
            os.fsync(file.fileno())
        self.reviews.append(review)

    def of(self, scenario: Scenario) -> dict[str, Review]:
        """The last decision of every reviewer about a scenario as it is now, by name."""
        found = {
            review.reviewer: review
            for review in self.reviews
            if (review.scenario_id, review.scenario_hash) == (scenario.id, scenario.hash)
        }
        return dict(sorted(found.items()))

    @property
    def reviewers(self) -> tuple[str, ...]:
        """Names of all reviewers."""
        return tuple(sorted({review.reviewer for review in self.reviews}))

    def _read(self) -> Iterator[Review]:
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                if not raw.endswith(b"\n"):  # cut off with the process that wrote it
                    return
                if raw.strip():
                    yield self._parsed(raw, number)

    def _parsed(self, raw: bytes, number: int) -> Review:
        source = f"{self.path}:{number}"
        if len(raw) > _LONGEST_LINE:
            raise FileError(source, [Finding(source, "", "the line is too long for a review")])
        return validated(parse_json(decode(raw, source), source), Review)


def _forget_torso(file: FileIO) -> None:
    """Truncate an incomplete last line, left by a writer that was killed."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 2 * _LONGEST_LINE))
    tail = file.read()
    torso = len(tail) - (tail.rfind(b"\n") + 1)
    if torso:
        file.truncate(size - torso)
