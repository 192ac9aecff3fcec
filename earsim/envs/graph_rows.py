"""A world as one agent knows it, in arrays of fixed shape that are kept up to date."""

from __future__ import annotations

import math
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from earsim.errors import UsageError
from earsim.render.graph import CONNECTED, agent_node, door_node, room_node, thing_node, ways
from earsim.render.things import tells_load
from earsim.schema.verb_table import verb_table
from earsim.world import Blueprint, World
from earsim.world.belief import NOWHERE, view
from earsim.world.consumables import GONE
from earsim.world.links import links
from earsim.world.perceived import is_alike_wherever_read, states_shown

Node = Mapping[str, Any]
Arrays = dict[str, npt.NDArray[Any]]

TYPES = ("room", "door", "furniture", "item", "agent")
RELATIONS = ("in", "on", "held", "carried", "leads_to")
NUMBERS = (
    "mass_kg",
    "length_m",
    "width_m",
    "height_m",
    "area_m2",
    "capacity_l",
    "volume_l",
    "load_kg",
    "max_mass_kg",
    "temperature_c",
    "pressure_bar",
    "power_w",
    "voltage_v",
    "charge_percent",
    "fill_percent",
    "humidity_percent",
    "purity_percent",
    "price_eur",
    "diameter_mm",
    "thickness_mm",
    "pages_count",
)
"""Numbers that have a column unless others are asked for."""

_FLAGS: Mapping[str, Callable[[Node], bool]] = {
    "known": lambda node: node["type"] != "door" or bool(node["states"]),
    "container": lambda node: node.get("container", False),
    "tool": lambda node: bool(node.get("provides")),
    "changed_together": lambda node: bool(node.get("changed_together")),
}
_PLACE_FLAGS = ("me", "here", "held", "mine")
LINKED_RELATIONS = (*RELATIONS, CONNECTED)
"""Relations where hoses and cables are asked for."""

_LEADS_TO = RELATIONS.index("leads_to")

_LARGEST = 710.0
"""No finite float has a larger signed logarithm."""


def signed_log(value: float) -> float:
    """`sign(value) * log(1 + |value|)`: keeps order and sign, and brings grams and tonnes near."""
    return math.copysign(math.log1p(abs(value)), value)


_SCENES_KEPT = 256
"""Scenes whose unchanging cells are kept."""


class GraphLayout:
    """Which row and column of the arrays stands for what.

    Attributes:
        max_nodes: how many rows there are.
        columns: what stands in each column of `nodes`.
        relations: what the layers of `edges` stand for.
        space: the arrays of one environment.
    """

    def __init__(
        self,
        max_nodes: int,
        numbers: Sequence[str],
        states: Sequence[str] | None,
        *,
        links: bool = False,
    ) -> None:
        """Lay out columns for these numbers and states; None stands for all states there are.

        With `links` there is a layer for what is connected by a hose or cable.

        Raises:
            UsageError: There is not at least one row, or names are no list of names.
        """
        rows: object = max_nodes
        if not isinstance(rows, int) or isinstance(rows, bool) or rows < 1:
            raise UsageError(f"max_nodes={rows!r}: expected a whole number, at least 1")
        named: dict[str, object] = {"numbers": numbers, "states": states or ()}
        for what, names in named.items():
            if isinstance(names, str) or not isinstance(names, Sequence):
                raise UsageError(f"{what}={names!r}: expected a list of names")
        self.max_nodes = max_nodes
        self.relations = LINKED_RELATIONS if links else RELATIONS
        self.columns = (
            *(f"type:{name}" for name in TYPES),
            *(f"is:{name}" for name in (*_PLACE_FLAGS, *_FLAGS)),
            *(f"number:{name}" for name in numbers),
            *(f"state:{name}" for name in (_all_states() if states is None else states)),
        )
        self.space = spaces.Dict(
            {
                "nodes": spaces.Box(
                    -_LARGEST, _LARGEST, (max_nodes, len(self.columns)), np.float32
                ),
                "edges": spaces.Box(0, 1, (len(self.relations), max_nodes, max_nodes), np.int8),
                "mask": spaces.Box(0, 1, (max_nodes,), np.int8),
            }
        )
        self.column = {name: index for index, name in enumerate(self.columns)}
        self.state_column = {
            name.removeprefix("state:"): index
            for name, index in self.column.items()
            if name.startswith("state:")
        }
        self._scenes: OrderedDict[int, _SceneCells] = OrderedDict()

    def zeros(self, *batch: int) -> Arrays:
        """Arrays of this layout, of one environment or of a batch."""
        kinds = {name: self.space[name] for name in ("nodes", "edges", "mask")}
        return {name: np.zeros((*batch, *(k.shape or ())), k.dtype) for name, k in kinds.items()}

    def scene(self, blueprint: Blueprint) -> _SceneCells:
        """What never changes in a scene.

        Raises:
            UsageError: It has more ids than there are rows.
        """
        kept = self._scenes.get(id(blueprint))
        if kept is not None and kept.blueprint is blueprint:
            return kept
        if len(blueprint.rank) > self.max_nodes:
            raise UsageError(
                f"max_nodes={self.max_nodes}: this scene has {len(blueprint.rank)} ids"
            )
        leads = [(blueprint.rank[source], blueprint.rank[room]) for source, room in ways(blueprint)]
        kept = self._scenes[id(blueprint)] = _SceneCells(blueprint, {}, leads)
        if len(self._scenes) > _SCENES_KEPT:
            self._scenes.popitem(last=False)
        return kept

    def cells(self, node: Node) -> npt.NDArray[np.float32]:
        """The row of a node, flags of place aside."""
        row = np.zeros(len(self.columns), np.float32)
        for name, value in _filled(node):
            column = self.column.get(name)
            if column is not None:
                row[column] = value
        return row


