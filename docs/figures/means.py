"""What the agents of a scenario can do at all under `physical`: get to, open, hold, change.

Whatever is not certain counts as possible: every door opens, loads are empty, and of what an object
weighs only its own mass counts.
"""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx

from earsim import World
from earsim.schema.verb_table import AttributeVerb, verb_table
from earsim.world import Blueprint, room_graph
from earsim.world.limits import TOLERANCE_KG


class Means:
    """Who gets where, opens what and holds what: a least fixed point over a world's first state.

    Attributes:
        blueprint: scene and agents.
        world: at the start.
        rooms: per agent, those it can walk to.
        openable: closed things that somebody can open.
        holdable: per agent, what it can take in hand by itself.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.blueprint: Blueprint = world.blueprint
        bodies = self.blueprint.bodies
        self.rooms = {agent: self._rooms_from(body.start_room) for agent, body in bodies.items()}
        self.openable: set[str] = set()
        self.holdable: dict[str, set[str]] = {agent: set() for agent in bodies}
        while self._learn():
            pass

    @property
    def agents(self) -> tuple[str, ...]:
        """Ids of all agents."""
        return tuple(self.blueprint.bodies)

    @property
    def handed(self) -> tuple[str, ...]:
        """Ids of the agents that have hands."""
        return tuple(body.id for body in self.blueprint.bodies.values() if body.hands > 0)

    def _rooms_from(self, start: str) -> set[str]:
        """Rooms that connections and doors lead to; every door counts as one that can be opened."""
        return nx.node_connected_component(room_graph(self.blueprint), start)

    def _learn(self) -> bool:
        """Add what can be opened or held given what can be so far; whether anything was added."""
        before = len(self.openable), sum(map(len, self.holdable.values()))
        for agent in self.agents:
            for node in self.blueprint.things:
                if self.can_get_at(agent, node) and self.lifts(agent, node):
                    self.holdable[agent].add(node)
        for node in self.blueprint.things:
            if self.world.states[node].get("is_open") is False and self._can_be_opened(node):
                self.openable.add(node)
        return before != (len(self.openable), sum(map(len, self.holdable.values())))

    def _can_be_opened(self, node: str) -> bool:
        locked = self.world.states[node].get("is_locked") is True
        return self._changes(node, "is_open", False) and (
            not locked or self._changes(node, "is_locked", True)
        )

    def _changes(self, node: str, state: str, value: object) -> bool:
        """Whether some agent can do the verb that takes the state away from a value."""
        return any(
            self.can_get_at(agent, node) and self.equipped(agent, node, row)
            for row in self.verbs(state, value)
            for agent in self.agents
        )

    def equipped(self, agent: str, node: str, row: AttributeVerb) -> bool:
        """It can have the key or tool in hand that the verb takes, or it takes none."""
        key = self.blueprint.things[node].key if node in self.blueprint.things else None
        if row.attribute == "is_locked" and key is not None:
            return any(key in held for held in self.holdable.values())
        return not row.requires_tool or any(
            row.name in self.blueprint.things[tool].provides for tool in self.holdable[agent]
        )

    def verbs(self, state: str, value: object) -> list[AttributeVerb]:
        """Verbs of the scene that apply where the state has the value."""
        if not isinstance(value, bool):
            return []
        rows = (verb_table()[name] for name in self.blueprint.abilities)
        return [row for row in rows if row.attribute == state and row.value == value]

    def can_get_at(self, agent: str, node: str) -> bool:
        """The agent can walk to where it is, and every closed thing around it can be opened."""
        if node in self.blueprint.doors:
            return any(room in self.rooms[agent] for room in self.blueprint.doors[node].between)
        if node in self.blueprint.rooms:
            return node in self.rooms[agent]
        return self.room_of(node) in self.rooms[agent] and not self.is_shut_in(node)

    def room_of(self, node: str) -> str | None:
        """The room something is in at the start."""
        return node if node in self.blueprint.rooms else self.world.room_of(node)

    def is_shut_in(self, node: str) -> bool:
        """Something around it is closed and stays so."""
        place = self.blueprint.location.get(node)
        while place is not None:
            if place.relation == "in" and self.stays_closed(place.holder):
                return True
            place = self.blueprint.location.get(place.holder)
        return False

    def stays_closed(self, node: str) -> bool:
        """It is closed, and nobody can open it."""
        states = self.world.states.get(node, {})
        return states.get("is_open") is False and node not in self.openable

    def lifts(self, agent: str, node: str) -> bool:
        """It can take it in hand by itself, if it gets there."""
        body = self.blueprint.bodies[agent]
        return (
            body.hands > 0
            and self.blueprint.things[node].mass_kg <= body.max_mass_kg + TOLERANCE_KG
            and self.fits(agent, node)
        )

    def fits(self, agent: str, node: str) -> bool:
        """It is no larger than the agent can handle."""
        size, most = self.blueprint.things[node].size_m, self.blueprint.bodies[agent].max_size_m
        if size is None or most is None:
            return True
        return all(edge <= limit for edge, limit in zip(sorted(size), sorted(most), strict=True))

    def strength(self, agents: Iterable[str]) -> float:
        """What they can lift together, in kg, the tolerance of sums included."""
        return sum(self.blueprint.bodies[agent].max_mass_kg for agent in agents) + TOLERANCE_KG
