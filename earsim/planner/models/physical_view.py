"""The queries that the heuristic of `physical` makes of a state."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.planner.landmarks.landmark_set import EXPLORE, FLIP, LandmarkAction
from earsim.planner.models.state_view import StateView
from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.world.containment import is_closed, standing_piece
from earsim.world.limits import is_within_load
from earsim.world.loads import total_mass
from earsim.world.paths import breadth_first, is_passable
from earsim.world.proximity import in_hands, within_reach


class PhysicalStateView(StateView):
    """A state of the world as the actors of a problem find it."""

    swept_along = False

    def __init__(self, problem: Problem, relaxation: PhysicalRelaxation) -> None:
        super().__init__(problem, relaxation)
        self.actors = problem.actors
        self._starts: frozenset[str] | None = None
        self._shut: tuple[str, ...] | None = None
        self._held: dict[str, bool] = {}
        self._near: dict[str, int] = {}
        self._rooms: dict[str, tuple[str, ...]] = {}
        self._joined: dict[tuple[frozenset[str], tuple[str, ...]], frozenset[str]] = {}

    def forget(self) -> None:
        """Forget what was found out about the state before: another one is asked about."""
        self._starts = self._shut = None
        self._held = {}
        self._near = {}
        self._rooms = {}

    def present(self, room: str) -> bool:
        """Whether an actor is in the room."""
        return room in self.starts()

    def starts(self) -> frozenset[str]:
        """The rooms in which actors are."""
        if self._starts is None:
            agents = self.world.agents
            self._starts = frozenset([agents[agent].room for agent in self.actors])
        return self._starts

    def shut(self) -> tuple[str, ...]:
        """The doors that nobody can walk through."""
        if self._shut is None:
            world = self.world
            self._shut = tuple([d for d in world.blueprint.doors if not is_passable(world, d)])
        return self._shut

    def sought_on_arrival(self, dest: str) -> bool:
        """Never certain: a partner may look for it meanwhile."""
        return False

    def reached(self, node: str) -> bool:
        """Whether an actor can lay hands on it from where it stands."""
        return self.near(node) > 0

    def near(self, node: str) -> int:
        """How many actors can lay hands on it from where they stand."""
        found = self._near.get(node)
        if found is None:
            found = sum(within_reach(self.world, agent, node) for agent in self.actors)
            self._near[node] = found
        return found

    def held(self, node: str) -> bool:
        """Whether it is in the hands of an actor, at any depth."""
        found = self._held.get(node)
        if found is None:
            found = any(in_hands(self.world, agent, node) for agent in self.actors)
            self._held[node] = found
        return found

    def room(self, node: str) -> str:
        """The room it is in; a room is in itself, a door on the nearer side."""
        return self.rooms_of(node)[0]

    def next_to(self, node: str, dest: str) -> bool:
        """Whether who takes `node` from its place stands at what `dest` is in or on."""
        piece = self.piece(node)
        return self.held(dest) or (piece == self.piece(dest) and piece != node)

    def known(self, node: str) -> bool:
        """Whether anybody has discovered it."""
        return any(node in known for known in self.world.known.values())

    def somebody_by(self, node: str) -> bool:
        """Whether an actor is in its room."""
        return any(self.present(room) for room in self.rooms_of(node))

    def stands_at(self, dest: str, *, holding: str) -> bool:
        """Whether an actor is near it that has an object in hand, at any depth."""
        world = self.world
        return any(
            in_hands(world, a, holding) and within_reach(world, a, dest) for a in self.actors
        )

    def piece(self, node: str) -> str:
        """What one goes up to for it."""
        return node if node in self.world.blueprint.doors else standing_piece(self.world, node)

    def rooms_of(self, node: str) -> tuple[str, ...]:
        """Where to be for it: at a door, the side that one gets to while it is shut."""
        found = self._rooms.get(node)
        if found is None:
            found = self._rooms[node] = self._find_rooms(node)
        return found

    def _find_rooms(self, node: str) -> tuple[str, ...]:
        world = self.world
        door = world.blueprint.doors.get(node)
        if door is None:
            return (str(world.room_of(node)),)
        if is_passable(world, node):
            return door.between
        starts, shut = self.starts(), (node,)
        sides = [room for room in door.between if self.joined(starts, room, shut=shut)]
        return tuple(sides) or door.between

    def joined(self, starts: frozenset[str], room: str, *, shut: tuple[str, ...]) -> bool:
        """Whether a room can be walked to from one of the others with these doors shut."""
        asked = (starts, shut)
        found = self._joined.get(asked)
        if found is None:
            reached = breadth_first(self.world, starts, lambda world, way: way.door not in shut)
            found = self._joined[asked] = frozenset(reached)
        return room in found

    def inside(self, node: str) -> Iterator[str]:
        """Everything in or on it, at any depth."""
        for child in self.world.contents.get(node, ()):
            yield child
            yield from self.inside(child)

    def inventory(self, agent: str) -> tuple[str, ...]:
        """What the agent holds."""
        return self.world.agents[agent].inventory

    def has_strength(self, agent: str, node: str) -> bool:
        """Whether the agent can lift it beside what it holds, or roll it."""
        if self.problem.things[node].wheels is not None:
            return True
        mass = self.world.agents[agent].load + total_mass(self.world, node)
        return is_within_load(mass, self.problem.bodies[agent].max_mass_kg)

    def revealing(self, node: str) -> Iterator[LandmarkAction]:
        """What may make an object known."""
        place = self.world.location[node]
        yield (EXPLORE, str(self.world.room_of(node)))
        while place.holder in self.world.location:
            if is_closed(self.world, place.holder):
                yield (FLIP, place.holder, "is_open")
            place = self.world.location[place.holder]
