"""Difficulty of a task: measures of its trees and its plan, a score, and bands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.goals.selectors import matching
from earsim.schema import AllOf, AnyOf, Goal, Not
from earsim.schema.goal_tree import leaves
from earsim.schema.selector import Filter, Only
from earsim.world import World


class Measures(NamedTuple):
    """Difficulty of one task.

    Attributes:
        length: Decisions of the shortest known plan.
        branching: Mean number of admissible commands along the plan.
        lookalikes: Candidates of the selector with most; 0 without selectors.
        exploration: Rooms that the plan explores.
        conditions: Leaves of the goal and conditions of its selectors.
    """

    length: int
    branching: float
    lookalikes: int
    exploration: int
    conditions: int


class Band(StrEnum):
    """A range of difficulty scores."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class ScoreRange(NamedTuple):
    """Scores from the least to the most, both included."""

    least: int
    most: int


STEPS: Mapping[str, tuple[float, ...]] = {
    "length": (7, 10, 13, 17),
    "branching": (15, 35),
    "lookalikes": (1, 5),
    "exploration": (2, 3),
    "conditions": (3, 5),
}
"""A measure scores one point for each of these numbers that it reaches; the length counts most."""

BANDS: Mapping[Band, ScoreRange] = {
    Band.EASY: ScoreRange(0, 4),
    Band.MEDIUM: ScoreRange(5, 7),
    Band.HARD: ScoreRange(8, sum(map(len, STEPS.values()))),
}
"""The scores of each band."""


def score(measures: Measures) -> int:
    """Points of difficulty, from 0 to 12."""
    return sum(bisect_right(steps, getattr(measures, name)) for name, steps in STEPS.items())


def band_of(measures: Measures) -> Band:
    """The band that a task falls into."""
    points = score(measures)
    return next(band for band, scores in BANDS.items() if scores.least <= points <= scores.most)


_NOUN = ("name", "kind")
"""What a filter says by its noun; the rest are conditions."""

_PLACES = ("on", "in_")


def measure(engine: Engine, plan: Sequence[Mapping[str, str]]) -> Measures:
    """The difficulty of a scenario with a plan that solves it."""
    episode = Episode(engine)
    offered: list[int] = []
    looks = 0
    for decision in plan:
        for agent, command in decision.items():
            offered.append(len(episode.admissible(agent)))
            looks += command.startswith("EXPLORE")
        episode.step(decision)
    task, world = engine.scenario.task, engine.start()
    selectors = task.select.values()
    return Measures(
        length=len(plan),
        branching=round(sum(offered) / max(1, len(offered)), 1),
        lookalikes=max((len(lookalikes(each, world)) for each in selectors), default=0),
        exploration=looks,
        conditions=_told(task.goal) + sum(map(asks_for, selectors)),
    )


def _told(goal: Goal) -> int:
    """The conditions of a goal, without what must not be done to others than those it is about."""
    parts = goal.all if isinstance(goal, AllOf) else (goal,)
    told = [p for p in parts if not (isinstance(p, Not) and isinstance(p.not_, AnyOf))]
    return sum(1 for part in told for _ in leaves(part))


def lookalikes(selector: Any, world: World) -> tuple[str, ...]:
    """Candidates of a selector: what its noun fits, a name or else the contents of a place."""
    among: Filter = selector.only if isinstance(selector, Only) else selector.among
    said = _NOUN if among.name is not None else _PLACES
    noun = Filter.model_validate({field: getattr(among, field) for field in said})
    return tuple(matching(noun, world, {}))


def asks_for(selector: Any) -> int:
    """Number of conditions of a selector, apart from its noun."""
    among: Filter = selector.only if isinstance(selector, Only) else selector.among
    noun = _NOUN if among.name is not None else (*_NOUN, *_PLACES)
    return len(among.model_fields_set - set(noun)) + (not isinstance(selector, Only))
