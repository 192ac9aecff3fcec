"""Encoder of graph, commands and instruction as arrays for a command-scoring policy.

No id and no name gets through, only how they compare with the instruction and with one another. So
what is learned in one scene can be used in the next.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from earsim_training.graphs.mentions import Instruction, Mention

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Node = Mapping[str, Any]

VERBS = ("GOTO", "EXPLORE", "LOOK", "GRAB", "RELEASE", "PLACE", "OPEN", "CLOSE", "LOCK", "UNLOCK")
OTHER_VERB = len(VERBS)
"""Every verb that changes some other state: what tells them apart is whether they are told."""
RELATIONS = ("", "in", "on")
TYPES = ("room", "door", "furniture", "item", "agent")
_WALKS_AND_LOOKS = ("GOTO", "LOOK")

_LASTING = (
    *TYPES,
    "container",
    "a tool",
    "mass",
    "capacity",
    "mentioned",
    "times mentioned",
    "place of the mention",
    "share of the name told",
)
"""Features of a node that are constant over an episode."""

NODE_COLUMNS = (
    *_LASTING,
    "me",
    "in my room or hands",
    "in my hands",
    "open, or shut",
    "locked, or not",
    "in reach",
    "too heavy for me",
    "times dealt with",
    "namesakes",
)
COMMAND_COLUMNS = (
    "times given here",
    "times given anywhere",
    "given last",
    "verb told",
    "verb told of the target",
)


class CommandGraph(NamedTuple):
    """One observation of N nodes, L links, A commands and W words.

    Attributes:
        nodes: shape (N, len(NODE_COLUMNS)).
        contexts: shape (N, `2 * AROUND * SPANS`); words around each mention of a node's name.
        holders: shape (N,); the row of what a node is in or on or held by, its own if nothing.
        links: shape (2, L); rows of doors and rooms that lead to one another.
        commands: shape (A, 4); verb, target, relation, destination. Nodes count from 1, 0 is none.
        traits: shape (A, len(COMMAND_COLUMNS)).
        mask: shape (A,); whether a command may be given.
        words: shape (W,); the instruction.
        left: share of the budget that is left.
    """

    nodes: Floats
    contexts: Ints
    holders: Ints
    links: Ints
    commands: Ints
    traits: Floats
    mask: npt.NDArray[np.bool_]
    words: Ints
    left: float


class GraphEncoder:
    """Reads the observations of one episode, and remembers what was done in it."""

    def __init__(self, instruction: str, budget: int, *, never: Sequence[str] = ()) -> None:
        """Begin an episode.

        Args:
            instruction: the task.
            budget: decisions it may take.
            never: verbs that are masked out.
        """
        self._instruction = Instruction(instruction)
        self._budget = budget
        self._never = frozenset(never)
        self._mentions: dict[str, Mention] = {}
        self._lasting: dict[str, tuple[float, ...]] = {}
        self._told: dict[tuple[str, str], tuple[float, float]] = {}
        self._given: Counter[tuple[str, str]] = Counter()
        self._dealt_with: Counter[str] = Counter()
        self._last = ("", "")
        self._room = ""
        self._moves = 0

    def note(self, command: str) -> None:
        """Remember a command that was given."""
        self._last = (command, self._room)
        self._given[self._last] += 1
        self._given[command, ""] += 1
        self._moves += 1
        for node in _arguments(command) or (self._room,):
            self._dealt_with[node] += 1

    def read(self, graph: Mapping[str, Any], commands: Sequence[str]) -> CommandGraph:
        """One observation as numbers.

        Args:
            graph: of one agent, as `observation="graph"` gives it.
            commands: what it may say now.
        """
        place = _GraphLocations(graph)
        self._room = place.room
        reach = {
            node
            for command in commands
            if not command.startswith(_WALKS_AND_LOOKS)
            for node in _arguments(command)
        }
        rows = [self._node(node, place, reach) for node in graph["nodes"]]
        return CommandGraph(
            nodes=np.array(rows, np.float32),
            contexts=np.array([self._mention(n["name"]).context for n in graph["nodes"]], np.int64),
            holders=np.array(
                [place.row[place.holder.get(n["id"], n["id"])] for n in graph["nodes"]], np.int64
            ),
            links=np.array(place.links, np.int64).reshape(-1, 2).T,
            commands=np.array([_numbered(command, place.row) for command in commands], np.int64),
            traits=np.array([self._traits(command, place) for command in commands], np.float32),
            mask=self._mask(commands),
            words=np.array(self._instruction.words or (0,), np.int64),
            left=1.0 - self._moves / self._budget,
        )

    def _mask(self, commands: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Which commands may be given; all of them where nothing would be left."""
        allowed = [command.split()[0] not in self._never for command in commands]
        return np.array(allowed if any(allowed) else [True] * len(commands), bool)

    def _node(self, node: Node, place: _GraphLocations, reach: set[str]) -> tuple[float, ...]:
        """The row of a node, as `NODE_COLUMNS` has it."""
        id, states = node["id"], node.get("states", {})
        lasting = self._lasting.get(id)
        if lasting is None:
            lasting = self._lasting[id] = self._lastingly(node)
        return (
            *lasting,
            id == place.me,
            place.is_here(id),
            place.is_mine(id),
            _sign(states.get("is_open")),
            _sign(states.get("is_locked")),
            id in reach,
            node.get("numbers", {}).get("mass_kg", 0.0) > place.free_kg,
            math.log1p(self._dealt_with[id]),
            math.log(place.names[node["name"]]),
        )

    def _lastingly(self, node: Node) -> tuple[float, ...]:
        """The first columns of a node, as `_LASTING` has them."""
        numbers, mention = node.get("numbers", {}), self._mention(node["name"])
        return (
            *(node["type"] == each for each in TYPES),
            node.get("container", False),
            bool(node.get("provides")),
            math.log1p(numbers.get("mass_kg", 0.0)),
            math.log1p(numbers.get("capacity_l", 0.0)),
            mention.times > 0,
            mention.times,
            mention.place,
            mention.share,
        )

    def _traits(self, command: str, place: _GraphLocations) -> tuple[float, ...]:
        """Features of a command, in the order of `COMMAND_COLUMNS`."""
        told, told_of_target = self._verb_told(command, place)
        return (
            math.log1p(self._given[command, self._room]),
            math.log1p(self._given[command, ""]),
            self._last == (command, self._room),
            told,
            told_of_target,
        )

    def _verb_told(self, command: str, place: _GraphLocations) -> tuple[float, float]:
        verb, *rest = command.split()
        name = place.name.get(rest[0], "") if rest else ""
        if (verb, name) not in self._told:
            words = verb.casefold().split("_")
            told, of = self._instruction.tells(words), self._instruction.tells_of(words, name)
            self._told[verb, name] = (float(told), float(of))
        return self._told[verb, name]

    def _mention(self, name: str) -> Mention:
        if name not in self._mentions:
            self._mentions[name] = self._instruction.mention(name)
        return self._mentions[name]


