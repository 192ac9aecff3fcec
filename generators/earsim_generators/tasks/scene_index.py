"""Precomputed index of a scene for task sampling, shared by all tasks in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache, cached_property
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from earsim.goals.selectors import CONTENTS, value_of
from earsim.schema import Scene
from earsim.schema.verb_table import AttributeVerb
from earsim.world import Blueprint, Physics, Thing, World
from earsim.world.containment import is_closed, plugged_in, standing_piece
from earsim.world.loads import total_mass
from earsim.world.numbers import numbers_of
from earsim.world.paths import is_passable
from earsim_generators.language import RealiserContext
from earsim_generators.language.predicates import changing

if TYPE_CHECKING:
    import networkx as nx

LEAST_CANDIDATES = 3
"""With fewer things of one name, chance finds the right one too often."""

_SUMMED = ("mass_kg", "price_eur")
"""Numbers of which one asks what they come to in all."""

_CLOSED, _LOCKED = 20, 100
"""A way around through any number of rooms is better than a door, around a locked one too."""

_NOT_READ_OFF = ("length_m", "width_m", "height_m")
"""Shown as one size, in which nobody tells which edge is which."""


_NOT_ASKED = frozenset({"detune_instrument", "loosen", "show", "stack", "unstack"})
"""Verbs for which nobody has a use without saying what for."""


class Flip(NamedTuple):
    """A change of a state to `value` by a verb, with one of some tools unless there are none."""

    node: str
    state: str
    value: bool
    verb: AttributeVerb
    tools: tuple[str, ...]


class SceneIndex:
    """Index of a scene.

    Attributes:
        world: Its initial state, without agents.
        context: For the realiser.
        things: All objects, in file order.
        start_rooms: Rooms in which a task may begin.
        surfaces: Things that others are put on.
        groups: Three or more things that share a name which fits nothing else.
    """

    def __init__(
        self,
        scene: Scene,
        start_rooms: tuple[str, ...] = (),
        surfaces: Collection[str] | None = None,
    ) -> None:
        """Index a scene; by default tasks begin anywhere, and surfaces hold something."""
        self.scene = scene
        self.blueprint = Blueprint.compile(scene, ())
        self.world = World(self.blueprint, Physics())
        self.context = RealiserContext(scene, self.blueprint.abilities)
        self.naming = self.context.naming
        self.things: Mapping[str, Thing] = self.blueprint.things
        self.start_rooms = start_rooms or tuple(self.blueprint.rooms)
        laid_on = {
            place.holder for place in self.blueprint.location.values() if place.relation == "on"
        }
        self.surfaces = frozenset(laid_on if surfaces is None else surfaces)
        self._all_flips = cache(lambda node: tuple(self._flips(node)))
        self._ways = cache(self._ways_from)
        self.groups = tuple(self._groups())
        self._room = {node: str(self.world.room_of(node)) for node in self.things}
        self._mass = {node: total_mass(self.world, node) for node in self.things}
        self._numbers = {node: dict(numbers_of(self.world, node)) for node in self.things}
        for thing in scene.objects:
            self._numbers[thing.id].pop("max_load_kg", None)  # a limit, nothing to tell it by
            if (scene.perceived_by | thing.perceived_by).get("mass_kg") != "seen":
                del self._numbers[thing.id]["mass_kg"]  # it would have to be lifted first
        for node in self.things:
            self._numbers[node] |= self._sums(node)

    def room_of(self, node: str) -> str:
        """The room that a thing is in."""
        return self._room[node]

    def mass(self, node: str) -> float:
        """Mass of a thing with its contents, in kg."""
        return self._mass[node]

    def number(self, node: str, of: str) -> float | None:
        """A number of a thing, if it has it."""
        return self._numbers[node].get(of)

    def numbers_of(self, group: tuple[str, ...]) -> tuple[str, ...]:
        """The numbers that all of a group have and that agents can read off."""
        first, *others = group
        return tuple(
            of
            for of in self._numbers[first]
            if of not in _NOT_READ_OFF
            and all(of in self._numbers[other] for other in others)
            and not (of == "mass_kg" and any(map(self.is_laden, group)))
        )

    def _sums(self, node: str) -> dict[str, float]:
        """Numbers of all that lies in or on a thing, added up, where everybody can see them."""
        inner = self.world.contents.get(node, ())
        if is_closed(self.world, node) or any(map(self.is_laden, inner)):
            return {}
        found = {}
        for of in _SUMMED:
            if inner and all(of in self._numbers[child] for child in inner):
                total = value_of(self.world, node, f"{CONTENTS}{of}")
                assert total is not None, "there are contents that have it"
                found[f"{CONTENTS}{of}"] = total
        return found

    def is_bin(self, node: str) -> bool:
        """Whether things are thrown into it, for it is said of it that it is full."""
        return self.things[node].is_container and "is_full" in self.world.states[node]

    def is_freely_carried(self, node: str) -> bool:
        """Whether a thing neither rolls nor is plugged in, and goes through every door."""
        size = self.things[node].size_m
        is_fixed = node in self.blueprint.wheeled or plugged_in(self.world, node) is not None
        return not is_fixed and (size is None or sorted(size)[1] <= self._narrowest_m)

    @cached_property
    def _narrowest_m(self) -> float:
        widths = [
            door.width_m for door in self.blueprint.doors.values() if door.width_m is not None
        ]
        return min(widths, default=inf)

    def is_laden(self, node: str) -> bool:
        """Whether something lies in or on a thing: then one may wonder what it weighs."""
        return bool(self.world.contents.get(node))

    def held(self, holder: str, relation: str) -> tuple[str, ...]:
        """Direct contents of a thing."""
        location = self.world.location
        contents = self.world.contents.get(holder, ())
        return tuple(node for node in contents if location[node].relation == relation)

    def piece(self, node: str) -> str:
        """The piece to walk to for a thing or door."""
        return node if node in self.blueprint.doors else standing_piece(self.world, node)

    def key_of(self, node: str) -> str | None:
        """The key of a thing or door."""
        lockable = self.blueprint.doors.get(node) or self.blueprint.things[node]
        return lockable.key

    def doors_between(self, start: str, goal: str) -> tuple[str, ...]:
        """The closed doors on the way from room to room that has the fewest of them."""
        return self._ways(start).get(goal, ())

    def _ways_from(self, start: str) -> dict[str, tuple[str, ...]]:
        """The closed doors on the way to every room that is soonest walked."""
        import networkx as nx

        rooms = self._rooms
        paths = nx.single_source_dijkstra_path(rooms, start, weight="time")
        doors = {
            room: [rooms.edges[step]["shut"] for step in pairwise(path)]
            for room, path in paths.items()
        }
        return {room: tuple(filter(None, shut)) for room, shut in doors.items()}

    @cached_property
    def _rooms(self) -> nx.DiGraph[str]:
        """Rooms with travel times, and the closed door of each way, if any.

        Of ways that take equally long the first of the file is taken.
        """
        import networkx as nx

        rooms: nx.DiGraph[str] = nx.DiGraph()
        rooms.add_nodes_from(self.blueprint.rooms)
        for room, ways in self.blueprint.passages.items():
            for way in ways:
                delay = self._delay(way.door)
                step = (room, way.room)
                if not rooms.has_edge(*step) or 1 + delay < rooms.edges[step]["time"]:
                    rooms.add_edge(*step, time=1 + delay, shut=way.door if delay else None)
        return rooms

    def _delay(self, door: str | None) -> int:
        """Extra travel time of a door, in rooms."""
        if door is None or is_passable(self.world, door):
            return 0
        return _LOCKED if self.world.states[door].get("is_locked") is True else _CLOSED

    @cached_property
    def searching(self) -> int:
        """Decisions in which one person looks everywhere, about."""
        world = self.world
        lids = sum(t.is_container and is_closed(world, t.id) for t in self.things.values())
        doors = sum(not is_passable(world, door) for door in self.blueprint.doors)
        return 2 * len(self.blueprint.rooms) + 3 * lids + 3 * doors

    @cached_property
    def keys(self) -> frozenset[str]:
        """Things that unlock something."""
        return self.blueprint.keys

    @cached_property
    def tools(self) -> dict[str, tuple[str, ...]]:
        """Things by the verb that they give."""
        found: dict[str, tuple[str, ...]] = {}
        for thing in self.things.values():
            for verb in thing.provides:
                found[verb] = (*found.get(verb, ()), thing.id)
        return found

    def flips_of(self, node: str, *, with_tool: bool | None = None) -> tuple[Flip, ...]:
        """Changes of a thing without a key, in file order: with a tool, without, or (None) both."""
        found = self._all_flips(node)
        return tuple(flip for flip in found if with_tool in (None, bool(flip.tools)))

    def undistinguished_flips(
        self, node: str, candidates: Collection[str], *, with_tool: bool
    ) -> list[Flip]:
        """Changes that several candidates admit, so that they leak no answer."""
        return [
            flip
            for flip in self.flips_of(node, with_tool=with_tool)
            if self._number_like(flip, candidates) >= LEAST_CANDIDATES
        ]

    def _number_like(self, flip: Flip, candidates: Collection[str]) -> int:
        """Number of candidates that admit a change."""
        states = [self.world.states[node].get(flip.state) for node in candidates]
        return sum(now is not None and now is not flip.value for now in states)

    def _flips(self, node: str) -> Iterator[Flip]:
        for state, now in self.world.states[node].items():
            if state == "is_locked":
                continue
            verbs = [
                verb
                for verb in changing(state, now, self.context.verbs)
                if verb.name not in _NOT_ASKED and not (verb.name == "fill" and self.is_bin(node))
            ]
            free = [verb for verb in verbs if not verb.requires_tool]
            armed = [verb for verb in verbs if self.tools.get(verb.name)]
            if free:
                yield Flip(node, state, not now, free[0], ())
            elif armed:
                tools = tuple(tool for verb in armed for tool in self.tools[verb.name])
                yield Flip(node, state, not now, armed[0], tools)

    def _groups(self) -> Iterator[tuple[str, ...]]:
        by_name: dict[str, list[str]] = {}
        for node, thing in self.things.items():
            by_name.setdefault(thing.name, []).append(node)
        for name, group in by_name.items():
            if len(group) >= LEAST_CANDIDATES and self.naming.fitting(name) == tuple(group):
                yield tuple(group)