class _SceneCells(NamedTuple):
    """Attributes: the scene, rows of its things as the file says but for states, and its ways.

    A thing has two such rows: before and after somebody has felt what it weighs.
    """

    blueprint: Blueprint
    things: dict[tuple[str, bool], npt.NDArray[np.float32]]
    leads_to: list[tuple[int, int]]


class GraphRows:
    """Keeps the arrays of one environment up to date: only rows of what changed are written again.

    Attributes:
        layout: which cell stands for what.
        arrays: `nodes`, `edges` and `mask`; they are written in place.
    """

    def __init__(self, layout: GraphLayout, arrays: Arrays) -> None:
        """Write into these arrays, which have the shapes of the layout."""
        self.arrays = arrays
        self.layout = layout
        self._nodes, self._edges, self._mask = (arrays[k] for k in ("nodes", "edges", "mask"))
        self._places = self._nodes[:, layout.column["is:here"] : layout.column["is:mine"] + 1]
        self._seen: World | None = None
        self._changed = self._shows = -1

    @staticmethod
    def empty(layout: GraphLayout) -> GraphRows:
        """Arrays of its own."""
        return GraphRows(layout, layout.zeros())

    def write(self, world: World, viewer: str) -> None:
        """Bring the arrays up to date with what an agent knows.

        Raises:
            UsageError: The scene has more ids than there are rows.
        """
        seen = view(world, viewer)
        if seen is not self._seen or viewer != self._viewer:
            self._begin(seen, viewer)
        elif seen.changed == self._changed and seen.shows == self._shows:
            return
        else:
            changed, shows = self._changed, self._shows
            for node, stamp in seen.told_alone.items():
                if stamp > changed or -stamp > shows:
                    self._write_node(seen, node)
        self._changed, self._shows = seen.changed, seen.shows
        self._write_agents(seen)
        self._write_places(seen)
        if len(self.layout.relations) > len(RELATIONS):
            self._write_links(seen)

    def _begin(self, seen: World, viewer: str) -> None:
        blueprint = seen.blueprint
        self._scene = self.layout.scene(blueprint)
        self._seen, self._viewer, self._rank = seen, viewer, blueprint.rank
        self._edge_of: dict[str, tuple[int, int, int]] = {}
        self._around: tuple[object, ...] = ()
        self._links: tuple[tuple[str, str, str], ...] = ()
        for array in self.arrays.values():
            array[...] = 0
        for room in blueprint.rooms:
            self._nodes[self._rank[room]] = self.layout.cells(room_node(seen, room))
            self._mask[self._rank[room]] = 1
        for node in (*blueprint.doors, *blueprint.things):
            self._write_node(seen, node)
        for source, room_row in self._scene.leads_to:
            self._edges[_LEADS_TO, source, room_row] = 1
        for agent in blueprint.bodies:
            self._nodes[self._rank[agent]] = self.layout.cells(
                agent_node(seen, agent, viewer=viewer)
            )
            self._mask[self._rank[agent]] = 1
        self._nodes[self._rank[viewer], self.layout.column["is:me"]] = 1

    def _write_node(self, seen: World, node: str) -> None:
        """The row of an object or a door, and where it is."""
        if node in seen.location:
            if seen.location[node] == GONE:
                self._clear(node)
            elif node in seen.known[self._viewer]:
                self._write_thing(seen, node)
                place = seen.location[node]
                self._write_edge(node, place.relation, place.holder)
        elif node in seen.blueprint.doors:
            known = node in seen.known[self._viewer]
            row = self._rank[node]
            self._nodes[row] = self.layout.cells(door_node(seen, node, known=known))
            self._mask[row] = 1

    def _write_thing(self, seen: World, node: str) -> None:
        row = self._rank[node]
        self._mask[row] = 1
        read = seen.readings.get(node)
        if node in seen.altered or seen.jointly.get(node) or not is_alike_wherever_read(read):
            self._nodes[row] = self.layout.cells(thing_node(seen, node))
            return
        alike = node, read is not None
        cells = self._scene.things.get(alike)
        if cells is None:
            as_filed = {**thing_node(seen, node), "states": {}}
            cells = self._scene.things[alike] = self.layout.cells(as_filed)
        self._nodes[row] = cells
        column = self.layout.state_column
        for name, state in states_shown(seen, node).items():
            if isinstance(state, bool) and name in column:
                self._nodes[row, column[name]] = 1.0 if state else -1.0

    def _clear(self, node: str) -> None:
        """What was used up is not there any more."""
        self._nodes[self._rank[node]] = 0
        self._mask[self._rank[node]] = 0
        self._write_edge(node, "", NOWHERE)

    def _write_links(self, seen: World) -> None:
        """What is connected, both ways, of things known; rows of `connected`."""
        known = seen.known[self._viewer]
        now = tuple([link for link in links(seen) if known.issuperset(link[:2])])
        if now == self._links:
            return
        self._links = now
        layer = self._edges[self.layout.relations.index(CONNECTED)]
        layer[...] = 0
        for first, second, _ in now:
            layer[self._rank[first], self._rank[second]] = 1
            layer[self._rank[second], self._rank[first]] = 1

    def _write_agents(self, seen: World) -> None:
        """Loads, and who is in which room."""
        column = self.layout.column.get("number:load_kg")
        for agent_id, agent in seen.agents.items():
            if column is not None and tells_load(seen.blueprint, self._viewer, agent_id):
                self._nodes[self._rank[agent_id], column] = signed_log(agent.load)
            self._write_edge(agent_id, "in", agent.room)

    def _write_edge(self, node: str, relation: str, holder: str) -> None:
        """Where something is; nothing is written for what went out of sight."""
        edge = None
        if holder != NOWHERE:
            edge = (RELATIONS.index(relation), self._rank[node], self._rank[holder])
        before = self._edge_of.get(node)
        if edge == before:
            return
        if before is not None:
            self._edges[before] = 0
            del self._edge_of[node]
        if edge is not None:
            self._edges[edge] = 1
            self._edge_of[node] = edge

    def _write_places(self, seen: World) -> None:
        """The flags `here`, `held` and `mine`."""
        told, room = seen.told, seen.agents[self._viewer].room  # rows written anew lose the flags
        agents = [(agent.room, told.get(a)) for a, agent in seen.agents.items()]
        around = (room, told.get(room), *agents)
        if around == self._around:
            return
        self._around = around
        held = {agent: self._inside(seen, agent) for agent in seen.agents}
        here = held[self._viewer]
        if room != NOWHERE:
            here = [self._rank[room], *self._inside(seen, room)]
            for agent_id, agent in seen.agents.items():
                if agent.room == room:
                    here += (self._rank[agent_id], *held[agent_id])
        else:
            here = [self._rank[self._viewer], *here]
        places = self._places
        places[...] = 0
        places[here, 0] = 1
        for rows in held.values():
            places[rows, 1] = 1
        places[held[self._viewer], 2] = 1

    def _inside(self, seen: World, holder: str) -> list[int]:
        """Rows of everything known in, on or held by something, however deep."""
        known, contents, rank = seen.known[self._viewer], seen.contents, self._rank
        rows: list[int] = []
        waiting = list(contents.get(holder, ()))
        while waiting:
            node = waiting.pop()
            if node in known:
                rows.append(rank[node])
                waiting += contents.get(node, ())
        return rows


def _filled(node: Node) -> Iterator[tuple[str, float]]:
    """What a node says of itself, by column; not all have one."""
    yield f"type:{node['type']}", 1.0
    for flag, holds in _FLAGS.items():
        if holds(node):
            yield f"is:{flag}", 1.0
    for name, value in {**node.get("attributes", {}), **node.get("numbers", {})}.items():
        if _is_number(value):
            yield f"number:{name}", signed_log(value)
    for name, state in node.get("states", {}).items():
        if isinstance(state, bool):
            yield f"state:{name}", 1.0 if state else -1.0


def _is_number(value: Any) -> bool:
    """Open attributes may hold anything, integers beyond every float among them."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max


def _all_states() -> tuple[str, ...]:
    return tuple(sorted({row.attribute for row in verb_table().values()}))