class _GraphLocations:
    """Locations of all nodes in one graph, and of the agent."""

    def __init__(self, graph: Mapping[str, Any]) -> None:
        nodes, edges = graph["nodes"], graph["edges"]
        self.row = {node["id"]: row for row, node in enumerate(nodes)}
        self.name = {node["id"]: node["name"] for node in nodes}
        self.names = Counter(self.name.values())
        self.links: list[tuple[int, int]] = []
        self.holder: dict[str, str] = {}
        for edge in edges:
            source, target = edge["source"], edge["target"]
            if target not in self.row:
                continue
            if edge["relation"] == "leads_to":
                pair = (self.row[source], self.row[target])
                self.links += [pair, pair[::-1]] if nodes[pair[0]]["type"] == "door" else [pair]
            else:
                self.holder[source] = target
        me = next(node for node in nodes if node["type"] == "agent")
        self.me: str = me["id"]
        self.room = self.holder.get(self.me, "")
        self.free_kg: float = me["numbers"]["max_mass_kg"] - me["numbers"]["load_kg"]

    def is_mine(self, node: str) -> bool:
        """True if the agent holds it, or its container."""
        return node != self.me and self.me in self._around(node)

    def is_here(self, node: str) -> bool:
        """True if it is in the agent's room, is that room, or is held."""
        return self.room in self._around(node)

    def _around(self, node: str) -> list[str]:
        around = [node]
        while (outer := self.holder.get(around[-1])) is not None and outer not in around:
            around.append(outer)
        return around


def _arguments(command: str) -> tuple[str, ...]:
    """The ids of a command: `PLACE cup_1 on table_1` has two."""
    return tuple(command.split()[1::2])


def _numbered(command: str, row: Mapping[str, int]) -> tuple[int, int, int, int]:
    """Verb, target, relation, destination."""
    verb, target, relation, destination, *_ = (*command.split(), "", "", "", "")
    return (
        VERBS.index(verb) if verb in VERBS else OTHER_VERB,
        row.get(target, -1) + 1,
        RELATIONS.index(relation) if relation in RELATIONS else 0,
        row.get(destination, -1) + 1,
    )


def _sign(state: Any) -> float:
    """1 for true, -1 for false, 0 where there is no such state."""
    return (1.0 if state else -1.0) if isinstance(state, bool) else 0.0
