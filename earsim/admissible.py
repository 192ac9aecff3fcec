"""The commands an agent could give now and have accepted, kept up to date from step to step.

The verbs propose candidates and their own checks decide. Results are kept per object, and a result
is taken again only when the object, or the agents, changed in a way that can matter. Only ids the
agent has discovered are ever proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from earsim.actions.verb import Call, Check, Reach, Verb
from earsim.world import World
from earsim.world.fingerprint import contents_of, standing_of
from earsim.world.scope import held_scope, near_scope, room_scope

Key = tuple[object, ...]
Commands = list[str]
Candidate = tuple[tuple[Check, ...], Call, str]

_MERGED_KEPT = 64
_CONTEXTS_KEPT = 256
_STATES_KEPT = 16


class Admissible:
    """Lists the admissible commands of one agent over the history of one world.

    After going back in time, call `forget`.
    """

    def __init__(self, verbs: Mapping[str, Verb], agent_id: str) -> None:
        self.agent_id = agent_id
        self._verbs = tuple(verbs.values())
        by_reach = {r: [v for v in self._verbs if v.reach is r] for r in Reach}
        self._in_room = _AboutThings(agent_id, by_reach[Reach.ROOM])
        self._in_reach = _AboutThings(agent_id, by_reach[Reach.NEAR])
        self.forget()

    def forget(self) -> None:
        """Drop everything kept."""
        self._stamp = -1
        self._commands: tuple[str, ...] = ()
        self._context: Key = ()
        self._fixed: dict[Key, Commands] = {}
        self._rooms: dict[str, tuple[Key, Commands]] = {}
        self._held: tuple[Key, Commands] = ((), [])
        self._near: Commands = []
        self._merged: dict[Key, tuple[tuple[Commands, ...], tuple[str, ...]]] = {}
        self._in_room.forget()
        self._in_reach.forget()

    def list(self, world: World) -> tuple[str, ...]:
        """Every admissible command, sorted; the same as trying all of them one by one."""
        if world.stamp == self._stamp:
            return self._commands
        self._stamp = world.stamp
        context = _context(world, self.agent_id)
        if context == self._context:
            context = self._context  # the same object compares faster below
        self._context = context
        parts = (
            self._fixed_now(world, context),
            self._room_now(world, context),
            self._held_now(world, context),
            self._near_now(world, context),
        )
        self._commands = self._merge(parts)
        return self._commands

    def _merge(self, parts: tuple[Commands, ...]) -> tuple[str, ...]:
        key = tuple([id(part) for part in parts])
        cached = self._merged.get(key)
        if cached is not None:
            return cached[1]
        merged: Commands = []
        for part in parts:
            merged += part
        merged.sort()
        if len(self._merged) >= _MERGED_KEPT:
            self._merged.clear()
        commands = tuple(merged)
        self._merged[key] = (parts, commands)  # holding the parts keeps their ids from reuse
        return commands

    def _fixed_now(self, world: World, context: Key) -> Commands:
        """About no thing in particular: rooms, the verb alone."""
        key: Key = (context,)
        if world.blueprint.doors:
            key += tuple([world.standing.get(door) for door in world.blueprint.doors])
        if any([agent.carrying is not None for agent in world.agents.values()]):
            key += (world.stamp,)
        found = self._fixed.get(key)
        if found is None:
            candidates = [
                (tuple([check for check, _ in verb.checks]), call, verb.grammar.text(call))
                for verb in self._verbs
                for call in verb.fixed(world, self.agent_id, verb)
            ]
            if len(self._fixed) >= _CONTEXTS_KEPT:
                self._fixed.clear()
            found = self._fixed[key] = sorted(_accepted(world, self.agent_id, candidates))
        return found

    def _room_now(self, world: World, context: Key) -> Commands:
        """About things in the room, by verbs that need no nearness."""
        room = world.agents[self.agent_id].room
        key: Key = (context, world.revision.get(room))
        cached = self._rooms.get(room)
        if cached is not None and cached[0] == key:
            return cached[1]
        found = self._in_room.commands(world, context, room_scope(world, self.agent_id))
        found.sort()
        self._rooms[room] = (key, found)
        return found

    def _held_now(self, world: World, context: Key) -> Commands:
        """About things in hands, by verbs that need no nearness."""
        key: Key = (context, *[world.revision.get(agent_id) for agent_id in world.agents])
        if self._held[0] != key:
            nodes = held_scope(world, self.agent_id)
            self._held = (key, self._in_room.commands(world, context, nodes))
        return self._held[1]

    def _near_now(self, world: World, context: Key) -> Commands:
        """About things in reach, by verbs that need it."""
        found = self._in_reach.commands(world, context, near_scope(world, self.agent_id))
        found.sort()
        if found != self._near:
            self._near = found
        return self._near


class _Kept:
    """The accepted commands about one thing, now and in some of its past states."""

    __slots__ = ("by_fingerprint", "commands", "stamp")

    def __init__(self) -> None:
        self.stamp = -1
        self.commands: Commands = []
        self.by_fingerprint: dict[Key, Commands] = {}


class _AboutThings:
    """The accepted commands of some verbs, one thing at a time."""

    def __init__(self, agent_id: str, verbs: list[Verb]) -> None:
        self.agent_id = agent_id
        self._free = [verb for verb in verbs if not verb.uses_hands]
        self._handling = [verb for verb in verbs if verb.uses_hands]
        self._tried: dict[str, tuple[Candidate, ...]] = {}
        self._tried_by_hand: dict[tuple[str, Key], tuple[Candidate, ...]] = {}
        self.forget()

    def forget(self) -> None:
        self._kept: dict[Key, dict[str, _Kept]] = {}
        self._kept_by_hand: dict[Key, dict[str, _Kept]] = {}

    def commands(self, world: World, context: Key, nodes: list[str]) -> Commands:
        """Commands about the nodes."""
        found: Commands = []
        if self._free:
            kept, stamps = _under(self._kept, context), world.standing
            for node in nodes:
                cached = kept.get(node)
                if cached is None:
                    cached = kept[node] = _Kept()
                if cached.stamp != stamps.get(node, 0):
                    cached.stamp = stamps.get(node, 0)
                    self._renew(world, node, cached, (standing_of(world, node),), None)
                found += cached.commands
        if self._handling:
            self._add_handling(world, context, nodes, found)
        return found

    def _add_handling(
        self, world: World, context: Key, nodes: list[str], found: Commands
    ) -> None:
        """Verbs that use the hands also depend on what is in them, and on what is in the thing."""
        agent = world.agents[self.agent_id]
        held = (agent.inventory, agent.carrying)
        kept = _under(self._kept_by_hand, (context, held, round(agent.load, 6)))
        stamps = world.revision
        for node in nodes:
            cached = kept.get(node)
            if cached is None:
                cached = kept[node] = _Kept()
            if cached.stamp != stamps.get(node, 0):
                cached.stamp = stamps.get(node, 0)
                inside = contents_of(world, node) if node in world.location else ()
                self._renew(world, node, cached, (standing_of(world, node), inside), held)
            found += cached.commands

    def _renew(
        self, world: World, node: str, kept: _Kept, fingerprint: Key, held: Key | None
    ) -> None:
        """Bring the commands about a changed thing up to date; they may be those of a past state."""
        known = kept.by_fingerprint.get(fingerprint)
        if known is None:
            if held is None:
                candidates = self._free_candidates(world, node)
            else:
                candidates = self._hand_candidates(world, node, held)
            known = _accepted(world, self.agent_id, candidates)
            if len(kept.by_fingerprint) >= _STATES_KEPT:
                kept.by_fingerprint.clear()
            kept.by_fingerprint[fingerprint] = known
        kept.commands = known

    def _free_candidates(self, world: World, node: str) -> tuple[Candidate, ...]:
        """What may be tried on a thing never changes, only whether it works."""
        found = self._tried.get(node)
        if found is None:
            found = self._tried[node] = tuple(_candidates(world, self.agent_id, self._free, node))
        return found

    def _hand_candidates(self, world: World, node: str, held: Key) -> tuple[Candidate, ...]:
        found = self._tried_by_hand.get((node, held))
        if found is None:
            if len(self._tried_by_hand) >= 1024:
                self._tried_by_hand.clear()
            found = tuple(_candidates(world, self.agent_id, self._handling, node))
            self._tried_by_hand[node, held] = found
        return found


def _under(kept: dict[Key, dict[str, _Kept]], context: Key) -> dict[str, _Kept]:
    """What is kept for a context; few contexts are kept at a time."""
    found = kept.get(context)
    if found is None:
        if len(kept) >= _CONTEXTS_KEPT:
            kept.clear()
        found = kept[context] = {}
    return found


def _candidates(
    world: World, agent_id: str, verbs: Iterable[Verb], node: str
) -> Iterator[Candidate]:
    for verb in verbs:
        tests = tuple([check for check, _ in verb.checks])
        for call in verb.calls(world, agent_id, verb, (node,)):
            yield tests, call, verb.grammar.text(call)


def _accepted(world: World, agent_id: str, candidates: Iterable[Candidate]) -> Commands:
    found = []
    for tests, call, text in candidates:
        for test in tests:
            if test(world, agent_id, call) is not None:
                break
        else:
            found.append(text)
    return found


def _context(world: World, agent_id: str) -> Key:
    """What a command about an untouched thing depends on: where everybody is and what they can."""
    agent = world.agents[agent_id]
    if len(world.agents) == 1:
        return (agent.room, agent.abilities, agent.carrying)
    return (
        agent_id,
        *[
            (a.room, a.focus, a.abilities, a.inventory, a.carrying, a.idle)
            for a in world.agents.values()
        ],
    )
