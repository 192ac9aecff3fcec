"""A network that scores the commands of `CommandGraph`s, and says what a situation is worth.

A few rounds of messages between things, what holds them and the rooms around give every node a
vector; a command is scored by its verb, by the vectors of what it speaks of, and by the situation.
There is no table of actions, so there may be any number of commands.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from earsim.errors import MissingExtra
from earsim_training.graphs.encoder import (
    COMMAND_COLUMNS,
    NODE_COLUMNS,
    OTHER_VERB,
    RELATIONS,
    CommandGraph,
)
from earsim_training.graphs.env_slots import Choose
from earsim_training.graphs.mentions import AROUND, SPANS, WORD_COUNT

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise MissingExtra("torch", "train") from error


class GraphBatch(NamedTuple):
    """Observations laid end to end; `owner` says which one a node, word or command belongs to."""

    nodes: Tensor
    contexts: Tensor
    holders: Tensor
    links: Tensor
    node_owner: Tensor
    me: Tensor
    words: Tensor
    word_starts: Tensor
    commands: Tensor
    traits: Tensor
    command_owner: Tensor
    command_place: Tensor
    mask: Tensor
    left: Tensor


def collate(graphs: Sequence[CommandGraph]) -> GraphBatch:
    """Lay observations end to end; rows of nodes are counted anew."""
    nodes = [len(graph.nodes) for graph in graphs]
    commands = [len(graph.commands) for graph in graphs]
    shifts = list(zip(graphs, _starts(nodes), strict=True))
    stacked = np.concatenate([graph.nodes for graph in graphs])
    places = np.concatenate([np.arange(count) for count in commands])
    owner = np.repeat(np.arange(len(graphs)), commands)
    mask = np.zeros((len(graphs), max(commands)), bool)
    mask[owner, places] = np.concatenate([graph.mask for graph in graphs])
    return GraphBatch(
        nodes=_tensor(stacked),
        contexts=_joined([graph.contexts for graph in graphs]),
        holders=_joined([g.holders + start for g, start in shifts]),
        links=_joined([g.links + start for g, start in shifts], axis=1),
        node_owner=_tensor(np.repeat(np.arange(len(graphs)), nodes)),
        me=_tensor(np.flatnonzero(stacked[:, NODE_COLUMNS.index("me")])),
        words=_joined([graph.words for graph in graphs]),
        word_starts=_tensor(np.array(_starts([len(graph.words) for graph in graphs]))),
        commands=_joined([_shifted(g.commands, start) for g, start in shifts]),
        traits=_joined([graph.traits for graph in graphs]),
        command_owner=_tensor(owner),
        command_place=_tensor(places),
        mask=_tensor(mask),
        left=_tensor(np.array([[graph.left] for graph in graphs], np.float32)),
    )


def _starts(sizes: Sequence[int]) -> list[int]:
    """Offsets of segments in their concatenation."""
    return [0, *accumulate(sizes)][:-1]


def _joined(arrays: Sequence[Any], axis: int = 0) -> Tensor:
    return _tensor(np.concatenate(arrays, axis=axis))


def _tensor(array: Any) -> Tensor:
    return torch.from_numpy(array)


def _shifted(commands: Any, start: int) -> Any:
    """Commands whose nodes are counted from 1 in the whole batch."""
    moved = commands.copy()
    for column in (1, 3):
        moved[:, column] += np.where(commands[:, column] > 0, start, 0)
    return moved


class GraphPolicy(nn.Module):  # type: ignore[misc, unused-ignore]  # torch need not be there
    """Scores commands, and says what a situation is worth."""

    slots: Tensor

    def __init__(self, width: int, rounds: int) -> None:
        super().__init__()
        slots = 2 * AROUND * SPANS
        self.context = nn.EmbeddingBag(slots * WORD_COUNT, width, mode="sum")
        self.words = nn.EmbeddingBag(WORD_COUNT, width, mode="mean")
        self.node = nn.Linear(len(NODE_COLUMNS), width)
        self.rounds = nn.ModuleList(nn.Linear(4 * width, width) for _ in range(rounds))
        self.state = nn.Linear(3 * width + 1, width)
        self.verb = nn.Embedding(OTHER_VERB + 1, width)
        self.relation = nn.Embedding(len(RELATIONS), width)
        self.target = nn.Linear(width, width, bias=False)
        self.destination = nn.Linear(width, width, bias=False)
        self.traits = nn.Linear(len(COMMAND_COLUMNS), width)
        self.situation = nn.Linear(width, width)
        self.score = nn.Sequential(
            nn.ReLU(), nn.Linear(width, width), nn.ReLU(), _head(width, 0.01)
        )
        self.worth = nn.Sequential(nn.Linear(width, width), nn.ReLU(), _head(width, 1.0))
        self.register_buffer("slots", torch.arange(slots) * WORD_COUNT)

    def forward(self, batch: GraphBatch) -> tuple[Tensor, Tensor]:
        """Scores and values of B situations.

        Returns:
            Logits of shape (B, most commands), minus infinity where masked; values of shape (B,).
        """
        nodes = self._nodes(batch)
        state = self._state(nodes, batch)
        scores = self.score(
            self._commands(nodes, batch) + self.situation(state)[batch.command_owner]
        )
        logits = torch.zeros(batch.mask.shape)
        logits = logits.index_put((batch.command_owner, batch.command_place), scores.squeeze(-1))
        logits = logits.masked_fill(~batch.mask, -torch.inf)
        return logits, self.worth(state).squeeze(-1)

    def _nodes(self, batch: GraphBatch) -> Tensor:
        """A vector for every node, of what it is and of what it is among."""
        nodes = torch.relu(self.node(batch.nodes) + self.context(batch.contexts + self.slots))
        held = torch.arange(len(nodes)) != batch.holders
        holders = batch.holders[held]
        for layer in self.rounds:
            inside = torch.zeros_like(nodes).index_add(0, holders, nodes[held])
            beside = torch.zeros_like(nodes).index_add(0, batch.links[0], nodes[batch.links[1]])
            around = torch.cat([nodes, nodes[batch.holders], inside, beside], dim=1)
            nodes = nodes + torch.relu(layer(around))
        return nodes

    def _state(self, nodes: Tensor, batch: GraphBatch) -> Tensor:
        """A vector for every situation."""
        total = torch.zeros(len(batch.left), nodes.shape[1]).index_add(0, batch.node_owner, nodes)
        count = torch.bincount(batch.node_owner, minlength=len(batch.left))[:, None]
        words = self.words(batch.words, batch.word_starts)
        state = torch.cat([nodes[batch.me], total / count, words, batch.left], dim=1)
        return torch.relu(self.state(state))

    def _commands(self, nodes: Tensor, batch: GraphBatch) -> Tensor:
        """A vector for every command, of its verb and of what it speaks of."""
        verb, target, relation, destination = batch.commands.T
        nothing = torch.zeros(1, nodes.shape[1])
        vectors: Tensor = (
            self.verb(verb)
            + torch.cat([nothing, self.target(nodes)])[target]
            + self.relation(relation)
            + torch.cat([nothing, self.destination(nodes)])[destination]
            + self.traits(batch.traits)
        )
        return vectors


def _head(width: int, gain: float) -> nn.Linear:
    """A last layer; with a small gain the first policy draws nearly evenly."""
    layer = nn.Linear(width, 1)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def greedy(policy: GraphPolicy) -> Choose:
    """Always the command that a policy thinks best."""

    def choose(graphs: Sequence[CommandGraph]) -> list[int]:
        with torch.no_grad():
            best: list[int] = policy(collate(graphs))[0].argmax(-1).tolist()
        return best

    return choose
