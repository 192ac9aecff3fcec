"""What a decision costs as scenes and teams grow, and as rooms are added that nobody enters."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.memory import live_episode_kb, live_world_kb
from benchmarks.stage import ENDLESS, Stage
from benchmarks.timing import cpu_s
from earsim import Episode

SIZES: tuple[dict[str, int], ...] = (
    {"objects": 20},
    {"objects": 44},
    {"objects": 44, "full_rooms": 10},
    {"objects": 90},
    {"objects": 44, "agents": 2},
    {"objects": 44, "agents": 4},
)


ALONE = "44 objects"
"""The size that teams are compared with."""

TEAMS = (2, 4)


class Cost(NamedTuple):
    """Microseconds per command (text and admissible commands included), and memory."""

    size: str
    us_per_command: float
    world_kb: float
    episode_kb: float


def costs(ruleset: str, *, decisions: int, runs: int) -> list[Cost]:
    """One cost per size."""
    return [_cost(ruleset, decisions, runs, size) for size in SIZES]


def _cost(ruleset: str, decisions: int, runs: int, size: dict[str, int]) -> Cost:
    stage = Stage.of(ruleset, decisions // size.get("agents", 1), **size)
    episode = Episode(stage.engine, budget=ENDLESS)

    def play() -> None:
        for commands in stage.mix.decisions:
            episode.step(commands)
            for agent in commands:
                episode.full(agent)
                episode.admissible(agent)

    seconds = cpu_s(play, before=episode.restart, runs=runs)
    name = ", ".join(f"{count} {what.replace('_', ' ')}" for what, count in size.items())
    us = seconds / stage.mix.commands * 1e6
    return Cost(name, us, live_world_kb(stage), live_episode_kb(stage))
