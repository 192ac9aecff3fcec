"""Commands that were found to work, kept until the thing they are about changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim.admissible.family import LOAD_TESTS, Candidate, Family, applicable
from earsim.world import World

Commands = list[str]
Answer = tuple[str, ...]
Loads = tuple[float, ...]

Kept = tuple[int, Answer, tuple[Any, ...]]
"""A stamp, an answer, and the candidates that were asked."""

_NOTHING: Kept = (-1, (), ())
"""Kept where there are no candidates: that does not change."""


class Shelf:
    """The accepted commands of some verbs, kept per thing they are about.

    Whoever asks says with a stamp how old an answer may be; what changes the agent's own part in
    the answers calls for another shelf. Where no verb can be used at all nothing is proposed: what
    is proposed at such a time would not be what is worth proposing at others.
    """

    __slots__ = ("_agent_id", "_family", "_held", "_kept", "_usable")

    def __init__(
        self, world: World, agent_id: str, family: Family[Any, Any], held: str = ""
    ) -> None:
        self._agent_id = agent_id
        self._family = family
        self._held = held
        self._usable = family.usable(world, agent_id)
        self._kept: dict[str, Kept] = {}

    def about_each(self, world: World, nodes: Sequence[str], stamps: Mapping[str, int]) -> Commands:
        """Commands about some nodes."""
        found: Commands = []
        for node in nodes:
            stamp = stamps.get(node, 0)
            kept = self._kept.get(node)
            if kept is not None and (kept[0] == stamp or kept is _NOTHING):
                found += kept[1]
            else:
                found += self.about(world, node, stamp)
        return found

    def about(self, world: World, node: str, stamp: int) -> Answer:
        """Commands about a node, asked again if its stamp is new."""
        kept = self._kept.get(node)
        if kept is None or kept[0] != stamp:
            candidates = self._candidates(world, node) if kept is None else kept[2]
            answer = self._family.passing(world, self._agent_id, candidates)
            kept = self._kept[node] = (stamp, answer, candidates) if candidates else _NOTHING
        return kept[1]

    def _candidates(self, world: World, node: str) -> tuple[Any, ...]:
        if not self._usable:
            return ()
        about = self._family.about(world, self._agent_id, node, self._held)
        return self._family.restrict(about, self._usable)


Pile = tuple[int, Answer, tuple[Any, ...] | None]
"""A stamp, what is about a thing and all that is in it, and the candidates if nothing is in it."""


class Piles(Shelf):
    """The same for things with all that is in them."""

    __slots__ = ("_piles", "_wholes")

    def __init__(self, world: World, agent_id: str, family: Family[Any, Any]) -> None:
        super().__init__(world, agent_id, family)
        self._piles: dict[str, Pile] = {}
        self._wholes: dict[str, tuple[int, Answer]] = {}

    def inside(self, world: World, holder: str) -> Answer:
        """What is about known things inside a room, or in the hands of an agent."""
        stamp = world.revision.get(holder, 0)
        whole = self._wholes.get(holder)
        if whole is None or whole[0] != stamp:
            found: Commands = []
            self.add_inside(world, holder, found)
            whole = self._wholes[holder] = stamp, tuple(found)
        return whole[1]

    def add_inside(self, world: World, holder: str, found: Commands) -> None:
        """Add what is about known things inside; an unknown thing does not hide what is in it."""
        revision, piles = world.revision, self._piles
        for child in world.contents.get(holder, ()):
            stamp = revision.get(child, 0)
            pile = piles.get(child)
            if pile is None or pile[0] != stamp:
                pile = piles[child] = self._pile(world, child, stamp, pile)
            found += pile[1]

    def _pile(self, world: World, node: str, stamp: int, last: Pile | None) -> Pile:
        """What is about a node and everything inside it."""
        is_known = node in world.known[self._agent_id]
        if world.contents.get(node):
            found: Commands = []
            if is_known:
                found += self.about(world, node, world.standing.get(node, 0))
            self.add_inside(world, node, found)
            return stamp, tuple(found), None
        if not is_known:
            return stamp, (), None
        candidates = None if last is None else last[2]
        if candidates is None:
            candidates = self._candidates(world, node)
        return stamp, self._family.passing(world, self._agent_id, candidates), candidates


class Liftable:
    """Commands to take things near; those that a load may forbid are kept apart from the answer."""

    __slots__ = ("_agent_id", "_family", "_kept", "_usable")

    def __init__(self, agent_id: str, family: Family[Any, Any]) -> None:
        self._agent_id = agent_id
        self._family = family
        self._kept: dict[str, tuple[int, Sequence[Candidate], Loads, Answer]] = {}
        self._usable: dict[int, Any] = {}

    def about_each(self, world: World, nodes: Sequence[str]) -> Commands:
        """Commands about some nodes."""
        found: Commands = []
        agent = world.agents[self._agent_id]
        usable = self._usable_with(world, len(agent.inventory))
        if not usable:
            return found
        loads = (len(agent.inventory), *[other.load for other in world.agents.values()])
        for node in nodes:
            stamp = world.revision.get(node, 0)
            kept = self._kept.get(node)
            if kept is None or kept[0] != stamp or kept[2] != loads:
                if kept is not None and kept[0] == stamp:
                    left = kept[1]
                else:
                    left = self._family.unloaded(world, self._agent_id, node, usable)
                candidates = [each for each in left if each.call.verb.name in usable]
                answer = applicable(world, self._agent_id, candidates, LOAD_TESTS)
                kept = self._kept[node] = (stamp, left, loads, answer)
            found += kept[3]
        return found

    def _usable_with(self, world: World, held: int) -> Any:
        """What can be used with so many things in the hands; joint verbs ask for the same ones."""
        usable = self._usable.get(held)
        if usable is None:
            usable = self._usable[held] = self._family.usable(world, self._agent_id)
        return usable
