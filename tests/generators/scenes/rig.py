"""Scenes of every domain and of several sizes, each made once, and questions about them."""

from functools import cache
from random import Random
from typing import NamedTuple

from earsim.schema import Scene, SceneObject
from earsim_generators.catalogue import (
    Domain,
    FurnitureKind,
    ItemKind,
    domain_names,
    load_domain,
)
from earsim_generators.scenes import GroupSizes, MadeScene, SceneParameters, make_scene

PARAMETERS = {
    "small": SceneParameters(rooms=3, objects=15, lookalikes=3, distractors=1, doors=0, numbers=2),
    "middle": SceneParameters(rooms=6, objects=44, doors=3, locked_doors=1),
    "hard": SceneParameters(
        rooms=9,
        objects=60,
        lookalikes=5,
        group_sizes=GroupSizes(4, 6),
        distractors=6,
        doors=5,
        locked_doors=3,
        numbers=3,
    ),
    "held out": SceneParameters(
        rooms=5, objects=30, numbers=4, lookalikes=3, vocabulary="held_out"
    ),
}

SEEDS = range(4)


class Case(NamedTuple):
    domain: Domain
    parameters: SceneParameters
    made: MadeScene


@cache
def case(name: str, size: str, seed: int) -> Case:
    domain, parameters = load_domain(name), PARAMETERS[size]
    made = make_scene(domain, parameters, Random(f"{size} {seed}"), id=f"{name}_{seed}")
    return Case(domain, parameters, made)


ALL = [(name, size, seed) for name in domain_names() for size in PARAMETERS for seed in SEEDS]


def kinds_of(case: Case) -> dict[str, FurnitureKind | ItemKind]:
    """The kinds of all objects, by the ids of the objects."""
    kinds = {kind.id: kind for kind in (*case.domain.furniture, *case.domain.items)}
    return {id: kinds[kind] for id, kind in case.made.kinds.items()}


def objects_of(case: Case) -> dict[str, SceneObject]:
    """All objects by their ids."""
    return {thing.id: thing for thing in case.made.scene.objects}


def room_of(scene: Scene, thing: SceneObject) -> str:
    """The room that a thing is in, at whatever depth."""
    objects = {other.id: other for other in scene.objects}
    while thing.holder in objects:
        thing = objects[thing.holder]
    return thing.holder


def walkable(scene: Scene, start: str, doors: set[str]) -> set[str]:
    """Rooms that one can walk to through open connections and through these doors."""
    ways = [(room.id, other) for room in scene.rooms for other in room.connects]
    ways += [door.between for door in scene.doors if door.id in doors]
    found = [start]
    for here in found:
        for way in ways:
            found += [room for room in way if here in way and room not in found]
    return set(found)
