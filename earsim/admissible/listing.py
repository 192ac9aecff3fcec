"""The commands an agent could give now and have accepted, kept up to date from step to step.

The verbs propose candidates and their own checks decide. The answer about a thing is kept until
that thing, or something about the agents that matters for it, changes. Only ids that the agent has
discovered are ever proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from earsim.actions.give import handovers
from earsim.actions.verb import Reach, Verb, foreseen_objection
from earsim.admissible.candidates import Candidates
from earsim.admissible.shelf import Answer, Commands, Liftable, Piles, Shelf
from earsim.world import AgentState, World
from earsim.world.numbers import number_of
from earsim.world.scope import floor_in_reach, hands_in_room, near_scope

Key = tuple[object, ...]

_SITUATIONS_KEPT = 32
_HANDS_KEPT = 64
_ROOMS_KEPT = 256


class Offers:
    """The candidates of all verbs: those that name no partners, and those that do.

    Where there is one agent, even a verb that names partners depends on nobody else.
    """

    def __init__(self, verbs: Mapping[str, Verb], *, alone: bool) -> None:
        self.own = Candidates([verb for verb in verbs.values() if alone or verb.teams is None])
        joint = [] if alone else [verb for verb in verbs.values() if verb.teams is not None]
        self.joint = Candidates(joint, in_teams=True) if joint else None
        self.handing = verbs if "GIVE" in verbs else None
        self.anew = [verb for verb in verbs.values() if verb.reach is Reach.ANEW]


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
        self._by_itself: Key | None = None
        self._commands: tuple[str, ...] = ()
        self._own: dict[Key, _Situation] = {}
        self._joint: dict[Key, _TeamSituation] = {}
        self._rooms: dict[Key, Piles] = {}
        self._handed: tuple[int, Commands] = (-1, [])
        self._fixed: dict[bool, Commands] = {}

    def list(self, world: World) -> tuple[str, ...]:
        """Every admissible command, sorted; the same as trying all of them one by one."""
        if world.timeline is not None:
            by_itself = _by_itself(world)
            is_kept = world.stamp == self._stamp and by_itself == self._by_itself
            self._by_itself = by_itself
        else:
            is_kept = world.stamp == self._stamp
        if not is_kept:
            self._stamp = world.stamp
            commands = self._all(world)
            commands.sort()
            self._commands = tuple(commands)
        return self._commands

    def _all(self, world: World) -> Commands:
        agent = world.agents[self.agent_id]
        near = near_scope(world, self.agent_id)
        held = len(agent.inventory) + (agent.carrying is not None)
        is_full = held >= world.blueprint.bodies[self.agent_id].hands
        key: Key = (agent.room, agent.abilities, agent.carrying, agent.idle, is_full)
        situation = self._own.get(key)
        if situation is None:
            _make_room(self._own, _SITUATIONS_KEPT)
            situation = self._own[key] = _Situation(world, self.agent_id, self._offers.own)
        commands = situation.commands(world, agent, near)
        if self._offers.joint is not None:
            team = self._team_situation(world, agent, self._offers.joint)
            commands += team.commands(world, agent, near)
            if self._offers.joint.work_from_afar:
                commands += team.commands_from_afar(world)
        if self._offers.handing is not None:
            if world.changed != self._handed[0]:
                found = list(handovers(world, self.agent_id, self._offers.handing))
                self._handed = world.changed, found
            commands += self._handed[1]
        if self._offers.anew:
            commands += self._asked_anew(world, agent, near)
        return commands

    def _asked_anew(self, world: World, agent: AgentState, near: Iterable[str]) -> Commands:
        """Commands of which no answer is kept while anything changes."""
        agent_id, verbs = self.agent_id, self._offers.anew
        fixed = self._fixed.get(agent.idle)
        if fixed is None:
            calls = [call for verb in verbs for call in verb.fixed(world, agent_id, verb)]
            fixed = [c.text() for c in calls if foreseen_objection(world, agent_id, c) is None]
            self._fixed[agent.idle] = fixed
        found = fixed.copy()
        for verb in verbs:
            for call in verb.calls(world, agent_id, verb, near):
                if foreseen_objection(world, agent_id, call) is None:
                    found.append(call.text())
        return found

    def _team_situation(
        self, world: World, agent: AgentState, candidates: Candidates
    ) -> _TeamSituation:
        key: Key = _key_of_partners(world, agent) if candidates.need_nearness else ()
        situation = self._joint.get(key)
        if situation is None:
            _make_room(self._joint, _SITUATIONS_KEPT)
            situation = _TeamSituation(world, self.agent_id, candidates, self._rooms)
            self._joint[key] = situation
        return situation


def _by_itself(world: World) -> Key:
    """What commands depend on that changes with time alone, and no stamp tells.

    That is whether a number stands at a mark, and the clock where runs may not take for ever.
    """
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None or not (live.marks or live.rigs):
        return ()
    at_marks = [
        number_of(world, node, mark.of) == mark.at
        for node, marks in live.marks.items()
        for mark in marks
    ]
    if timeline.lab is not None and "clock_s" in timeline.lab.limits:
        return (*at_marks, world.clock)
    return tuple(at_marks)


def _make_room(kept: dict[Key, Any], most: int) -> None:
    if len(kept) >= most:
        kept.clear()


def _key_of_partners(world: World, agent: AgentState) -> Key:
    """What joint commands about things near depend on: who is in the room, and how it stands.

    Who stands at a door is near it on either side.
    """
    room, doors = agent.room, world.blueprint.doors
    return tuple(
        [
            (a.focus, a.abilities, a.inventory, a.carrying, a.idle)
            if a.room == room or a.focus in doors
            else None
            for a in world.agents.values()
        ]
    )


def _key_of_room(world: World, room: str) -> Key:
    """What joint commands about things in a room depend on, the things themselves aside."""
    return tuple([(a.room == room, a.abilities, a.carrying, a.idle) for a in world.agents.values()])


def _key_of_hands(world: World) -> Key:
    """What joint commands about what agents hold depend on: by rule it may count as elsewhere."""
    return tuple([(a.room, a.abilities, a.carrying, a.idle) for a in world.agents.values()])


class _Situation:
    """The commands of an agent while nobody walks, takes up other tools, lifts jointly or fills up.

    Kept, because such situations come back.
    """

    __slots__ = (
        "_bare",
        "_candidates",
        "_changed",
        "_handling",
        "_held",
        "_here",
        "_in_hands",
        "_in_room",
        "_lifting",
        "_near",
        "_placing",
        "_stamps",
        "_ways",
        "agent_id",
    )

    def __init__(self, world: World, agent_id: str, candidates: Candidates) -> None:
        self.agent_id = agent_id
        self._candidates = candidates
        self._changed = -1
        self._stamps: Key | None = None
        self._here: Commands = []
        self._ways: Key | None = None
        self._bare: Answer = ()
        self._in_room: Piles | None = None
        self._in_hands: Piles | None = None
        self._near: Shelf | None = None
        self._held: Shelf | None = None
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
        candidates = self._candidates
        if not candidates.need_nearness:
            return self._here.copy()
        found = self._here + self._lifting.about_each(world, near)
        if candidates.near.verbs:
            if self._near is None:
                self._near = Shelf(world, self.agent_id, candidates.near)
            stamps = world.revision if candidates.look_inside else world.standing
            found += self._near.about_each(world, near, stamps)
        if candidates.handling.verbs:
            found += self._with(agent.inventory, world).about_each(world, near, world.revision)
        for held in (*agent.inventory, agent.carrying):
            if held is not None:
                if candidates.held.verbs and held in world.known[self.agent_id]:
                    found += self._about_held(world, held)
                found += self._about_putting(world, agent, near, held)
        return found

    def _look_around(self, world: World, agent: AgentState) -> None:
        """Bring up to date what needs no nearness: about nothing, and about things in the room."""
        ways = self._ways_of(world, agent)
        stamps = self._stamps_of(world, agent.room)
        if ways != self._ways:
            self._ways = ways
            self._bare = self._candidates.bare.bare_commands(world, self.agent_id)
        elif stamps == self._stamps:
            return
        self._stamps = stamps
        self._here = list(self._bare)
        self._add_room(world, agent.room, self._here)
        self._here.sort()

    def _ways_of(self, world: World, agent: AgentState) -> Key:
        return _ways(world, agent)

    def _add_room(self, world: World, room: str, found: Commands) -> None:
        """Add what is about things in the room that the agent is in, and in hands there."""
        if self._in_room is None:
            self._in_room = Piles(world, self.agent_id, self._candidates.in_room)
        found += self._in_room.inside(world, room)
        for holder in _full_hands(world, self.agent_id, room):
            if self._in_hands is None:
                self._in_hands = Piles(world, self.agent_id, self._candidates.in_hands)
            found += self._in_hands.inside(world, holder)

    def _stamps_of(self, world: World, room: str) -> Key:
        """What the commands about things in the room and in hands depend on."""
        revision = world.revision
        own = (revision.get(room), revision.get(self.agent_id))
        if len(world.agents) == 1:
            return own
        hands = [(other.room, revision.get(other_id)) for other_id, other in world.agents.items()]
        return (*own, *hands)

    def _with(self, inventory: tuple[str, ...], world: World) -> Shelf:
        """The shelf for exactly these things in the hands."""
        shelf = self._handling.get(inventory)
        if shelf is None:
            if len(self._handling) >= _HANDS_KEPT:
                self._handling.clear()
            shelf = Shelf(world, self.agent_id, self._candidates.handling)
            self._handling[inventory] = shelf
        return shelf

    def _about_held(self, world: World, held: str) -> Answer:
        """About what is held, wherever it may be put."""
        if self._held is None:
            self._held = Shelf(world, self.agent_id, self._candidates.held)
        return self._held.about(world, held, world.revision.get(held, 0))

    def _about_putting(
        self, world: World, agent: AgentState, near: list[str], held: str
    ) -> Commands:
        """About putting what is held in or on something near, or down in the room."""
        shelf = self._placing.get(held)
        if shelf is None:
            shelf = Shelf(world, self.agent_id, self._candidates.placing, held)
            self._placing[held] = shelf
        if (
            world.blueprint.load_limits or world.blueprint.wheeled
        ):  # what stands anywhere on the same thing counts
            found = shelf.about_each(world, near, dict.fromkeys(near, world.changed))
        else:
            found = shelf.about_each(world, near, world.revision)
        if floor_in_reach(world, agent):
            found += shelf.about(world, agent.room, world.standing.get(agent.room, 0))
        return found


class _TeamSituation(_Situation):
    """The joint commands of an agent while nobody in its room stands or holds anything otherwise.

    What is about things in a room, near or not, depends on less: the answers are kept by who is in
    that room, and so shared by situations.
    """

    __slots__ = ("_afar", "_afar_changed", "_key", "_rooms")

    def __init__(
        self, world: World, agent_id: str, candidates: Candidates, rooms: dict[Key, Piles]
    ) -> None:
        super().__init__(world, agent_id, candidates)
        self._rooms = rooms
        self._key: Key = ()
        self._afar: Commands = []
        self._afar_changed = -1

    def _look_around(self, world: World, agent: AgentState) -> None:
        self._key = (agent.room, *_key_of_room(world, agent.room))
        super()._look_around(world, agent)

    def commands_from_afar(self, world: World) -> Commands:
        """About things where partners are and the agent is not: some orders need no presence."""
        if world.changed != self._afar_changed:
            self._afar_changed = world.changed
            self._afar = self._look_afar(world)
        return self._afar

    def _look_afar(self, world: World) -> Commands:
        found: Commands = []
        here = world.agents[self.agent_id].room
        for room in dict.fromkeys([agent.room for agent in world.agents.values()]):
            if room != here:
                key = ("afar", here, room, *_key_of_room(world, room))
                found += self._kept_shelf(world, key, here=False).inside(world, room)
                self._add_hands_of_all(world, room, found)
        return found

    def _ways_of(self, world: World, agent: AgentState) -> Key:
        return (*self._key, *_ways(world, agent))

    def _stamps_of(self, world: World, room: str) -> Key:
        key = (*self._key, *super()._stamps_of(world, room))
        held = _full_hands(world, self.agent_id, room)
        return (*key, *_key_of_hands(world)) if held else key

    def _add_room(self, world: World, room: str, found: Commands) -> None:
        if self._candidates.in_room.verbs:
            found += self._kept_shelf(world, ("here", *self._key), here=True).inside(world, room)
            self._add_hands_of_all(world, room, found)

    def _add_hands_of_all(self, world: World, room: str, found: Commands) -> None:
        """Add what is about things in the hands that count as being in a room."""
        for holder in _full_hands(world, self.agent_id, room):
            shelf = self._kept_shelf(world, ("", *_key_of_hands(world)), here=False)
            found += shelf.inside(world, holder)

    def _kept_shelf(self, world: World, key: Key, *, here: bool) -> Piles:
        shelf = self._rooms.get(key)
        if shelf is None:
            _make_room(self._rooms, _ROOMS_KEPT)
            family = self._candidates.in_room if here else self._candidates.in_hands
            shelf = self._rooms[key] = Piles(world, self.agent_id, family)
        return shelf


def _full_hands(world: World, agent_id: str, room: str) -> list[str]:
    """Agents that hold something and whose hands count as being in a room."""
    contents = world.contents
    return [holder for holder in hands_in_room(world, agent_id, room) if contents.get(holder)]


def _ways(world: World, agent: AgentState) -> Key:
    """What the commands about nothing in the room depend on: doors, and what is carried jointly."""
    if agent.carrying is not None or (len(world.agents) > 1 and _somebody_carries(world)):
        return (world.stamp,)
    doors = world.blueprint.doors
    ways: Key = tuple([world.standing.get(door) for door in doors]) if doors else ()
    live, timeline = world.blueprint.live, world.timeline
    if live is not None and timeline is not None and live.fittings:
        ways = (*ways, timeline.links, agent.room, *map(world.revision.get, agent.inventory))
    elif world.blueprint.corded or world.blueprint.has_narrow_ways:
        ways = (*ways, agent.room, *map(world.revision.get, agent.inventory))
    return ways


def _somebody_carries(world: World) -> bool:
    return any(agent.carrying is not None for agent in world.agents.values())
