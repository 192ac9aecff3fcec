"""A greedy plan: agents that know the scene do one subgoal after another, without search.

It estimates length and exploration of a task before the planner is asked, and becomes the
walkthrough of the task, which need not be the shortest plan. It is no second set of rules: agents,
and with them limits of mass and size, are chosen after it; the planner replays it before anything
is written. Every agent has a clock of its own, so that subgoals of different agents overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from earsim.joint import joint
from earsim.schema import AgentSpec
from earsim.world.containment import inside, is_closed
from earsim_generators.tasks.scene_index import Flip, SceneIndex

_HANDS = 2
_CARRYING = ("GRAB", "GOTO", "PLACE")
"""Verbs with a joint form of their own in `physical`."""

_TOO_DEEP = 6
"""Keys within boxes that need keys ... are given up at this depth."""


class GreedyAction(NamedTuple):
    """A command of one or, jointly, several actors in the decision `when`."""

    when: int
    actors: tuple[int, ...]
    verb: str
    words: str


class Spot(NamedTuple):
    """Room of a thing, and the piece to walk to."""

    room: str
    piece: str


@dataclass(slots=True)
class Actor:
    """State of an agent.

    Attributes:
        focus: what it stands at; the room itself in the open.
        held: what it holds, the oldest first.
        cargo: what it must not release.
        clock: number of decisions that it has taken or waited.
    """

    room: str
    focus: str
    held: list[str] = field(default_factory=list)
    cargo: str = ""
    clock: int = 0


class GreedyPlan:
    """A plan under construction.

    Attributes:
        start: Room of the first actor.
        actors: Their states after all actions.
        explorations: Number of explored rooms.
    """

    def __init__(self, index: SceneIndex, rooms: Sequence[str]) -> None:
        self.start = rooms[0]
        self.actors = [Actor(room, room) for room in rooms]
        self.explorations = 0
        self._index = index
        self._actions: list[GreedyAction] = []
        self._ready: dict[str, int] = {}  # when a room was explored, a lid or door opened
        self._moved: dict[str, Spot] = {}  # where things are that were set down elsewhere

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return max(actor.clock for actor in self.actors)

    def commands(self, agents: Sequence[AgentSpec], *, named: bool = False) -> list[dict[str, str]]:
        """The decisions, with these agents as actors.

        Args:
            agents: who they are.
            named: joint commands name all who take part, and one gives them (`ear-bench`).
        """
        decisions: list[dict[str, str]] = [{} for _ in range(self.decisions)]
        for when, actors, verb, words in self._actions:
            ids = [agents[actor].id for actor in actors]
            if len(ids) > 1 and (named or verb in _CARRYING):
                verb = joint(verb)
            if len(ids) > 1 and named:
                verb, ids = f"{verb} {','.join(ids)}", ids[:1]
            decisions[when] |= dict.fromkeys(ids, f"{verb} {words}".rstrip())
        return decisions

    def first_free(self) -> int:
        """The actor with the fewest decisions."""
        return min(range(len(self.actors)), key=lambda who: (self.actors[who].clock, who))

    # -- subgoals ----------------------------------------------------------------------------------

    def take(self, who: int, node: str, depth: int = 0) -> None:
        """Have an actor hold a thing."""
        actor = self.actors[who]
        if node in actor.held:
            return
        self.reach(who, node, depth)
        if len(actor.held) == _HANDS:
            self._release(who)
        self._act((who,), "GRAB", node)
        actor.held.append(node)
        if actor.focus == node:
            actor.focus = actor.room

    def put(self, who: int, node: str, relation: str, to: str) -> None:
        """Have an actor put what it holds somewhere."""
        actor = self.actors[who]
        actor.cargo = node
        if relation == "room":
            self._walk(who, to)
        else:
            self.reach(who, to)
            if relation == "in" and is_closed(self._index.world, to):
                self._open(who, to)
        self._act((who,), "PLACE", _placement(node, relation, to))
        actor.held.remove(node)
        if relation == "room" and actor.focus == actor.room:
            actor.focus = node
        self._set_down(node, Spot(actor.room, node if relation == "room" else actor.focus))

    def flip(self, who: int, flip: Flip, *, beside: Sequence[int] = ()) -> None:
        """Change a state, with a tool where it takes one, jointly with the actors `beside`."""
        actor = self.actors[who]
        if flip.tools and set(flip.tools).isdisjoint(actor.held):
            self.take(who, min(flip.tools, key=self._cost))
        actor.cargo = next((held for held in actor.held if held in flip.tools), "")
        if flip.state == "is_open" and flip.node in self._ready and not beside:
            return
        for one in (who, *beside):
            self.reach(one, flip.node)
            if one != who or not flip.tools:
                self._free_hand(one)
        self._act((who, *beside), flip.verb.name.upper(), flip.node)
        if flip.state == "is_open":
            self._ready[flip.node] = actor.clock

    def close(self, who: int, node: str) -> None:
        """Close what was opened."""
        self.reach(who, node)
        self._free_hand(who)
        self._act((who,), "CLOSE", node)

    def carry(self, node: str, relation: str, to: str) -> None:
        """Have all actors carry a thing somewhere."""
        everybody = tuple(range(len(self.actors)))
        room = to if relation == "room" else self._spot(to).room
        for door in self._index.doors_between(self._spot(node).room, room):
            self.open_door(0, door)
        for who in everybody:
            self.reach(who, node)
            while self.actors[who].held:
                self._release(who)
        self._act(everybody, "GRAB", node)
        if room != self._spot(node).room:
            self._act(everybody, "GOTO", room)
            for actor in self.actors:
                actor.room = room
        if relation != "room":
            self._explore(0)
            self._act(everybody, "GOTO", to)
        self._act(everybody, "PLACE", _placement(node, relation, to))
        piece = node if relation == "room" else self._spot(to).piece
        for actor in self.actors:
            actor.focus = piece
        self._set_down(node, Spot(room, piece))

    def reach(self, who: int, node: str, depth: int = 0) -> None:
        """Have an actor stand at a thing, with everything open around it."""
        if node in self.actors[who].held or depth > _TOO_DEEP:
            return
        self._walk(who, self._spot(node).room, depth)
        self._explore(who)
        for lid in self._lids(node):
            self._approach(who, lid)
            self._open(who, lid)
        self._approach(who, node)

    def open_door(self, who: int, door: str, depth: int = 0) -> None:
        """Open a closed door from the side of an actor, with its key where it is locked."""
        if self._is_ready(who, door):
            return
        index, actor = self._index, self.actors[who]
        key = index.key_of(door)
        if key is not None and index.world.states[door].get("is_locked") is True:
            self.take(who, key, depth + 1)
        sides = index.blueprint.doors[door].between
        if actor.room not in sides:
            self._walk(who, min(sides, key=lambda side: self._doors_to(actor.room, side)), depth)
        self._approach(who, door)
        self._open(who, door)

    # -- actions -----------------------------------------------------------------------------------

    def _act(self, who: tuple[int, ...], verb: str, words: str = "") -> None:
        when = max(self.actors[one].clock for one in who)
        self._actions.append(GreedyAction(when, who, verb, words))
        for one in who:
            self.actors[one].clock = when + 1

    def _is_ready(self, who: int, what: str) -> bool:
        """Whether something was opened or explored; an actor waits until then."""
        if what not in self._ready:
            return False
        self.actors[who].clock = max(self.actors[who].clock, self._ready[what])
        return True

    def _walk(self, who: int, room: str, depth: int = 0) -> None:
        actor = self.actors[who]
        if room == actor.room or depth > _TOO_DEEP:
            return
        for door in self._index.doors_between(actor.room, room):
            self.open_door(who, door, depth)
        self._act((who,), "GOTO", room)
        actor.room = actor.focus = room

    def _approach(self, who: int, node: str) -> None:
        piece = self._spot(node).piece
        if self.actors[who].focus != piece:
            self._act((who,), "GOTO", node)
            self.actors[who].focus = piece

    def _explore(self, who: int) -> None:
        actor = self.actors[who]
        if not self._is_ready(who, actor.room):
            self.explorations += 1
            self._act((who,), "EXPLORE")
            self._ready[actor.room] = actor.clock

    def _open(self, who: int, node: str) -> None:
        if self._is_ready(who, node):
            return
        if self._index.world.states[node].get("is_locked") is True:
            self._act((who,), "UNLOCK", node)
        self._free_hand(who)
        self._act((who,), "OPEN", node)
        self._ready[node] = self.actors[who].clock

    def _free_hand(self, who: int) -> None:
        """Have a hand free: what is opened, closed or switched takes one."""
        if len(self.actors[who].held) == _HANDS:
            self._release(who)

    def _release(self, who: int) -> None:
        actor = self.actors[who]
        node = next((held for held in actor.held if held != actor.cargo), actor.held[0])
        actor.held.remove(node)
        self._act((who,), "RELEASE", node)
        if actor.focus == actor.room:
            actor.focus = node
        self._set_down(node, Spot(actor.room, node))

    # -- state -------------------------------------------------------------------------------------

    def _spot(self, node: str) -> Spot:
        """The present spot of a thing or door."""
        if node in self._moved:
            return self._moved[node]
        doors = self._index.blueprint.doors
        room = doors[node].between[0] if node in doors else self._index.room_of(node)
        return Spot(room, self._index.piece(node))

    def _set_down(self, node: str, spot: Spot) -> None:
        self._moved |= dict.fromkeys((node, *inside(self._index.world, node)), spot)

    def _lids(self, node: str) -> list[str]:
        """The closed containers around a thing, outermost first; none once it was set down."""
        if node in self._moved:
            return []
        world, found = self._index.world, []
        place = world.location.get(node)
        while place is not None:
            if place.relation == "in" and is_closed(world, place.holder):
                found.append(place.holder)
            place = world.location.get(place.holder)
        return found[::-1]

    def _doors_to(self, here: str, there: str) -> int:
        """Number of doors between two rooms that are still closed."""
        return sum(door not in self._ready for door in self._index.doors_between(here, there))

    def _cost(self, node: str) -> tuple[bool, bool, int]:
        """Tools that lie open first, then those in explored rooms, then the first in the file."""
        is_new = self._spot(node).room not in self._ready
        return bool(self._lids(node)), is_new, self._index.blueprint.rank[node]


def _placement(node: str, relation: str, to: str) -> str:
    return f"{node} {'in' if relation == 'room' else relation} {to}"
