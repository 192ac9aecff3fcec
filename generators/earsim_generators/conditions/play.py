"""What comes of playing a task with a condition: by `expert`, and by a shortcut."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.goals.grounding import ground
from earsim.goals.tree import compile_goal
from earsim.planner.acting.execution import Decision
from earsim.planner.acting.expert import Expert
from earsim.schema import Goal, Scenario
from earsim_generators.conditions.condition_task import Shortcut

BUDGET_RATIO = 1.5
"""Of what `expert` needs, looking for things included."""


class ExpertPlay(NamedTuple):
    """An episode of `expert`.

    Attributes:
        commands: Its decisions.
        seconds: What the world's clock shows at its end.
        least_budget: With fewer decisions it would have been another episode.
    """

    won: bool
    commands: tuple[Decision, ...]
    seconds: float
    least_budget: int

    @property
    def decisions(self) -> int:
        """How many decisions it took."""
        return len(self.commands)

    @property
    def budget(self) -> int:
        """What others may take for it."""
        return math.ceil(BUDGET_RATIO * self.decisions)


def expert_play(scenario: Scenario, told: Goal | None = None) -> ExpertPlay:
    """`expert` plays a scenario.

    Args:
        scenario: what is played, and judged.
        told: what it takes for the goal, if that is another.
    """
    episode = Episode(Engine(scenario))
    expert = Expert(episode.engine if told is None else _told(scenario, told))
    commands: list[Decision] = []
    least = 0
    while not (episode.over or episode.truncated):
        commands.append(expert.decide(episode.world, left=episode.budget - episode.decisions))
        least = max(least, episode.decisions + expert.least_left)
        expert.note(episode.step(commands[-1]), episode.world)
    least = max(least, len(commands))
    return ExpertPlay(episode.success, tuple(commands), episode.world.clock, least)


class Budgeted(NamedTuple):
    """A scenario with a budget that binds, and the episode of `expert` that it is taken from."""

    scenario: Scenario
    played: ExpertPlay

    @property
    def told(self) -> dict[str, object]:
        """What its provenance says of that."""
        expert = self.played.decisions
        return {"expert": expert, "budget_per_decision_of_expert": BUDGET_RATIO}


def within_budget(scenario: Scenario) -> Budgeted | None:
    """The scenario with the budget that its `expert` leaves to others.

    None where it does not win, or not the same way under that budget: who runs out of decisions
    acts upon guesses.

    Args:
        scenario: with a budget that is ample.
    """
    played = expert_play(scenario)
    if not played.won or min(played.budget, Engine(scenario).budget) < played.least_budget:
        return None
    task = scenario.task.model_copy(update={"budget": played.budget})
    return Budgeted(scenario.model_copy(update={"task": task}), played)


def _told(scenario: Scenario, goal: Goal) -> Engine:
    task = scenario.task.model_copy(update={"goal": goal})
    return Engine(scenario.model_copy(update={"task": task}))


def is_won_without(scenario: Scenario, shortcuts: Sequence[Shortcut]) -> bool:
    """Whether `expert` wins who is told what a shortcut reaches, and not the condition."""
    told = [shortcut.reaches for shortcut in shortcuts if shortcut.is_best]
    return any(expert_play(scenario, told=goal).won for goal in told)


def is_missed_by(scenario: Scenario, shortcut: Shortcut) -> bool:
    """Whether a shortcut does what it is to do, and the goal does not hold after it."""
    engine = Engine(scenario)
    world = engine.start()
    (agent,) = engine.blueprint.bodies
    does = compile_goal(ground(shortcut.reaches, world, engine.task.answer), engine.task.answer)
    for command in shortcut.commands:
        engine.step(world, {agent: command})
    return does.holds(world) and not engine.task.goal.holds(world)
