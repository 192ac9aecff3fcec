"""A rehearsal: how those who know the scene would do a task, one thing after another.

No search: they walk, look, open and fetch as it comes. So a recipe can tell a short task from a
long one before the planner is asked, and every task comes with a plan, if not with the shortest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from earsim.joint import joint
from earsim.schema import AgentSpec
from earsim.world.containment import inside, is_closed
from earsim_generators.tasks.scene_index import Flip, SceneIndex


class JointAct(NamedTuple):
    """What some do in one decision, by their numbers; several act jointly."""

    when: int
    actors: tuple[int, ...]
    verb: str
    words: str

    def text(self, agents: Sequence[AgentSpec]) -> str:
        """The command."""
        if len(self.actors) == 1:
            return f"{self.verb} {self.words}".rstrip()
        names = ",".join(agents[actor].id for actor in self.actors)
        return f"{joint(self.verb)} {names} {self.words}"


class Spot(NamedTuple):
    """Where a thing is: its room, and the piece that one goes up to."""

    room: str
    piece: str


class Actor:
    """One of those who rehearse.

    Attributes:
        room: where it is.
        by: what it stands at; the room itself in the open.
        held: what it holds, the oldest first.
        cargo: which of it is on its way to where it is needed.
        clock: decisions that it has taken.
    """

    def __init__(self, room: str) -> None:
        self.room = room
        self.by = room
        self.held: list[str] = []
        self.cargo = ""
        self.clock = 0


_HANDS = 2
_TOO_DEEP = 6
"""Keys within boxes that need keys ... are given up at this depth."""


class GreedyPlan:
    """A task acted out.

    Attributes:
        start: where the first of them begins.
        actors: those who do it.
        acts: what they did.
        looks: how often somebody looked around in a room.
    """

    def __init__(self, ground: SceneIndex, rooms: Sequence[str]) -> None:
        """Begin.

        Args:
            ground: the scene.
            rooms: where each of the actors is.
        """
        self.start = rooms[0]
        self.actors = [Actor(room) for room in rooms]
        self.acts: list[JointAct] = []
        self.looks = 0
        self._ground = ground
        self._ready: dict[str, int] = {}  # when a room was searched, a lid or door opened
        self._moved: dict[str, Spot] = {}  # where things are that were set down elsewhere

    @property
    def decisions(self) -> int:
        """How many decisions it takes."""
        return max(actor.clock for actor in self.actors)

    def plan(self, agents: Sequence[AgentSpec]) -> list[dict[str, str]]:
        """The decisions, for these agents."""
        decisions: list[dict[str, str]] = [{} for _ in range(self.decisions)]
        for act in self.acts:
            decisions[act.when][agents[act.actors[0]].id] = act.text(agents)
        return decisions

    def first_free(self) -> int:
        """Who has had least to do."""
        return min(range(len(self.actors)), key=lambda who: (self.actors[who].clock, who))

    # -- what can be asked for ---------------------------------------------------------------------

    def take(self, who: int, node: str, depth: int = 0) -> None:
        """Get hold of a thing."""
        actor = self.actors[who]
        if node in actor.held:
            return
        self.reach(who, node, depth)
        if len(actor.held) == _HANDS:
            self._release(who)
        self._grab(who, node)

    def put(self, who: int, node: str, relation: str, to: str) -> None:
        """Put a thing that is held somewhere."""
        actor = self.actors[who]
        actor.cargo = node
        if relation == "room":
            self._walk(who, to)
        else:
            self.reach(who, to)
            if relation == "in" and is_closed(self._ground.world, to):
                self._open(who, to)
        self._do(who, "PLACE", f"{node} {'in' if relation == 'room' else relation} {to}")
        actor.held.remove(node)
        if relation == "room" and actor.by == actor.room:
            actor.by = node
        self._set_down(node, Spot(actor.room, node if relation == "room" else actor.by))

    def flip(self, who: int, flip: Flip, *, beside: Sequence[int] = ()) -> None:
        """Change a state, with a tool where it takes one, jointly with those beside."""
        actor = self.actors[who]
        if flip.tools and set(flip.tools).isdisjoint(actor.held):
            self.take(who, min(flip.tools, key=self._cost))
        actor.cargo = next((held for held in actor.held if held in flip.tools), "")
        if flip.state == "is_open" and flip.node in self._ready and not beside:
            return
        everybody = (who, *beside)
        for one in everybody:
            self.reach(one, flip.node)
        self._together(everybody, flip.verb.name.upper(), flip.node)
        if flip.state == "is_open":
            self._ready[flip.node] = self.actors[who].clock

    def close(self, who: int, node: str) -> None:
        """Close what was opened."""
        self.reach(who, node)
        self._do(who, "CLOSE", node)

    def carry(self, node: str, relation: str, to: str) -> None:
        """Have everybody carry a thing somewhere."""
        ground, everybody = self._ground, tuple(range(len(self.actors)))
        room = to if relation == "room" else self._spot(to).room
        for door in ground.doors_between(self._spot(node).room, room):
            self._pass(everybody[0], door)
        for who in everybody:
            self.reach(who, node)
            while self.actors[who].held:
                self._release(who)
        self._together(everybody, "GRAB", node)
        if room != self._spot(node).room:
            self._together(everybody, "GOTO", room)
            for actor in self.actors:
                actor.room = actor.by = room
        if relation != "room":
            self._look(everybody[0])
            piece = self._spot(to).piece
            self._together(everybody, "GOTO", to)
            for actor in self.actors:
                actor.by = piece
        self._together(
            everybody, "PLACE", f"{node} {'in' if relation == 'room' else relation} {to}"
        )
        piece = node if relation == "room" else self._spot(to).piece
        for actor in self.actors:
            actor.by = piece
        self._set_down(node, Spot(room, piece))

    def reach(self, who: int, node: str, depth: int = 0) -> None:
        """Come to lay hands on a thing."""
        actor = self.actors[who]
        if node in actor.held or depth > _TOO_DEEP:
            return
        self._walk(who, self._spot(node).room, depth)
        self._look(who)
        for lid in self._lids(node):
            self._approach(who, lid)
            self._open(who, lid)
        self._approach(who, node)

    def unlock(self, who: int, door: str) -> None:
        """Open a door that is locked, from the side one is on."""
        self._pass(who, door)

    # -- how it is done ----------------------------------------------------------------------------

    def _spot(self, node: str) -> Spot:
        """Where a thing is now."""
        moved = self._moved.get(node)
        if moved is not None:
            return moved
        doors = self._ground.blueprint.doors
        room = doors[node].between[0] if node in doors else self._ground.room_of(node)
        return Spot(room, self._ground.piece(node))

    def _set_down(self, node: str, spot: Spot) -> None:
        self._moved[node] = spot
        for inner in inside(self._ground.world, node):
            self._moved[inner] = spot

    def _do(self, who: int, verb: str, words: str) -> None:
        self._together((who,), verb, words)

    def _together(self, who: Sequence[int], verb: str, words: str) -> None:
        when = max(self.actors[one].clock for one in who)
        self.acts.append(JointAct(when, tuple(who), verb, words))
        for one in who:
            self.actors[one].clock = when + 1

    def _wait_for(self, who: int, what: str) -> None:
        actor = self.actors[who]
        actor.clock = max(actor.clock, self._ready[what])

    def _grab(self, who: int, node: str) -> None:
        self._do(who, "GRAB", node)
        actor = self.actors[who]
        actor.held.append(node)
        if actor.by == node:
            actor.by = actor.room

    def _release(self, who: int) -> None:
        actor = self.actors[who]
        node = next((held for held in actor.held if held != actor.cargo), actor.held[0])
        actor.held.remove(node)
        self._do(who, "RELEASE", node)
        if actor.by == actor.room:
            actor.by = node
        self._set_down(node, Spot(actor.room, node))

    def _look(self, who: int) -> None:
        actor = self.actors[who]
        if actor.room in self._ready:
            self._wait_for(who, actor.room)
            return
        self.looks += 1
        self._do(who, "EXPLORE", "")
        self._ready[actor.room] = actor.clock

    def _lids(self, node: str) -> list[str]:
        """The closed things around a thing, outermost first."""
        world, found = self._ground.world, []
        place = world.location.get(node)
        while place is not None:
            if place.relation == "in" and is_closed(world, place.holder):
                found.append(place.holder)
            place = world.location.get(place.holder)
        return found[::-1]

    def _approach(self, who: int, node: str) -> None:
        actor, piece = self.actors[who], self._spot(node).piece
        if actor.by != piece:
            self._do(who, "GOTO", node)
            actor.by = piece

    def _open(self, who: int, node: str) -> None:
        if node in self._ready:
            self._wait_for(who, node)
            return
        if self._ground.world.states[node].get("is_locked") is True:
            self._do(who, "UNLOCK", node)
        self._do(who, "OPEN", node)
        self._ready[node] = self.actors[who].clock

    def _fetch_key(self, who: int, node: str, depth: int) -> None:
        key = self._ground.key_of(node)
        if key is not None and self._ground.world.states[node].get("is_locked") is True:
            self.take(who, key, depth + 1)

    def _walk(self, who: int, room: str, depth: int = 0) -> None:
        actor = self.actors[who]
        if room == actor.room or depth > _TOO_DEEP:
            return
        for door in self._ground.doors_between(actor.room, room):
            self._pass(who, door, depth)
        self._do(who, "GOTO", room)
        actor.room = actor.by = room

    def _pass(self, who: int, door: str, depth: int = 0) -> None:
        """Open a closed door, with its key where it is locked."""
        if door in self._ready:
            self._wait_for(who, door)
            return
        self._fetch_key(who, door, depth)
        actor = self.actors[who]
        sides = self._ground.blueprint.doors[door].between
        if actor.room not in sides:
            self._walk(who, min(sides, key=lambda side: self._doors_to(actor.room, side)), depth)
        self._approach(who, door)
        self._open(who, door)

    def _doors_to(self, here: str, there: str) -> int:
        """How many doors that are still closed lie between two rooms."""
        doors = self._ground.doors_between(here, there)
        return sum(door not in self._ready for door in doors)

    def _cost(self, node: str) -> tuple[bool, int, int]:
        """Tools that lie open first, of equals the first in the file."""
        known = self._spot(node).room not in self._ready
        return bool(self._lids(node)), known, self._ground.blueprint.rank[node]
