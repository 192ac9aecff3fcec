"""Seats: environments as a learner of command graphs sits before them, and measuring from there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np

import earsim  # noqa: F401 - makes the ids of the environments known
from earsim.envs import DiscreteActions
from earsim.errors import UsageError
from earsim.evaluation.summary import wilson
from earsim.schema import Scenario
from earsim.suites import open_suite
from earsim_training.graphs.encoder import CommandGraph, GraphEncoder

MAX_COMMANDS = 512
"""An agent that works alone has far fewer; whatever is beyond could not be chosen."""

Choose = Callable[[Sequence[CommandGraph]], list[int]]
"""An action for each of several observations."""

_AT_ONCE = 32
"""Environments that a measurement keeps going, so that the network has enough to do."""


class SlotSettings(NamedTuple):
    """Reward weights, discount and masked verbs.

    Attributes:
        progress: weight of the shaping by the share of goal parts that were reached.
        step_cost: what each decision costs.
        discount: of the learner, which the shaping must know.
        never: verbs that are masked out. The goal ends an episode, so nobody need say DONE.
    """

    progress: float = 1.0
    step_cost: float = 0.01
    discount: float = 0.98
    never: tuple[str, ...] = ("DONE",)


TERMS = SlotSettings()


class FinishedEpisode(NamedTuple):
    """An episode that is over: the three rewards, and their sum as it was learned from.

    Attributes:
        won: the sparse reward.
        progress: share of goal parts that hold.
        decisions: what the step cost is paid for.
        reward: undiscounted sum of what each decision brought.
    """

    won: bool
    progress: float
    decisions: int
    reward: float


class SlotStep(NamedTuple):
    """Result of one decision."""

    graph: CommandGraph
    reward: float
    ended: FinishedEpisode | None


def scenarios_of(suite: str) -> tuple[Scenario, ...]:
    """All scenarios of a suite that are for one agent; each is parsed here, once and for all.

    Raises:
        UnknownName: There is no such suite.
        FileError: A scenario cannot be used.
        UsageError: None is for one agent.
    """
    found = tuple(each for each in open_suite(suite) if len(each.agents) == 1)
    if not found:
        raise UsageError(f"{suite}: no scenario is for one agent")
    return found


class EnvSlot:
    """One environment at a time, and what is remembered of the running episode.

    That the budget has run out is an end like others: what is left of it is observed, and nothing
    comes after.

    Attributes:
        commands: what each action stands for now.
    """

    def __init__(self, terms: SlotSettings = TERMS) -> None:
        self._terms = terms
        self.commands: tuple[str, ...] = ()

    def reset(self, scenario: Scenario) -> CommandGraph:
        """Begin an episode."""
        env = gym.make(
            "OmniEAR-v0",
            scenario=scenario,
            observation="graph",
            end_on="goal",
            disable_env_checker=True,  # it looks at every step, at twice the time
        )
        self._env = DiscreteActions(env, max_actions=MAX_COMMANDS)
        graph, info = self._env.reset()
        self._reader = GraphEncoder(info["instruction"], info["budget"], never=self._terms.never)
        self._parts = info["max_score"]
        self._potential = info["score"] / self._parts
        self._reward = 0.0
        return self._read(graph)

    def step(self, action: int) -> SlotStep:
        """Give a command by its number.

        To the sparse reward comes shaping by a potential, which changes no optimal policy (Ng,
        Harada and Russell 1999): the largest share of goal parts that held so far, and nothing at
        the end. Were it the share that holds now, a box that must be shut in the end would never be
        opened, for that loses a part.
        """
        terms = self._terms
        self._reader.note(self.commands[action])
        graph, sparse, terminated, truncated, info = self._env.step(action)
        over, held = terminated or truncated, info["score"] / self._parts
        before = self._potential
        self._potential = 0.0 if over else max(before, held)
        shaping = terms.discount * self._potential - before
        reward = float(sparse) + terms.progress * shaping - terms.step_cost
        self._reward += reward
        ended = FinishedEpisode(info["won"], held, info["moves"], self._reward) if over else None
        return SlotStep(self._read(graph), reward, ended)

    def _read(self, graph: Any) -> CommandGraph:
        self.commands = self._env.commands
        return self._reader.read(graph, self.commands)


def guessing(seed: int) -> Choose:
    """Any command that is not masked, each as often as the others."""
    rng = random.Random(f"ppo guessing {seed}")
    return lambda graphs: [rng.choice(np.flatnonzero(graph.mask).tolist()) for graph in graphs]


def measure(
    scenarios: Sequence[Scenario], choose: Choose, *, terms: SlotSettings = TERMS, most: int = 0
) -> dict[str, Any]:
    """Play every scenario once, or so many of them, spread over all."""
    chosen = scenarios[:: -(-len(scenarios) // most)] if most else scenarios
    waiting = iter(chosen)
    seats = [EnvSlot(terms) for _ in range(_AT_ONCE)]
    playing = [(seat, seat.reset(each)) for seat, each in zip(seats, waiting, strict=False)]
    ended: list[FinishedEpisode] = []
    while playing:
        actions = choose([graph for _, graph in playing])
        turns = [seat.step(act) for (seat, _), act in zip(playing, actions, strict=True)]
        ended += [turn.ended for turn in turns if turn.ended]
        playing = list(_going_on([seat for seat, _ in playing], turns, waiting))
    won = sum(one.won for one in ended)
    interval = wilson(won, len(ended))
    return {
        "won": won,
        "episodes": len(ended),
        "success": round(won / len(ended), 4),
        "ci95": [round(interval.low, 4), round(interval.high, 4)],
        "progress": round(float(np.mean([one.progress for one in ended])), 4),
        "decisions": round(float(np.mean([one.decisions for one in ended])), 2),
    }


def _going_on(
    seats: Sequence[EnvSlot], turns: Sequence[SlotStep], waiting: Iterator[Scenario]
) -> Iterator[tuple[EnvSlot, CommandGraph]]:
    for seat, turn in zip(seats, turns, strict=True):
        if turn.ended is None:
            yield seat, turn.graph
        elif (scenario := next(waiting, None)) is not None:
            yield seat, seat.reset(scenario)
