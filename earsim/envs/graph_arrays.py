"""The graph observation as arrays of fixed shape, for agents that read numbers."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from earsim.envs.single import OmniEAREnv
from earsim.envs.spaces import GraphSpace
from earsim.errors import UsageError
from earsim.schema.verb_table import verb_table

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

_LARGEST = 710.0
"""No finite float has a larger signed logarithm."""


def signed_log(value: float) -> float:
    """`sign(value) * log(1 + |value|)`: keeps order and sign, and brings grams and tonnes near."""
    return math.copysign(math.log1p(abs(value)), value)


class GraphArrays(gym.Wrapper[Arrays, Any, dict[str, Any], Any], RecordConstructorArgs):
    """Turns `observation="graph"` into a `Dict` of three arrays.

    ## Observation space
    Row `i` stands for the `i`-th id of the scene in file order: rooms, doors, objects, agents. So a
    thing keeps its row for the whole episode. Rows of things not yet discovered, and those beyond
    the last id, are zero throughout. With N = `max_nodes` and C = `len(columns)`:

    - `nodes`: shape (N, C), dtype float32, values from -710 to 710. See below for the columns.
    - `edges`: shape (5, N, N), dtype int8, 0 or 1. `edges[r, i, j]` says that row `i` stands in
      relation `RELATIONS[r]` to row `j`: `in`, `on` or `held` by its direct holder, `carried` by
      several of whom the first is named, and `leads_to` from doors and open passages to rooms.
    - `mask`: shape (N,), dtype int8; 1 where the row shows something.

    ## Columns of `nodes`, in order
    - `type:<type>` for `TYPES`: one-hot.
    - `is:me`; `is:here`, in my room or my hands; `is:held`, in somebody's hands, or in or on what
      is; `is:mine`, the same of mine; `is:known`, 0 for a door not yet looked at; `is:container`;
      `is:tool`; `is:changed_together`: 0 or 1.
    - `number:<name>` for the names asked for: the signed logarithm, `sign(x) * log(1 + |x|)`; 0
      where there is no such number.
    - `state:<name>` for the states asked for: 1 where true, -1 where false, 0 where there is none.

    Numbers and states without a column are left out, and so is all text: the instruction is in the
    info.

    Attributes:
        columns: what stands in each column of `nodes`.
    """

    def __init__(
        self,
        env: gym.Env[dict[str, Any], Any],
        max_nodes: int = 128,
        numbers: Sequence[str] = NUMBERS,
        states: Sequence[str] | None = None,
    ) -> None:
        """Wrap an environment.

        Args:
            env: `OmniEAR-v0` made with `observation="graph"`, wrapped or not.
            max_nodes: rows; at least the number of ids of the largest scene.
            numbers: attributes, such as `mass_kg`, that get a column.
            states: states that get a column; all that the verb table knows when None.

        Raises:
            UsageError: The environment is another, or gives no graphs.
        """
        RecordConstructorArgs.__init__(self, max_nodes=max_nodes, numbers=numbers, states=states)
        super().__init__(env)
        if not isinstance(env.unwrapped, OmniEAREnv):
            raise UsageError(f"GraphArrays wraps OmniEAR-v0, not {env.unwrapped}")
        if not isinstance(env.observation_space, GraphSpace):
            raise UsageError('GraphArrays needs an environment made with observation="graph"')
        self.max_nodes = max_nodes
        self.columns = (
            *(f"type:{name}" for name in TYPES),
            *(f"is:{name}" for name in (*_PLACE_FLAGS, *_FLAGS)),
            *(f"number:{name}" for name in numbers),
            *(f"state:{name}" for name in (_all_states() if states is None else states)),
        )
        self._column = {name: index for index, name in enumerate(self.columns)}
        self._bare = env.unwrapped
        self.observation_space = cast("spaces.Space[Arrays]", self._space())

    def _space(self) -> spaces.Dict:
        rows = self.max_nodes
        return spaces.Dict(
            {
                "nodes": spaces.Box(-_LARGEST, _LARGEST, (rows, len(self.columns)), np.float32),
                "edges": spaces.Box(0, 1, (len(RELATIONS), rows, rows), np.int8),
                "mask": spaces.Box(0, 1, (rows,), np.int8),
            }
        )

    @property
    def ids(self) -> tuple[str, ...]:
        """The id of every row in use, whether discovered or not: never show it to an agent.

        Raises:
            NotReset: The environment was never reset.
        """
        return tuple(self._bare.episode.engine.blueprint.rank)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Start an episode.

        Raises:
            UsageError: Its scene has more ids than there are rows.
        """
        graph, info = self.env.reset(seed=seed, options=options)
        ids = len(self._bare.episode.engine.blueprint.rank)
        if ids > self.max_nodes:
            raise UsageError(f"max_nodes={self.max_nodes}: this scene has {ids} ids")
        return self.arrays(graph), info

    def step(self, action: Any) -> tuple[Arrays, Any, bool, bool, dict[str, Any]]:
        """Step the environment."""
        graph, reward, terminated, truncated, info = self.env.step(action)
        return self.arrays(graph), reward, terminated, truncated, info

    def arrays(self, graph: Mapping[str, Any]) -> Arrays:
        """A graph of the running scenario as fresh arrays."""
        row = self._bare.episode.engine.blueprint.rank
        nodes = np.zeros((self.max_nodes, len(self.columns)), np.float32)
        edges = np.zeros((len(RELATIONS), self.max_nodes, self.max_nodes), np.int8)
        mask = np.zeros(self.max_nodes, np.int8)
        for node in graph["nodes"]:
            mask[row[node["id"]]] = 1
            for column, value in _filled(node):
                if column in self._column:
                    nodes[row[node["id"]], self._column[column]] = value
        for node_id, flag in self._places(graph):
            nodes[row[node_id], self._column[f"is:{flag}"]] = 1
        for edge in graph["edges"]:
            relation, source, target = edge["relation"], edge["source"], edge["target"]
            if relation in RELATIONS and target in row:
                edges[RELATIONS.index(relation), row[source], row[target]] = 1
        return {"nodes": nodes, "edges": edges, "mask": mask}

    def _places(self, graph: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Which node has which of the flags that follow from where it is."""
        me = self._bare.episode.agents[0]
        holder = {
            edge["source"]: edge["target"]
            for edge in graph["edges"]
            if edge["relation"] != "leads_to"
        }
        agents = {node["id"] for node in graph["nodes"] if node["type"] == "agent"}
        my_room = holder.get(me)
        yield me, "me"
        for node in graph["nodes"]:
            around = _around(node["id"], holder)
            if me in around or my_room in around:
                yield node["id"], "here"
            if node["id"] not in agents and agents.intersection(around):
                yield node["id"], "held"
                if me in around:
                    yield node["id"], "mine"


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


def _around(node_id: str, holder: Mapping[str, str]) -> list[str]:
    """A node and what holds it, out to the room; stops where it would go in circles."""
    found = [node_id]
    while (outer := holder.get(found[-1])) is not None and outer not in found:
        found.append(outer)
    return found


def _all_states() -> tuple[str, ...]:
    return tuple(sorted({row.attribute for row in verb_table().values()}))
