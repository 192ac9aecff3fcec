"""Where the time of a step goes: by kind of command, and by what is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import NamedTuple

from benchmarks.mix import shares
from benchmarks.stage import ENDLESS, Stage
from benchmarks.timing import cpu_s
from earsim import Episode


class Kind(NamedTuple):
    """Steps of one kind; the median tells what a step costs when nothing else runs."""

    kind: str
    share: float
    median_us: float


def kinds(stage: Stage) -> list[Kind]:
    """The kinds of the mix, the most frequent first."""
    env = stage.env()
    env.reset()
    taken: dict[str, list[float]] = defaultdict(list)
    for kind, command in zip(stage.mix.kinds, stage.commands, strict=True):
        start = perf_counter()
        env.step(command)
        taken[kind].append(perf_counter() - start)
    return [
        Kind(kind, share, median(taken[kind]) * 1e6)
        for kind, share in shares(stage.mix.kinds).items()
    ]


class Part(NamedTuple):
    """A part of a step, in microseconds per step of the mix."""

    part: str
    us: float


def parts(stage: Stage, *, runs: int) -> list[Part]:
    """Each line adds one thing to the one before; the last is a whole step of the environment."""
    episode = Episode(stage.engine, budget=ENDLESS)
    agent, execute, commands = episode.agents[0], stage.engine.execute, stage.commands
    env = stage.env()

    def us(one: Callable[[str], object]) -> float:
        def play() -> None:
            for command in commands:
                one(command)

        def before() -> None:
            episode.restart()
            env.reset()

        return cpu_s(play, before=before, runs=runs) / len(commands) * 1e6

    def with_text(command: str) -> None:
        episode.step({agent: command})
        episode.full(agent)

    def with_admissible(command: str) -> None:
        with_text(command)
        episode.admissible(agent)

    return [
        Part("command", us(lambda command: execute(episode.world, agent, command))),
        Part("+ decision and verdict", us(lambda command: episode.step({agent: command}))),
        Part("+ text of the world", us(with_text)),
        Part("+ admissible commands", us(with_admissible)),
        Part("+ observation and info", us(env.step)),
    ]
