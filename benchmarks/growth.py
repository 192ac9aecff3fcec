"""What a decision costs as scenes and teams grow, and as rooms are added that nobody enters."""

from __future__ import annotations

import gc
from time import process_time
from typing import Any, NamedTuple

from benchmarks.memory import live_episode_kb, live_world_kb
from benchmarks.mix import Mix
from benchmarks.scenes import scenario
from benchmarks.stage import ENDLESS, Stage
from benchmarks.timing import cpu_s
from earsim import Engine, Episode

SIZES: tuple[dict[str, Any], ...] = (
    {"objects": 20},
    {"objects": 44},
    {"objects": 90},
    {"objects": 200, "rooms": 40},
    {"objects": 500, "rooms": 40},
    {"objects": 1000, "rooms": 40},
    {"objects": 44, "agents": 2},
    {"objects": 44, "agents": 4},
    {"objects": 44, "agents": 8},
    *({"objects": 44, "agents": agents, "knowledge": "own"} for agents in (2, 4, 8)),
)

ALONE = "44 objects"
"""The size that teams are compared with."""

UNVISITED: tuple[dict[str, int], ...] = tuple(
    {"unvisited_objects": objects - 44, "unvisited_rooms": 36} for objects in (44, 200, 500, 1000)
)
"""What is added to 44 objects in four rooms."""

MOST_FOR_UNVISITED = 1.1
"""The goal: a step with what was added costs at most so many times one without."""


class Cost(NamedTuple):
    """Microseconds per command (text and admissible commands included), and memory."""

    size: str
    us_per_command: float
    world_kb: float
    episode_kb: float


def costs(ruleset: str, *, decisions: int, runs: int) -> list[Cost]:
    """One cost per size; `ear-bench` has no knowledge of one's own."""
    sizes = [size for size in SIZES if ruleset == "physical" or "knowledge" not in size]
    return [_cost(ruleset, decisions, runs, size) for size in sizes]


def _cost(ruleset: str, decisions: int, runs: int, size: dict[str, Any]) -> Cost:
    stage = Stage.of(ruleset, decisions // size.get("agents", 1), **size)
    episode = Episode(stage.engine, budget=ENDLESS)
    seconds = cpu_s(lambda: play(episode, stage.mix), before=episode.restart, runs=runs)
    us = seconds / stage.mix.commands * 1e6
    return Cost(_name(size), us, live_world_kb(stage), live_episode_kb(stage))


def play(episode: Episode, mix: Mix, *, text: bool = True, admissible: bool = True) -> None:
    """Give the commands of a mix and ask what agents are told after each."""
    for commands in mix.decisions:
        episode.step(commands)
        for agent in commands:
            if text:
                episode.full(agent)
            if admissible:
                episode.admissible(agent)


class Unvisited(NamedTuple):
    """The same commands with rooms added that nobody enters: least microseconds of all rounds.

    Attributes:
        size: what was added.
        step_us: of a command alone.
        text_us: of a command and the text of the world.
        us: of these and the admissible commands.
        times: the last as a multiple of the same without the rooms.
        chars: length of the text at the end.
        listed: how many commands are admissible at the end.
    """

    size: str
    step_us: float
    text_us: float
    us: float
    times: float
    chars: int
    listed: int


def unvisited(ruleset: str, *, decisions: int, rounds: int) -> list[Unvisited]:
    """What rooms cost that nobody enters, all sizes measured in turn in each round.

    The first is the scene without them. What commands do does not depend on the other rooms.
    """
    stage = Stage.of(ruleset, decisions)
    added = ({}, *UNVISITED)
    episodes = [
        Episode(Engine(scenario(ruleset=ruleset, **rooms)), budget=ENDLESS) for rooms in added
    ]
    least = [[float("inf")] * len(_PARTS) for _ in added]
    for _ in range(rounds):
        for episode, so_far in zip(episodes, least, strict=True):
            for part, asked in enumerate(_PARTS):
                so_far[part] = min(so_far[part], _us(episode, stage.mix, asked))
    return [
        Unvisited(
            _name(rooms) or ALONE,
            *us,
            us[-1] / least[0][-1],
            len(episode.full(episode.agents[0])),
            len(episode.admissible(episode.agents[0])),
        )
        for rooms, episode, us in zip(added, episodes, least, strict=True)
    ]


_PARTS: tuple[dict[str, bool], ...] = (
    {"text": False, "admissible": False},
    {"text": True, "admissible": False},
    {"text": True, "admissible": True},
)


def _us(episode: Episode, mix: Mix, asked: dict[str, bool]) -> float:
    episode.restart()
    gc.collect()
    start = process_time()
    play(episode, mix, **asked)
    return (process_time() - start) / mix.commands * 1e6


def _name(size: dict[str, Any]) -> str:
    return ", ".join(f"{value} {what.replace('_', ' ')}" for what, value in size.items())
