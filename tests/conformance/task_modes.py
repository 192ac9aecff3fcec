"""The three ways in which the reference plays a file of several tasks (EAR-Bench 5.4).

Our unit is the scenario, one task; the published numbers come from `independent`. The tasks of one
file share scene and agents, so they can also follow each other in one world, or be given all at
once. Where the reference counts any completed task of a file for the current one (Q34), ours
counts its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from earsim.engine import Engine
from earsim.episode import Episode, Snapshot
from earsim.schema import AllOf, Scenario
from earsim.verdict import Verdict
from tests.conformance.reference_counts import ReferenceCounts

COMBINED_BUDGET = {1: 400}
COMBINED_BUDGET_OF_A_TEAM = 300
"""Decisions for all tasks together: 400 for one agent, 300 otherwise."""

Act = Callable[[Episode], dict[str, str] | None]
"""A policy as a function: the episode as it stands to one command per agent, or None."""


class TaskMode(StrEnum):
    """How the tasks of a file are played."""

    INDEPENDENT = "independent"
    SEQUENTIAL = "sequential"
    COMBINED = "combined"


class TaskPlayed(NamedTuple):
    """One task after it was played: the figures, and the episode as it ended."""

    scenario: Scenario
    tally: ReferenceCounts
    episode: Episode


def play_tasks(scenarios: Sequence[Scenario], act: Act, mode: TaskMode) -> Iterator[TaskPlayed]:
    """Play the tasks of one file.

    `independent` starts a fresh world per task, `sequential` goes on in the same one; both stop at
    the first task that was not claimed to be done. `combined` gives all tasks at once, numbered,
    and judges each by itself.
    """
    if mode is TaskMode.COMBINED:
        yield from _play(Episode(Engine(combined(scenarios))), scenarios, act)
        return
    before: Episode | None = None
    for scenario in scenarios:
        episode = Episode(Engine(scenario))
        if before is not None:
            episode.restore(_begin_in(before, episode))
        (played,) = _play(episode, [scenario], act)
        yield played
        if not played.tally.claimed:
            return
        before = episode if mode is TaskMode.SEQUENTIAL else None


def combined(scenarios: Sequence[Scenario]) -> Scenario:
    """One scenario whose instruction lists all tasks and whose goal joins them."""
    first = scenarios[0]
    numbered = enumerate((scenario.task.instruction for scenario in scenarios), start=1)
    task = first.task.model_copy(
        update={
            "instruction": "\n".join(f"{number}. {text}" for number, text in numbered),
            "goal": AllOf(all=tuple(scenario.task.goal for scenario in scenarios)),
            "budget": COMBINED_BUDGET.get(len(first.agents), COMBINED_BUDGET_OF_A_TEAM),
            "walkthrough": (),
        }
    )
    return first.model_copy(update={"id": f"{first.id}-combined", "task": task})


def _play(episode: Episode, scenarios: Sequence[Scenario], act: Act) -> list[TaskPlayed]:
    """Play to the end, and look at every task's own goal after each decision."""
    goals = [Engine(scenario).task.goal for scenario in scenarios]
    tallies = [ReferenceCounts() for _ in scenarios]
    while not (episode.over or episode.truncated):
        commands = act(episode)
        decision = episode.step(commands)
        for goal, tally in zip(goals, tallies, strict=True):
            answered = commands is not None
            tally.count(decision, holds=goal.holds(episode.world), answered=answered)
    return [TaskPlayed(*played, episode) for played in zip(scenarios, tallies, strict=True)]


def _begin_in(before: Episode, episode: Episode) -> Snapshot:
    """The first moment of a task in the world that the task before it left behind."""
    verdict = Verdict(episode.engine.task.goal)
    verdict.look_first(before.world)
    return episode.snapshot()._replace(world=before.world, verdict=verdict)
