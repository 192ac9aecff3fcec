"""Population of a scene: furniture, keys of locked doors, tools, distractors and other items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from earsim.errors import UsageError
from earsim_generators.catalogue.stock import ThingStock
from earsim_generators.scenes.builder import SceneBuilder
from earsim_generators.scenes.layout import Adjacency
from earsim_generators.scenes.placement import FreePlace, PlacedObject

_FURNITURE_SHARE = 0.28
"""Share of furniture among the objects of a scene."""

_TOOL_SHARE = 0.12
"""Share of tools among the objects of a scene, as far as there is space."""

_CHANGEABLE_SHARE = 0.6
"""Share, among the items that fill a scene, of those that its tools can change."""


def furnish(builder: SceneBuilder) -> None:
    """Put furniture into the rooms: a piece in each, and more in rooms picked by their area."""
    parameters = builder.parameters
    spare = parameters.objects - parameters.least_objects
    count = parameters.rooms + max(
        0, min(round(_FURNITURE_SHARE * parameters.objects) - parameters.rooms, spare)
    )
    chosen = _choose(builder, count)
    for kind, rooms in chosen.items():
        for piece, room in zip(builder.factory.draw(kind, len(rooms)), rooms, strict=True):
            builder.placement.put_somewhere(piece, [FreePlace("in", room, None)])


def _choose(builder: SceneBuilder, count: int) -> dict[ThingStock, list[int]]:
    """Kinds of furniture, each with its rooms."""
    chosen: dict[ThingStock, list[int]] = {}
    held: Counter[tuple[int, str]] = Counter()
    for visit, room in enumerate(_rooms_to_visit(builder, count)):
        if held.total() == count:
            break
        fitting = _fitting(builder, room, held, is_first=visit < len(builder.placement.rooms))
        if fitting:
            kind = builder.rng.choice(fitting)
            chosen.setdefault(kind, []).append(room)
            held[room, kind.id] += 1
    return chosen


def _rooms_to_visit(builder: SceneBuilder, count: int) -> list[int]:
    """Every room once, then large ones more often, and more than are needed: some are full."""
    rooms = list(range(len(builder.placement.rooms)))
    areas = [room.area_m2 for room in builder.placement.rooms]
    return rooms + builder.rng.choices(rooms, weights=areas, k=max(0, 2 * (count - len(rooms))))


def _fitting(
    builder: SceneBuilder, room: int, held: Counter[tuple[int, str]], *, is_first: bool
) -> list[ThingStock]:
    """Kinds that may come into a room: new ones, and first one that other things can lie at."""
    stock = builder.placement.stock
    kinds = stock.furniture_of[builder.placement.layout.rooms[room].id]
    fitting = [kind for kind in kinds if held[room, kind.id] < kind.most]
    if is_first:
        fitting = [kind for kind in fitting if kind.id in stock.places] or fitting
    return [kind for kind in fitting if not held[room, kind.id]] or fitting


def place_keys(builder: SceneBuilder) -> Mapping[Adjacency, PlacedObject]:
    """Put the key of every locked door into its room.

    Raises:
        UsageError: The domain has no kind of key.
    """
    locked = builder.placement.layout.locked
    if not locked:
        return {}
    if not builder.placement.stock.keys:
        raise UsageError("this domain has no item with `opens_doors`, so its doors cannot lock")
    kind = builder.rng.choice(builder.placement.stock.keys)
    keys = dict(zip(locked, builder.factory.draw(kind, len(locked)), strict=True))
    for door, key in keys.items():
        room = locked[door]
        near = (place for place in builder.places(kind) if place.room == room)
        if not builder.placement.put_somewhere(key, near):
            builder.placement.put(key, FreePlace("in", room, None))
        key.attributes["tag"] = builder.placement.rooms[_behind(builder, door)].name
        builder.joined(kind)
    return keys


def _behind(builder: SceneBuilder, door: Adjacency) -> int:
    """The room that a door leads to, coming from the first room."""
    order = builder.placement.layout.reached(set())
    return max(door.first, door.second, key=order.index)


def place_tools(builder: SceneBuilder) -> None:
    """Add tools, first those for states that things of the scene are in now."""
    count = max(1, min(round(_TOOL_SHARE * builder.parameters.objects), builder.left() // 2))
    for verb in _wanted(builder):
        if count <= 0:
            return
        if verb in builder.tool_verbs:
            continue
        tools = builder.placement.stock.providers[verb]
        unused = (tool for tool in tools if tool.id not in builder.used)
        count -= any(builder.add_one(tool) for tool in builder.drawn(unused))


def _wanted(builder: SceneBuilder) -> list[str]:
    """Verbs that take a tool: those that could be used now first, in random order."""
    found = {
        (state, value)
        for thing in builder.placement.things
        for state, value in thing.states.items()
    }
    verbs = [verb for verb in builder.drawn(builder.placement.stock.verbs) if verb.requires_tool]
    verbs.sort(key=lambda verb: (verb.attribute, verb.value) not in found)
    return [verb.name for verb in verbs]


def place_distractors(builder: SceneBuilder) -> None:
    """Add items of the families of the lookalikes, then such as share a number with them."""
    groups = [group[0].kind for group in builder.lookalikes]
    families = {kind.family for kind in groups} - {None}
    fields = {
        scale.field for kind in groups for scale in builder.factory.appearances[kind.id].scales
    }
    kinds = list(builder.drawn(builder.unused()))
    kinds.sort(key=lambda kind: _distance(kind, families, fields))
    _add(builder, kinds, builder.parameters.distractors)


def _distance(kind: ThingStock, families: set[str | None], fields: set[str]) -> int:
    if kind.family in families:
        return 0
    return 1 if any(scale.field in fields for scale in kind.scales) else 2


def fill(builder: SceneBuilder) -> None:
    """Add items until the number of objects is reached, some for the tools.

    Raises:
        UsageError: There is no more space for anything.
    """
    states = _changeable_states(builder)
    for_tools = (kind for kind in builder.unused() if any(s in states for s, _ in kind.states))
    _add(builder, builder.drawn(for_tools), round(_CHANGEABLE_SHARE * builder.left()))
    _add(builder, builder.drawn(builder.unused()), builder.left())
    if builder.left() > 0:
        most = len(builder.placement.things)
        raise UsageError(f"this domain finds space for {most} objects here, not for more")


def _add(builder: SceneBuilder, kinds: Iterable[ThingStock], count: int) -> None:
    """Add one item each of the first so many kinds that find space."""
    for kind in kinds if count > 0 else ():
        count -= builder.add_one(kind)
        if count == 0:
            return


def _changeable_states(builder: SceneBuilder) -> set[str]:
    """States that can be changed with the tools of the scene."""
    tools = builder.tool_verbs
    return {verb.attribute for verb in builder.placement.stock.verbs if verb.name in tools}
