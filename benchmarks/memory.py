"""What live worlds weigh, as Python counts it."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

from benchmarks.stage import Stage
from earsim import Episode, World

_WORLDS = 20
_DECISIONS = 35


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

    def play() -> Episode:
        episode = Episode(stage.engine)
        for decision in stage.mix.decisions[:_DECISIONS]:
            episode.step(decision)
            for agent in episode.agents:
                episode.full(agent)
                episode.admissible(agent)
        return episode

    return _kb_each(play)


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
