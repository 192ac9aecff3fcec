"""The commands an agent could give now and have accepted, kept up to date from step to step.

The verbs propose candidates and their own checks decide. Results are kept until something they
depend on changes: per object for verbs that are about one object, per place for the rest. Only ids
the agent has discovered are ever proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from earsim.actions.verb import Call, Reach, Verb, objection
from earsim.world import World
from earsim.world.scope import scope

Key = tuple[object, ...]
Commands = list[str]


class Admissible:
    """Lists the admissible commands of one agent over the history of one world.

    After going back in time, call `forget`.
    """

    def __init__(self, verbs: Mapping[str, Verb], agent_id: str) -> None:
        self.agent_id = agent_id
        self._verbs = tuple(verbs.values())
        self._groups = [
            _Group(agent_id, Reach.ROOM, [v for v in self._verbs if v.reach is Reach.ROOM]),
            _Group(agent_id, Reach.NEAR, [v for v in self._verbs if v.reach is Reach.NEAR]),
        ]
        self.forget()

    def forget(self) -> None:
        """Drop everything kept."""
        self._stamp = -1
        self._fixed: tuple[Key, Commands] = ((), [])
        self._parts: tuple[Commands, ...] = ()
        self._commands: tuple[str, ...] = ()
        for group in self._groups:
            group.forget()

    def list(self, world: World) -> tuple[str, ...]:
        """Every admissible command, sorted; the same as trying all of them one by one."""
        if world.stamp == self._stamp:
            return self._commands
        self._stamp = world.stamp
        context = _context(world, self.agent_id)
        parts = (self._fixed_now(world, context), *(g.list(world, context) for g in self._groups))
        if len(parts) != len(self._parts) or any(
            new is not old for new, old in zip(parts, self._parts, strict=True)
        ):
            self._parts = parts
            merged = [command for part in parts for command in part]
            merged.sort()
            self._commands = tuple(merged)
        return self._commands

    def _fixed_now(self, world: World, context: Key) -> Commands:
        doors = world.blueprint.doors
        loaded = any(agent.carrying is not None for agent in world.agents.values())
        key: Key = (
            context,
            world.stamp if loaded else None,
            *[world.revision.get(door) for door in doors],
        )
        if key != self._fixed[0]:
            found = []
            for verb in self._verbs:
                found += _accepted(world, self.agent_id, verb.fixed(world, self.agent_id, verb))
            found.sort()
            self._fixed = (key, found)
        return self._fixed[1]


class _Group:
    """Commands about the objects within one reach."""

    def __init__(self, agent_id: str, reach: Reach, verbs: list[Verb]) -> None:
        self.agent_id = agent_id
        self.reach = reach
        self._about_one = [verb for verb in verbs if not verb.uses_hands]
        self._with_hands = [verb for verb in verbs if verb.uses_hands]
        self.forget()

    def forget(self) -> None:
        self._objects: dict[str, tuple[int, Key, Commands]] = {}
        self._places: dict[str, tuple[Key, Commands]] = {}

    def list(self, world: World, context: Key) -> Commands:
        agent = world.agents[self.agent_id]
        revision = world.revision
        spot = agent.room if self.reach is Reach.ROOM else agent.focus
        key: Key = (
            context,
            agent.near if self.reach is Reach.NEAR else None,
            revision.get(agent.room),
            revision.get(spot),
            *[revision.get(agent_id) for agent_id in world.agents],
        )
        cached = self._places.get(spot)
        if cached is not None and cached[0] == key:
            return cached[1]
        commands = self._collect(world, context)
        self._places[spot] = (key, commands)
        return commands

    def _collect(self, world: World, context: Key) -> Commands:
        objects = scope(world, self.agent_id, self.reach is Reach.NEAR)
        commands: Commands = []
        for node in objects:
            commands += self._about(world, node, context)
        for verb in self._with_hands:
            calls = verb.calls(world, self.agent_id, verb, objects)
            commands += _accepted(world, self.agent_id, calls)
        commands.sort()
        return commands

    def _about(self, world: World, node: str, context: Key) -> Commands:
        stamp = world.revision.get(node, 0)
        cached = self._objects.get(node)
        if cached is not None and cached[0] == stamp and cached[1] == context:
            return cached[2]
        commands: Commands = []
        for verb in self._about_one:
            row = verb.attribute
            if row is None or row.attribute in world.states[node] or node not in world.location:
                calls = verb.calls(world, self.agent_id, verb, (node,))
                commands += _accepted(world, self.agent_id, calls)
        self._objects[node] = (stamp, context, commands)
        return commands


def _accepted(world: World, agent_id: str, calls: Iterable[Call]) -> Commands:
    return [
        call.verb.grammar.text(call) for call in calls if objection(world, agent_id, call) is None
    ]


def _context(world: World, agent_id: str) -> Key:
    """What a command about an untouched object depends on: the agents, except for their load."""
    agent = world.agents[agent_id]
    own = (agent.room, agent.abilities, agent.carrying)
    if len(world.agents) == 1:
        return own
    others = [(a.room, a.focus, a.abilities, a.carrying) for a in world.agents.values()]
    return (own, *others)
