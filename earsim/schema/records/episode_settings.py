"""How an episode is played."""

from __future__ import annotations

from pydantic import Field

from earsim.schema.choices import EndOn, Observability
from earsim.schema.model import FileModel, Name


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
