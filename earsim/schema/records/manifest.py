"""The manifest of a run: what was asked for, with which versions, and which scenarios it holds."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from earsim.schema.choices import EndOn, Observability
from earsim.schema.model import FileModel, JsonDict, Name


class EpisodeSettings(FileModel):
    """How an episode is played.

    Attributes:
        ruleset: Overrules the scenario's own; None keeps that.
        budget: Decisions allowed; None leaves it to the scenario.
        end_on: ``done`` ends when the agents say so, ``goal`` as soon as the goal holds as well.
        observability: ``full`` means that every object is known from the start.
    """

    ruleset: Name | None = None
    budget: int | None = Field(default=None, strict=True, ge=1, le=1_000_000)
    end_on: EndOn = "done"
    observability: Observability = "partial"


class RunSettings(FileModel):
    """What decides the outcome of a run; which part of the suite is played does not.

    Attributes:
        suite: Name or path of the suite.
        options: Keyword arguments of the policy, JSON values.
    """

    suite: str
    policy: Name
    options: JsonDict = Field(default_factory=dict)
    seed: int = 0
    episode: EpisodeSettings = EpisodeSettings()


class Manifest(FileModel):
    """``manifest.json`` of a run folder.

    Attributes:
        versions: Version by name of distribution, ``python`` included.
        scenarios: Hash of every scenario that was measured, by id.
        not_measured: Why others were not, by id.
    """

    schema_: Literal["earsim.run/1"] = Field(
        default="earsim.run/1", validation_alias="schema", serialization_alias="schema"
    )
    settings: RunSettings
    versions: dict[str, Any] = Field(default_factory=dict)
    scenarios: dict[str, str] = Field(default_factory=dict)
    not_measured: dict[str, str] = Field(default_factory=dict)
