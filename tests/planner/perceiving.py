"""What a team has perceived, and worlds that differ only in what it has not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from random import Random

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.planner.acting.expert import Expert
from earsim.planner.acting.known_world import KnownWorld, perceived
from earsim.schema import Scenario
from earsim.world import World, digest


def knowledge(engine: Engine, world: World) -> str:
    """A fingerprint of all that a team knows of a world."""
    return digest(KnownWorld(engine, perceived(world), {}, world.readings).view(world))


def decisions(engine: Engine, *, limit: int = 200) -> Iterator[tuple[Episode, Mapping[str, str]]]:
    """An episode played by an expert: as it stands before every decision, and the decision."""
    episode, expert = Episode(engine, budget=limit), Expert(engine)
    while not (episode.over or episode.truncated):
        if episode.last is not None:
            expert.note(episode.last, episode.world)
        decision = expert.decide(episode.world, left=engine.budget - episode.decisions)
        yield episode, decision
        episode.step(decision)


def elsewhere(scenario: Scenario, rng: Random, unseen: Collection[str]) -> Scenario:
    """The scenario with some of the unseen things in other unseen places.

    Args:
        scenario: what is played.
        rng: what chooses.
        unseen: rooms, and things, that nobody has looked into.
    """
    scene = scenario.scene
    holders = [room.id for room in scene.rooms if room.id in unseen]
    holders += [thing.id for thing in scene.objects if thing.container and thing.id in unseen]
    around = {thing.holder for thing in scene.objects}
    movable = [t.id for t in scene.objects if t.id in unseen and t.id not in (*around, *holders)]
    moved = set(rng.sample(movable, min(len(movable), 4)) if holders else ())
    objects = tuple(
        thing.model_copy(update={"in_": rng.choice(holders), "on": None})
        if thing.id in moved
        else thing
        for thing in scene.objects
    )
    return scenario.model_copy(update={"scene": scene.model_copy(update={"objects": objects})})
