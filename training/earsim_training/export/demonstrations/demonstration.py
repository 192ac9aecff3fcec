"""A demonstration: the commands of one episode, and which of them are worth learning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.schema import Scenario
from earsim.schema.records.episode_settings import EpisodeSettings


class DemonstrationTurn(NamedTuple):
    """One decision.

    Attributes:
        commands: by agent; None for a reply that could not be read.
        stray: somebody put it in to lead the demonstrator astray: it is played, never taught.
        lesson: what a teacher says in its place, by agent: taught, never played. None without a
            teacher, empty where the teacher is at a loss.
        intent: what the teacher would have done after that, if it had been obeyed.
    """

    commands: Mapping[str, str] | None
    stray: bool = False
    lesson: Mapping[str, str] | None = None
    intent: tuple[Mapping[str, str], ...] = ()


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
        teacher: the policy whose lessons are taught; empty where it is what was played.
    """

    id: str
    scenario: Scenario
    settings: EpisodeSettings
    turns: tuple[DemonstrationTurn, ...]
    policy: str
    seed: int = 0
    plan: int | None = None
    teacher: str = ""
