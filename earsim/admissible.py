"""The commands an agent could give now and have accepted, kept up to date from step to step.

The verbs propose candidates and their own checks decide. The answer about a thing is kept until
that thing, or something about the agents that matters for it, changes. Only ids that the agent has
discovered are ever proposed.
"""

from __future__ import annotations

from collections.abc import Mapping

from earsim.actions.candidates import Candidates, applicable
from earsim.actions.shelf import Commands, Liftable, Shelf
from earsim.actions.verb import Verb
from earsim.world import AgentState, World
from earsim.world.scope import floor_in_reach, hands_in_room, near_scope

Key = tuple[object, ...]

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
        agent = world.agents[self.agent_id]
        near = near_scope(world, self.agent_id)
        key: Key = (agent.room, agent.abilities, agent.carrying, agent.idle)
        situation = self._own.get(key)
        if situation is None:
            situation = self._begin(self._own, key, world, self._offers.own)
        commands = situation.commands(world, agent, near)
        if self._offers.joint is not None:
            key = _key_of_team(world)
            situation = self._joint.get(key)
            if situation is None:
                situation = self._begin(self._joint, key, world, self._offers.joint)
            commands += situation.commands(world, agent, near)
            commands += situation.commands_from_afar(world)
        return commands

    def _begin(
        self, kept: dict[Key, _Situation], key: Key, world: World, candidates: Candidates
    ) -> _Situation:
        """A situation that was not met yet, or not for long."""
        if len(kept) >= _SITUATIONS_KEPT:
            kept.clear()
        kept[key] = _Situation(world, self.agent_id, candidates)
        return kept[key]


def _key_of_team(world: World) -> Key:
    """What joint commands depend on: where everybody is, what they hold and what they can."""
    return tuple(
        [
            (a.room, None if a.near else a.focus, a.abilities, a.inventory, a.carrying, a.idle)
            for a in world.agents.values()
        ]
    )


class _Situation:
    """The commands of an agent while nobody concerned walks, takes up other tools or lifts jointly.

    Kept, because such situations come back.
    """

    def __init__(self, world: World, agent_id: str, candidates: Candidates) -> None:
        self.agent_id = agent_id
        self._candidates = candidates
        self._changed = -1
        self._stamps: Key | None = None
        self._here: Commands = []
        self._ways: Key | None = None
        self._bare: Commands = []
        self._in_room = Shelf(world, agent_id, candidates.in_room)
        self._in_hands = Shelf(world, agent_id, candidates.in_hands)
        self._near = Shelf(world, agent_id, candidates.near)
        self._lifting = Liftable(agent_id, candidates.lifting)
        self._handling: dict[Key, Shelf] = {}
        self._placing: dict[str, Shelf] = {}

    def commands(self, world: World, agent: AgentState, near: list[str]) -> Commands:
        """All admissible commands, most of them in order, in a list of the caller's own."""
        if world.changed != self._changed:
            self._changed = world.changed
            self._look_around(world, agent)
        if not near and not agent.inventory:
            return self._here.copy()
        found = self._here + self._lifting.about_each(world, near)
        if self._candidates.near.verbs:
            found += self._near.about_each(world, near, world.standing)
        if self._candidates.handling.verbs:
            found += self._with(agent.inventory, world).about_each(world, near, world.revision)
        for held in (*agent.inventory, agent.carrying):
            if held is not None:
                found += self._about_putting(world, agent, near, held)
        return found

    def commands_from_afar(self, world: World) -> Commands:
        """About things where partners are and the agent is not: some orders need no presence."""
        found: Commands = []
        here = world.agents[self.agent_id].room
        for room in dict.fromkeys([agent.room for agent in world.agents.values()]):
            if room != here:
                self._in_hands.add_inside(world, room, found)
                self._add_in_hands(world, room, found)
        return found

    def _look_around(self, world: World, agent: AgentState) -> None:
        """Bring up to date what needs no nearness: about nothing, and about things in the room."""
        ways = _ways(world, agent)
        stamps = self._stamps_of(world, agent.room)
        if ways != self._ways:
            self._ways = ways
            candidates = self._candidates.bare.about_nothing(world, self.agent_id)
            self._bare = applicable(world, self.agent_id, candidates)
        elif stamps == self._stamps:
            return
        self._stamps = stamps
        self._here = self._bare.copy()
        self._in_room.add_inside(world, agent.room, self._here)
        self._add_in_hands(world, agent.room, self._here)
        self._here.sort()

    def _stamps_of(self, world: World, room: str) -> Key:
        """What the commands about things in the room and in hands depend on."""
        revision = world.revision
        own = (revision.get(room), revision.get(self.agent_id))
        if len(world.agents) == 1:
            return own
        hands = [(other.room, revision.get(other_id)) for other_id, other in world.agents.items()]
        return (*own, *hands)

    def _add_in_hands(self, world: World, room: str, found: Commands) -> None:
        """Add what is about things in the hands that count as being in a room."""
        for holder in hands_in_room(world, self.agent_id, room):
            self._in_hands.add_inside(world, holder, found)

    def _with(self, inventory: tuple[str, ...], world: World) -> Shelf:
        """The shelf for exactly these things in the hands."""
        shelf = self._handling.get(inventory)
        if shelf is None:
            if len(self._handling) >= _HANDS_KEPT:
                self._handling.clear()
            shelf = Shelf(world, self.agent_id, self._candidates.handling)
            self._handling[inventory] = shelf
        return shelf

    def _about_putting(
        self, world: World, agent: AgentState, near: list[str], held: str
    ) -> Commands:
        """About putting what is held in or on something near, or down in the room."""
        shelf = self._placing.get(held)
        if shelf is None:
            shelf = Shelf(world, self.agent_id, self._candidates.placing, held)
            self._placing[held] = shelf
        found = shelf.about_each(world, near, world.revision)
        if floor_in_reach(world, agent):
            found += shelf.about(world, agent.room, world.standing.get(agent.room, 0))
        return found


def _ways(world: World, agent: AgentState) -> Key:
    """What the commands about nothing in the room depend on: doors, and what is carried jointly."""
    if agent.carrying is not None or (len(world.agents) > 1 and _somebody_carries(world)):
        return (world.stamp,)
    doors = world.blueprint.doors
    return tuple([world.standing.get(door) for door in doors]) if doors else ()


def _somebody_carries(world: World) -> bool:
    return any(agent.carrying is not None for agent in world.agents.values())
