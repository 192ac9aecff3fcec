"""What live worlds weigh: `python -m benchmarks.memory`, or a fraction in `python -m benchmarks`.

A fraction is weighed as Python counts it, the whole as the operating system does (Linux only): the
growth of the process while the episodes or environments are made and kept.
"""

from __future__ import annotations

import argparse
import gc
import resource
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import gymnasium as gym

from benchmarks.mix import Mix
from benchmarks.scenes import RULESETS
from benchmarks.stage import Stage
from earsim import Episode, World, open_suite
from earsim.envs import SINGLE_ID

_WORLDS = 20
_DECISIONS = 35
_MIXES = 2_000
"""Different episodes that are played; more of them are kept than that, so some play the same."""

EPISODES, EPISODES_MB = 10_000, 400
ENVIRONMENTS, ENVIRONMENTS_MB = 1_000, 60


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.memory", description="Weigh many live episodes, by growth."
    )
    parser.add_argument("--episodes", type=int, default=EPISODES, metavar="N")
    parser.add_argument("--environments", type=int, default=ENVIRONMENTS, metavar="N")
    options = parser.parse_args()
    for ruleset in RULESETS:
        mb = _alone(episodes_mb, ruleset, options.episodes)
        print(
            f"{ruleset}: {options.episodes:,} live episodes of one engine, {_DECISIONS} decisions"
            f" each: {mb:,.0f} MB, {mb / options.episodes * 1000:.1f} kB each"
            f" (goal for {EPISODES:,}: {EPISODES_MB} MB)"
        )
    for suite in ("starter", "earsim-bench"):
        mb = _alone(environments_mb, suite, options.environments)
        print(
            f"{suite}: {options.environments:,} environments made one by one and reset:"
            f" {mb:,.0f} MB (goal for {ENVIRONMENTS:,}: {ENVIRONMENTS_MB} MB)"
        )
    mb = _alone(running_mb, "laboratory", RUNS)
    print(
        f"laboratory: a process with {RUNS} environments that have run a six-box ocean:"
        f" {mb:,.0f} MB (goal: {RUNS_MB} MB)"
    )


def _alone(measure: Callable[[str, int], float], name: str, count: int) -> float:
    """Measure in a process of its own, in which nothing was freed before."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, name, count).result()


def live_world_kb(stage: Stage) -> float:
    """Kilobytes of a world in which the first commands of a mix were carried out."""
    agent = next(iter(stage.engine.blueprint.bodies))

    def play() -> World:
        world = stage.engine.start()
        for command in stage.commands[:_DECISIONS]:
            stage.engine.execute(world, agent, command)
        return world

    return _kb_each(play)


def live_episode_kb(stage: Stage) -> float:
    """The same with all that is kept to tell its text and its admissible commands fast."""
    return _kb_each(lambda: _played(stage, 0))


def _played(stage: Stage, number: int) -> Episode:
    """An episode after the decisions of one that was recorded."""
    episode = Episode(stage.engine)
    for decision in _recorded(stage.mix, number):
        episode.step(decision)
        for agent in episode.agents:
            episode.full(agent)
            episode.help(agent)
            episode.admissible(agent)
    return episode


def _recorded(mix: Mix, number: int) -> list[dict[str, str]]:
    first = number * _DECISIONS % len(mix.decisions)
    return mix.decisions[first : first + _DECISIONS]


def _kb_each(make: Callable[[], object]) -> float:
    make()  # what all of them share is made once
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [make() for _ in range(_WORLDS)]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(kept) / 1000


def episodes_mb(ruleset: str, episodes: int) -> float:
    """Megabytes by which the process grows for so many live episodes that share an engine."""
    mixes = min(episodes, _MIXES)
    stage = Stage.of(ruleset, mixes * _DECISIONS, length=_DECISIONS)
    before = _resident_mb()
    kept = [_played(stage, number) for number in range(episodes)]
    after = _resident_mb()
    assert len(kept) == episodes
    return after - before


def environments_mb(suite: str, environments: int) -> float:
    """The same for environments that ask for a scenario each by itself and were reset."""
    scenario = open_suite(suite).ids[0]

    def make() -> gym.Env[str, str]:
        env = gym.make(SINGLE_ID, scenario=scenario, suite=suite)
        env.reset()
        return env

    kept = [make()]
    before = _resident_mb()
    kept += [make() for _ in range(environments)]
    after = _resident_mb()
    return after - before


RUNS, RUNS_MB = 64, 200
_OCEAN = "ocean_office/freshwater_from_the_north"
_BEGUN = ("EXPLORE", "GOTO card_alba", "GRAB card_alba", "GOTO alba", "TURN_ON alba", "RUN alba")


def running_mb(suite: str, environments: int) -> float:
    """The whole process, with environments in each of which a six-box ocean has been run.

    A run of 24,000 years takes less than a second of the world, so they hold it with all readings.
    """

    def make() -> gym.Env[str, str]:
        env = gym.make(SINGLE_ID, scenario=_OCEAN, suite=suite)
        env.reset()
        for command in (*_BEGUN, "WAIT 1"):
            env.step(command)
        return env

    kept = [make() for _ in range(environments)]
    for env in kept:
        (run,) = env.unwrapped.episode.world.timeline.lab.runs.values()
        assert run.samples, "it has given readings"
    return _resident_mb()


def _resident_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


if __name__ == "__main__":
    main()
