"""The commands an agent could give now and have accepted, kept up to date from step to step.

The verbs propose candidates and their own checks decide. The answer about a thing is kept until
that thing, or something about the agents that matters for it, changes. Only ids that the agent has
discovered are ever proposed.
"""

from __future__ import annotations

from collections.abc import Mapping

from earsim.actions.candidates import Candidate, Candidates, Family, working
from earsim.actions.verb import Verb
from earsim.world import World
from earsim.world.scope import held_scope, near_scope, room_in_reach, room_scope

Key = tuple[object, ...]
Commands = list[str]

_SITUATIONS_KEPT = 32
_HANDS_KEPT = 64


class Offers:
    """The candidates of all verbs: those that one agent carries out alone, and the joint ones.

    Where there is one agent, even a joint verb depends on nobody else.
    """

    def __init__(self, verbs: Mapping[str, Verb], *, alone: bool) -> None:
        self.own = Candidates([verb for verb in verbs.values() if alone or not verb.joint])
        self.joint = None if alone else Candidates([v for v in verbs.values() if v.joint])


class Admissible:
    """Lists the admissible commands of one agent over the history of one world.

    After going back in time, call `forget`.
    """

    def __init__(self, offers: Offers, agent_id: str) -> None:
        self.agent_id = agent_id
        self._offers = offers
        self.forget()

    def forget(self) -> None:
        """Drop everything kept."""
        self._stamp = -1
        self._commands: tuple[str, ...] = ()
        self._own: dict[Key, _Situation] = {}
        self._joint: dict[Key, _Situation] = {}

    def list(self, world: World) -> tuple[str, ...]:
        """Every admissible command, sorted; the same as trying all of them one by one."""
        if world.stamp != self._stamp:
            self._stamp = world.stamp
            commands = self._all(world)
            commands.sort()
            self._commands = tuple(commands)
        return self._commands

    def _all(self, world: World) -> Commands:
        agent_id, offers = self.agent_id, self._offers
        agent = world.agents[agent_id]
        near = near_scope(world, agent_id)
        key: Key = (agent.room, agent.abilities, agent.carrying, agent.idle)
        situation = self._own.get(key)
        if situation is None:
            situation = _keep(self._own, key, _Situation(world, agent_id, offers.own))
        commands = situation.commands(world, near)
        if offers.joint is not None:
            key = _key_of_team(world)
            situation = self._joint.get(key)
            if situation is None:
                situation = _keep(self._joint, key, _Situation(world, agent_id, offers.joint))
            commands += situation.commands(world, near)
            commands += situation.commands_from_afar(world)
        return commands


def _key_of_team(world: World) -> Key:
    """What joint commands depend on: where everybody is, what they hold and what they can."""
    return tuple(
        [
            (a.room, None if a.near else a.focus, a.abilities, a.inventory, a.carrying, a.idle)
            for a in world.agents.values()
        ]
    )


def _keep(kept: dict[Key, _Situation], key: Key, situation: _Situation) -> _Situation:
    if len(kept) >= _SITUATIONS_KEPT:
        kept.clear()
    kept[key] = situation
    return situation


