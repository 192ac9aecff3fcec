"""A relaxed plan: what would still be done if nothing ever got in the way of anything.

It guides the search and proves nothing. A need is met by the cheapest of its ways, magnitudes
aside: a body gets warmer near anything warm enough, a vessel fuller from anything that holds
liquid.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from earsim.actions.reach import out_of_reach
from earsim.planner.landmarks.landmark_set import EXPLORE, FLIP, FREE, GOTO, GRAB, NEAR
from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.world import World
from earsim.world.containment import is_closed, standing_piece
from earsim.world.links import fitting_between, is_linked, is_loose
from earsim.world.paths import is_passable

PUT = "put"
POUR = "pour"
FILL = "fill"
EMPTY = "empty"
CONNECT = "connect"
DISCONNECT = "disconnect"
WAIT = "wait"

Step = tuple[str, ...]
"""A kind of command and what it is about."""

Steps = frozenset[Step] | None
"""Steps that meet a need; None where nothing is known to."""

NOTHING: frozenset[Step] = frozenset()


def union(parts: Iterable[Steps]) -> Steps:
    """All of several needs."""
    found: frozenset[Step] = NOTHING
    for part in parts:
        if part is None:
            return None
        found = found | part
    return found


def cheapest(ways: Iterable[Steps]) -> Steps:
    """The way with the fewest steps; after one without any it does not ask for others."""
    best: Steps = None
    for way in ways:
        if way is not None and (best is None or len(way) < len(best)):
            best = way
            if not best:
                break
    return best


class Needs:
    """Needs of one state at a time, of things and places; `Regression` adds numbers and goals."""

    def __init__(self, problem: Problem, relaxation: PhysicalRelaxation) -> None:
        self.problem = problem
        self.relaxation = relaxation
        self.world: World = problem.start
        self._known: dict[Hashable, Steps] = {}
        self._in_vain: dict[Hashable, frozenset[Hashable]] = {}
        self._asking: set[Hashable] = set()
        self._cut: set[Hashable] = set()

    def look_at(self, world: World) -> None:
        """Ask about another state from now on."""
        self.world = world
        self._known = {}
        self._in_vain = {}
        self._asking, self._cut = set(), set()

    def ask(self, way: Callable[..., Steps], *args: Any) -> Steps:
        """A need by its name; a need of itself is no way to meet it."""
        key = (way.__name__, *args)
        if key in self._known:
            return self._known[key]
        if key in self._asking:
            self._cut.add(key)
            return None
        cut = self._in_vain.get(key)
        if cut is not None and cut <= self._asking:
            self._cut |= cut
            return None
        outer, self._cut = self._cut, set()
        self._asking.add(key)
        found = way(*args)
        self._asking.discard(key)
        if found is None:
            cut = frozenset(self._cut - {key})
            self._note_in_vain(key, cut)
            outer |= cut
        else:
            self._known[key] = found
        self._cut = outer
        return found

    def _note_in_vain(self, key: Hashable, cut: frozenset[Hashable]) -> None:
        """There is no way to meet a need but through needs that are being asked about.

        What failed for want of this need then fails for want of those.
        """
        self._in_vain[key] = cut
        for other, needs in self._in_vain.items():
            if key in needs:
                self._in_vain[other] = needs - {key} | cut

    # -- getting at things -------------------------------------------------------------------------

    def near(self, node: str) -> Steps:
        """An actor can lay hands on it."""
        return self.ask(self._near, node)

    def _near(self, node: str) -> Steps:
        world = self.world
        if node in world.blueprint.rooms:
            return self.in_room(node)
        if node in world.blueprint.doors:
            at = any(world.agents[actor].focus == node for actor in self.problem.actors)
            return NOTHING if at else frozenset({(NEAR, node)})
        room = world.room_of(node)
        if room is None:
            return None
        if self._at_hand(node):
            return NOTHING
        parts = [self.known(node), self._way(room), *self._lids(node)]
        if self._any_reach(node) is False:
            parts.append(frozenset({(NEAR, standing_piece(world, node))}))
        return union(parts)

    def _at_hand(self, node: str) -> bool:
        return any(
            node in self.world.known[actor] and out_of_reach(self.world, actor, node) is None
            for actor in self.problem.actors
        )

    def _any_reach(self, node: str) -> bool:
        piece = standing_piece(self.world, node)
        return any(self.world.agents[actor].focus == piece for actor in self.problem.actors)

    def _lids(self, node: str) -> Iterator[Steps]:
        """Whatever is closed around it."""
        place = self.world.location[node]
        while place.holder in self.world.location:
            if place.relation == "in" and is_closed(self.world, place.holder):
                yield self.state(place.holder, "is_open", True)
            place = self.world.location[place.holder]

    def in_room(self, room: str) -> Steps:
        """An actor is in a room."""
        if any(self.world.agents[actor].room == room for actor in self.problem.actors):
            return NOTHING
        return union([frozenset({(GOTO, room)}), self._way(room)])

    def _way(self, room: str) -> Steps:
        return self.ask(self._find_way, room)

    def _find_way(self, room: str) -> Steps:
        """The shut doors on the way that has the fewest of them."""
        world = self.world
        starts = {world.agents[actor].room: NOTHING for actor in self.problem.actors}
        best: dict[str, frozenset[str]] = {start: frozenset() for start in starts}
        queue = list(best)
        for here in queue:  # grows while it is read
            for way in world.blueprint.passages[here]:
                shut = way.door is not None and not is_passable(world, way.door)
                doors = best[here] | ({way.door} if shut and way.door else frozenset())
                if way.room not in best or len(doors) < len(best[way.room]):
                    best[way.room] = doors
                    queue.append(way.room)
        if room not in best:
            return None
        return union([self.state(door, "is_open", True) for door in sorted(best[room])])

    def known(self, node: str) -> Steps:
        """It has been discovered."""
        world = self.world
        if any(node in known for known in world.known.values()):
            return NOTHING
        room = world.room_of(node)
        if room is None:
            return None
        return union([self.in_room(room), *self._lids(node), frozenset({(EXPLORE, room)})])

    def held(self, node: str) -> Steps:
        """An actor has it in hand."""
        return self.ask(self._held, node)

    def _held(self, node: str) -> Steps:
        agents = [self.world.agents[actor] for actor in self.problem.actors]
        if any(node in agent.inventory or node == agent.carrying for agent in agents):
            return NOTHING
        if not self.relaxation.can_move(node):
            return None
        parts = [self.near(node), self._free_hand(), self.untied(node)]
        if node not in self.relaxation.holders:
            parts.append(self._gathered(node, self.relaxation.least_team(node), lifts=True))
        return union([*parts, frozenset({(GRAB, node)})])

    def _gathered(self, node: str, people: int, *, lifts: bool = False) -> Steps:
        """So many are at it, those who have the least to do for that; with a free hand to lift."""
        ways = [self._coming(actor, node, lifts) for actor in self.problem.actors]
        return union(sorted(ways, key=len)[:people])

    def _coming(self, actor: str, node: str, lifts: bool) -> frozenset[Step]:
        agent, piece = self.world.agents[actor], standing_piece(self.world, node)
        steps: set[Step] = set()
        if agent.room != self.world.room_of(node):
            steps.add((GOTO, self.world.room_of(node) or "", actor))
        if agent.focus != piece:
            steps.add((NEAR, piece, actor))
        if lifts and len(agent.inventory) >= self.problem.bodies[actor].hands:
            steps.add((FREE, agent.inventory[0], actor))
        return frozenset(steps)

    def _free_hand(self) -> Steps:
        full: list[str] = []
        for actor in self.problem.actors:
            agent = self.world.agents[actor]
            used = len(agent.inventory) + (agent.carrying is not None)
            if used < self.problem.bodies[actor].hands:
                return NOTHING
            full += agent.inventory
        return frozenset({(FREE, full[0])}) if full else None

    def untied(self, node: str) -> Steps:
        """It can be taken along, whatever it is connected to."""
        timeline = self.world.timeline
        if timeline is None or is_loose(self.world, node):
            return NOTHING
        joined = [link for link in timeline.links if node in link[:2]]
        return frozenset([(DISCONNECT, link[0], link[1]) for link in joined])

    def at(self, node: str, relation: str | None, holder: str) -> Steps:
        """It lies in or on something."""
        return self.ask(self._at, node, relation, holder)

    def _at(self, node: str, relation: str | None, holder: str) -> Steps:
        place = self.world.location[node]
        if place.holder == holder and relation in (None, place.relation):
            return NOTHING
        if holder in self.world.agents:
            return self.held(node)
        if holder == node:
            return None
        put = frozenset({(PUT, node, relation or "on", holder)})
        parts = [self.held(node), self.near(holder), put]
        if relation == "in" and is_closed(self.world, holder):
            parts.append(self.state(holder, "is_open", True))
        return union(parts)

    def inside(self, node: str, room: str) -> Steps:
        """It is in a room, at any depth."""
        world = self.world
        if world.room_of(node) == room:
            return NOTHING
        if node in world.agents:
            return union([frozenset({(GOTO, room)}), self._way(room)])
        movers = self.relaxation.movers(node, world)
        return cheapest(
            [
                union([self.held(mover), frozenset({(GOTO, room)}), self._way(room)])
                for mover in movers
            ]
        )

    def together(self, first: str, second: str) -> Steps:
        """Both are within reach of somebody at once."""
        return self.ask(self._together, first, second)

    def _together(self, first: str, second: str) -> Steps:
        world = self.world
        one = standing_piece(world, first) == standing_piece(world, second)
        if one and first in world.location and second in world.location:
            return union([self.near(first), self.near(second)])
        return cheapest(
            [
                union([self.held(first), self.near(second)]),
                union([self.held(second), self.near(first)]),
            ]
        )

    # -- connections -------------------------------------------------------------------------------

    def linked(self, first: str, second: str) -> Steps:
        """Two things are joined."""
        return self.ask(self._linked, first, second)

    def _linked(self, first: str, second: str) -> Steps:
        world = self.world
        if is_linked(world, first, second):
            return NOTHING
        parts = [self.together(first, second), frozenset({(CONNECT, first, second)})]
        if fitting_between(world, first, second) is None:
            timeline, ends = world.timeline, {first, second}
            links = () if timeline is None else timeline.links
            taken = [link for link in links if not ends.isdisjoint(link[:2])]
            parts.append(frozenset([(DISCONNECT, link[0], link[1]) for link in taken]))
        return union(parts)

    # -- states ------------------------------------------------------------------------------------

    def state(self, node: str, attribute: str, value: Any) -> Steps:
        """A state has a value."""
        return self.ask(self._state, node, attribute, value)

    def _state(self, node: str, attribute: str, value: Any) -> Steps:
        states = self.world.states.get(node, {})
        if attribute in states and states[attribute] == value:
            return NOTHING
        return cheapest(self._ways_to_set(node, attribute, value))

    def _ways_to_set(self, node: str, attribute: str, value: Any) -> Iterator[Steps]:
        key, problem = (attribute, not value), self.problem
        for verb in (*problem.single_verbs.get(key, ()), *problem.joint_verbs.get(key, ())):
            parts = [self.near(node), frozenset({(FLIP, node, attribute)})]
            if (people := self.relaxation.people(node)) > 1:
                parts.append(self._gathered(node, people))
            if attribute == "is_open" and value and self._is_locked(node):
                parts.append(self.state(node, "is_locked", False))
            lock = self.relaxation.key_of(node) if attribute == "is_locked" else None
            if lock is not None:
                parts.append(self.held(lock))
            elif verb.attribute is not None and verb.attribute.requires_tool:
                parts.append(self.tool(verb.attribute.name))
            yield union(parts)

    def _is_locked(self, node: str) -> bool:
        return self.world.states[node].get("is_locked") is True

    def tool(self, ability: str) -> Steps:
        """A tool that gives an ability is in hand and works."""
        return cheapest(self._tools(ability))

    def _tools(self, ability: str) -> Iterator[Steps]:
        for tool in self.relaxation.tools(ability):
            yield union([self.held(tool), self.working(tool)])

    def working(self, node: str) -> Steps:
        """It is in order."""
        states = self.world.states[node]
        parts = [self.state(node, need, True) for need in self.problem.things[node].needs]
        if states.get("is_broken") is True:
            parts.append(self.state(node, "is_broken", False))
        return union(parts)
