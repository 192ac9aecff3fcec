"""Generation of a scene: rooms, furniture, distractor groups, tools, and other items."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from earsim.errors import UsageError
from earsim.schema import Scene
from earsim_generators.catalogue.domain import Domain
from earsim_generators.scenes.builder import ObjectFactory, SceneBuilder
from earsim_generators.scenes.distractors import place_distractor_groups
from earsim_generators.scenes.export import measure_places, scene_of
from earsim_generators.scenes.layout import lay_out
from earsim_generators.scenes.parameters import SceneParameters
from earsim_generators.scenes.placement import ScenePlacement
from earsim_generators.scenes.population import (
    fill,
    furnish,
    place_distractors,
    place_keys,
    place_tools,
)
from earsim_generators.scenes.rooms import IdGiver, plan_rooms
from earsim_generators.scenes.states import fit_states

_LABELLED = {"mass_kg": "seen"}
"""In every other scene things say what they weigh; else that is felt, and no task ranks by it."""

_TRIES = 4
"""So often a scene is begun at most."""


@dataclass(frozen=True, slots=True)
class MadeScene:
    """A scene and how it was made.

    Attributes:
        kinds: The kind in the catalogue of every object, by its id.
        lookalikes: Groups of items that share a name, lie apart, and differ in all their numbers.
        start_rooms: Rooms connected without a key, the first room among them. From these every key
            is accessible.
    """

    scene: Scene
    kinds: Mapping[str, str]
    lookalikes: tuple[tuple[str, ...], ...]
    start_rooms: tuple[str, ...]


def make_scene(domain: Domain, parameters: SceneParameters, rng: Random, *, id: str) -> MadeScene:
    """A scene of a domain; equal states of ``rng``, the only source of chance, give equal scenes.

    Raises:
        UsageError: The domain cannot meet the parameters.
    """
    nameless = domain.stock.without_held_out_names
    if parameters.vocabulary == "held_out" and nameless:
        raise UsageError(f"domain {domain.id!r}: no held_out_names for {', '.join(nameless)}")
    for _ in range(_TRIES - 1):
        # A plan of few rooms may have too few places for what is asked; the next one has them.
        with suppress(UsageError):
            return _made(domain, parameters, rng, id)
    return _made(domain, parameters, rng, id)


def _made(domain: Domain, parameters: SceneParameters, rng: Random, id: str) -> MadeScene:
    stock = domain.stock
    ids = IdGiver()
    layout = lay_out(stock.rooms, parameters, rng)
    rooms = plan_rooms(layout.rooms, parameters.names, ids, rng)
    builder = SceneBuilder(
        ScenePlacement(stock, layout, rooms), ObjectFactory(parameters, rng), parameters, rng
    )
    furnish(builder)
    keys = place_keys(builder)
    place_distractor_groups(builder)
    place_distractors(builder)
    place_tools(builder)
    fill(builder)
    measure_places(builder)
    if parameters.generator > 1:
        fit_states(builder.placement)
    title = rng.choice(domain.titles)
    heading = {
        "id": id,
        "title": title,
        "domain": domain.id,
        "description": domain.description,
        "perceived_by": _LABELLED if parameters.numbers == 1 or rng.random() < 0.5 else {},
    }
    scene = scene_of(builder, keys, ids, heading)
    return MadeScene(
        scene=scene,
        kinds={thing.id: thing.kind.id for thing in builder.placement.in_order()},
        lookalikes=tuple(tuple(sorted(one.id for one in group)) for group in builder.lookalikes),
        start_rooms=tuple(rooms[index].id for index in sorted(layout.reached(set(layout.locked)))),
    )
