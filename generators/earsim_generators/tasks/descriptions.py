"""Descriptions: conditions without a name that one thing of a scene meets.

By what it is for, by where it lies, by what it is like: so an instruction need not use the word
that the world has for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from earsim.goals.selectors import matching
from earsim.schema.selector import Filter
from earsim_generators.language.predicates import told
from earsim_generators.tasks.distractor_sets import FLUIDS, NOT_TOLD
from earsim_generators.tasks.scene_index import SceneIndex

_TAKEN_OFF: Mapping[str, str] = {"unseal": "seal", "unwrap": "wrap"}
"""What takes off again what the other verb has put round a thing."""


def descriptions(index: SceneIndex, node: str) -> Iterator[Filter]:
    """The conditions without a name that a thing alone meets, at the start."""
    for among in conditions_of(index, node):
        if matching(among, index.world, {}) == [node]:
            yield among


def conditions_of(index: SceneIndex, node: str) -> Iterator[Filter]:
    """The conditions without a name that a thing meets, maybe with others."""
    naming, place = index.naming, index.world.location[node]
    for verb in index.things[node].provides:
        if " of " in told(verb, "things"):  # the thing to scan the barcode of things with
            continue
        yield Filter(provides=verb)
    spots: list[tuple[str, str]] = [("inside_room", index.room_of(node))]
    if place.holder in index.things:
        spots.append((place.relation, place.holder))
    for field, holder in spots:
        if naming.called(holder) is None:
            continue
        spot = {field: holder}
        if field != "inside_room":
            yield Filter.model_validate(spot)
        for key, value in index.world.attributes(node).items():
            if isinstance(value, str) and key not in NOT_TOLD and value not in FLUIDS:
                yield Filter.model_validate({**spot, "attribute": {key: value}})


def is_misleading(index: SceneIndex, node: str, among: Filter) -> bool:
    """Whether nobody would think of the thing: of tape when something to unseal with is wanted."""
    return _TAKEN_OFF.get(among.provides or "") in index.things[node].provides