class _Situation:
    """The commands of an agent while nobody concerned walks, takes up other tools or lifts jointly.

    Kept, because such situations come back.
    """

    def __init__(self, world: World, agent_id: str, candidates: Candidates) -> None:
        self.agent_id = agent_id
        self._candidates = candidates
        self._bare: tuple[Key | None, Commands] = (None, [])
        self._room: tuple[int, Commands] = (-1, [])
        self._in_room = _Shelf(world, agent_id, candidates.in_room)
        self._near = _Shelf(world, agent_id, candidates.near)
        self._lifting: dict[object, _Shelf] = {}
        self._handling: dict[object, _Shelf] = {}
        self._placing: dict[object, _Shelf] = {}

    def commands(self, world: World, near: list[str]) -> Commands:
        """All admissible commands, in no particular order, in a list of the caller's own."""
        agent = world.agents[self.agent_id]
        candidates = self._candidates
        standing, revision = world.standing, world.revision
        found = self._about_nothing(world) + self._about_room(world, agent.room)
        held = held_scope(world, self.agent_id, agent.room)
        if held:
            found += self._in_room.commands(held, world, standing)
        if not near and not agent.inventory:
            return found
        found += self._near.commands(near, world, standing)
        loads = (len(agent.inventory), *[other.load for other in world.agents.values()])
        if candidates.lifting.verbs:
            shelf = self._shelf(world, self._lifting, loads, candidates.lifting)
            found += shelf.commands(near, world, revision)
        if candidates.handling.verbs:
            hands = (agent.inventory, loads)
            shelf = self._shelf(world, self._handling, hands, candidates.handling)
            found += shelf.commands(near, world, revision)
        if candidates.placing.verbs:
            for held_id in (*agent.inventory, agent.carrying):
                if held_id is not None:
                    shelf = self._shelf(world, self._placing, held_id, candidates.placing, held_id)
                    found += shelf.commands(near, world, revision)
                    found += shelf.commands(room_in_reach(world, self.agent_id), world, standing)
        return found

    def commands_from_afar(self, world: World) -> Commands:
        """About things where partners are and the agent is not: some orders need no presence."""
        found: Commands = []
        here = world.agents[self.agent_id].room
        for room in dict.fromkeys([agent.room for agent in world.agents.values()]):
            if room != here:
                nodes = room_scope(world, self.agent_id, room)
                nodes += held_scope(world, self.agent_id, room)
                found += self._in_room.commands(nodes, world, world.standing)
        return found

    def _about_nothing(self, world: World) -> Commands:
        """Rooms, doors, the verb alone."""
        doors = world.blueprint.doors
        key: Key = tuple([world.standing.get(door) for door in doors]) if doors else ()
        if any(agent.carrying is not None for agent in world.agents.values()):
            key = (world.stamp,)
        if key != self._bare[0]:
            candidates = self._candidates.bare.about_nothing(world, self.agent_id)
            self._bare = (key, working(world, self.agent_id, candidates))
        return self._bare[1]

    def _about_room(self, world: World, room: str) -> Commands:
        """About things in the room, by verbs that need no nearness."""
        stamp = world.revision.get(room, 0)
        if stamp != self._room[0]:
            nodes = room_scope(world, self.agent_id, room)
            self._room = (stamp, self._in_room.commands(nodes, world, world.standing))
        return self._room[1]

    def _shelf(
        self,
        world: World,
        shelves: dict[object, _Shelf],
        key: object,
        family: Family,
        held: str = "",
    ) -> _Shelf:
        """The shelf for what is in the hands now."""
        found = shelves.get(key)
        if found is None:
            if len(shelves) >= _HANDS_KEPT:
                shelves.clear()
            found = shelves[key] = _Shelf(world, self.agent_id, family, held)
        return found


class _Shelf:
    """The accepted commands of some verbs, kept per thing they are about."""

    __slots__ = ("_agent_id", "_family", "_held", "_kept", "_willing")

    def __init__(self, world: World, agent_id: str, family: Family, held: str = "") -> None:
        self._agent_id = agent_id
        self._family = family
        self._held = held
        self._willing = family.willing(world, agent_id)
        self._kept: dict[str, tuple[int, Commands, tuple[Candidate, ...]]] = {}

    def commands(self, nodes: list[str], world: World, stamps: dict[str, int]) -> Commands:
        """Commands about the nodes; asked again about those whose stamp is new."""
        found: Commands = []
        if not self._willing:
            return found
        kept = self._kept
        for node in nodes:
            stamp = stamps.get(node, 0)
            known = kept.get(node)
            if known is None or known[0] != stamp:
                candidates = self._about(world, node) if known is None else known[2]
                commands = working(world, self._agent_id, candidates)
                known = kept[node] = (stamp, commands, candidates)
            found += known[1]
        return found

    def _about(self, world: World, node: str) -> tuple[Candidate, ...]:
        about = self._family.about(world, self._agent_id, node, self._held)
        willing = self._willing
        if len(willing) == len(self._family.verbs):
            return about  # shared by all worlds
        return tuple([candidate for candidate in about if candidate.call.verb.name in willing])
