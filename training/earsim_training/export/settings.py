"""Settings of an export: selection of episodes and format of prompts, frozen and validated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from earsim.schema import Category
from earsim.schema.choices import Grammar, Knowledge, Style, Voices
from earsim.schema.model import FieldProblem, FileModel, Name, raise_problems
from earsim.schema.records.episode_settings import EpisodeSettings

Form = Literal["decisions", "episodes", "records"]

Share = Annotated[float, Field(ge=0, le=1)]


class PromptSettings(FileModel):
    """Format of prompts and replies; the words are those of `earsim eval`.

    Attributes:
        style: Of the prompts.
        knowledge: ``global`` shows every object from the start.
        role: Who replies where there are several agents: one model for all, or one for each.
        grammar: How replies name their commands.
        prompt: A prompt file to use instead of the one that comes with the style.
        rationale: Begin replies with a line that says what the command is for.
    """

    style: Style = "chat"
    knowledge: Knowledge = "explore"
    role: Voices = "centralized"
    grammar: Grammar = "strict"
    prompt: str | None = None
    rationale: bool = False


class DemonstrationSettings(FileModel):
    """Policy and episode settings for the export of a suite.

    Attributes:
        policy: Who plays.
        ruleset: Instead of each scenario's own.
        repeats: Of every scenario; they differ where something is drawn.
        perturb: Share of decisions that are replaced by a stray command, which is never taught.
            What is taught then holds refusals and recoveries.
        seed: Of what is drawn.
        teacher: A policy that says at every decision what it would have done; that is taught, and
            what was played is not. Empty for none.
    """

    policy: Name = "expert"
    ruleset: Name | None = None
    repeats: int = Field(default=1, strict=True, ge=1, le=1_000)
    perturb: Annotated[float, Field(ge=0, le=0.9)] = 0.0
    seed: int = Field(default=0, strict=True)
    teacher: str = ""

    def episode(self, telling: PromptSettings) -> EpisodeSettings:
        """Settings of its episodes."""
        seen: Literal["full", "partial"] = "full" if telling.knowledge == "global" else "partial"
        return EpisodeSettings(ruleset=self.ruleset, observability=seen)


class SelectionSettings(FileModel):
    """Which episodes and decisions are taught.

    Attributes:
        failures: Take episodes that did not reach the goal, too.
        refused: Teach commands that were refused, too.
        optimality: Least ratio of the certified plan's decisions to those that were taken; episodes
            without a certificate are then left out.
        categories: Only these; all when empty.
        validation: Share of the scenes that is kept for validation.
        duplicates: Keep rows that say the same as an earlier one.
    """

    failures: bool = False
    refused: bool = False
    optimality: Share | None = None
    categories: tuple[Category, ...] = ()
    validation: Share = 0.0
    duplicates: bool = False


class ExportSettings(FileModel):
    """Everything that decides what an export holds, apart from its source."""

    forms: tuple[Form, ...] = Field(default=("decisions", "episodes"), min_length=1)
    telling: PromptSettings = PromptSettings()
    demonstrating: DemonstrationSettings = DemonstrationSettings()
    choosing: SelectionSettings = SelectionSettings()

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        raise_problems("ExportSettings", self._problems())
        return self

    def _problems(self) -> Iterator[FieldProblem]:
        if not self.demonstrating.teacher:
            return
        if "episodes" in self.forms:
            why = "whole episodes hold what was played, not what a teacher says"
            yield FieldProblem(("forms",), why, "decisions, or records")
