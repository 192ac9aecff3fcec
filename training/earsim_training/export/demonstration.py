"""A demonstration: the commands of one episode, and which of them are worth learning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.schema import Scenario
from earsim.schema.manifest import EpisodeSettings


class Turn(NamedTuple):
    """One decision.

    Attributes:
        commands: by agent; None for a reply that could not be read.
        stray: somebody put it in to lead the demonstrator astray: it is played, never taught.
    """

    commands: Mapping[str, str] | None
    stray: bool = False


class Demonstration(NamedTuple):
    """An episode as somebody played it; playing the commands again gives all the rest.

    Attributes:
        id: unique in its source.
        scenario: what was played.
        settings: how.
        turns: every decision.
        policy: who played; a policy, or a model.
        seed: of the episode.
        plan: decisions of the certified plan; None where none is known.
    """

    id: str
    scenario: Scenario
    settings: EpisodeSettings
    turns: tuple[Turn, ...]
    policy: str
    seed: int = 0
    plan: int | None = None
