"""A closer bound on what a team has to do: how often who carries things walks there and back.

It tells how good a plan is, and does not guide the search for it. Counted where one actor is alone
on a side of doors that never open, so that nobody else helps (see `Confinement`).

Relies on `in_reach`, `destination_in_reach` and `hands_free`: what is taken once, and put down once
where it belongs, is directly in hand all that time. So with each arrival at a table no more such
things come there, or leave it, than there are hands; rooms likewise. Whatever goes on something
else, or in it, is taken twice and put down twice. The bound is the least over which things do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final, NamedTuple

from earsim.planner.landmarks.landmark_set import DROP, GOTO, GRAB, NEAR, LandmarkBound
from earsim.planner.landmarks.physical import PhysicalLandmarks
from earsim.planner.literals import Placed
from earsim.planner.problem import Disjunct
from earsim.world import World

_MOST_TRIPS: Final = 8
"""Of more things, the others are not counted."""


class Trip(NamedTuple):
    """Something to be carried from one piece of furniture to another.

    Attributes:
        node: What is carried.
        source: The piece of furniture it is on.
        dest: The one where it belongs.
        carrier: The only one who can.
    """

    node: str
    source: str
    dest: str
    carrier: str


class TripLandmarks(PhysicalLandmarks):
    """See the module."""

    def decisions(self, world: World, disjunct: Disjunct) -> int:
        """Decisions left at least for one alternative, with the arrivals that carrying takes."""
        found = self.of(world, disjunct)
        trips = [*self._trips(disjunct)][:_MOST_TRIPS]
        if not trips:
            return self._decisions(found)
        uncounted, least = self.landmarks, []
        for count in range(len(trips) + 1):
            for twice in combinations(trips, count):
                self.landmarks = uncounted.copy()
                self._count_arrivals(trips, twice)
                least.append(self._decisions(self.landmarks.bound(self.confinement)))
        return min(least)

    def _decisions(self, bound: LandmarkBound) -> int:
        return max(bound.makespan, -(-bound.agent_turns // len(self.actors)))

    def _carriers(self) -> Mapping[int, str]:
        """Who is the only actor on a side, by its side."""
        if self.confinement is None:
            return {}
        side_of, agents = self.confinement.side_of, self.world.agents
        sides = {actor: side_of[agents[actor].room] for actor in self.actors}
        actors = Counter(sides.values())
        return {side: actor for actor, side in sides.items() if actors[side] == 1}

    def _trips(self, disjunct: Disjunct) -> Iterator[Trip]:
        """From one thing that stays where it stands to another."""
        carriers = self._carriers()
        for literal in disjunct.moves:
            fact = literal.fact
            if carriers and isinstance(fact, Placed) and not literal.holds(self.world):
                trip = self._trip(fact, carriers)
                if trip is not None:
                    yield trip

    def _trip(self, fact: Placed, carriers: Mapping[int, str]) -> Trip | None:
        node, dest = fact.object, fact.holder
        source = self.world.location[node].holder
        if self.confinement is None or source == dest:
            return None
        sides = {self.confinement.side_of.get(each) for each in (node, source, dest)}
        side = sides.pop()
        carrier = None if sides or side is None else carriers.get(side)
        if carrier is None or self.problem.bodies[carrier].hands == 0:
            return None
        stand = all(self._stands(piece, carrier) for piece in (source, dest))
        return Trip(node, source, dest, carrier) if stand else None

    def _stands(self, piece: str, carrier: str) -> bool:
        """Whether it stands in a room, and stays there: nobody but the carrier could take it."""
        location = self.world.location.get(piece)
        is_in_room = location is not None and location.holder in self.world.blueprint.rooms
        return is_in_room and carrier not in self.relaxation.holders.get(piece, ())

    def _count_arrivals(self, trips: Iterable[Trip], twice: Iterable[Trip]) -> None:
        """Add what these trips take if some of the things are taken twice."""
        agents, landmarks = self.world.agents, self.landmarks
        again = {trip.node for trip in twice}
        coming, leaving = Counter[tuple[str, str, str]](), Counter[tuple[str, str, str]]()
        for trip in trips:
            carried = trip.node not in again
            rooms = [str(self.world.room_of(piece)) for piece in (trip.source, trip.dest)]
            coming[NEAR, trip.dest, trip.carrier] += carried
            leaving[NEAR, trip.source, trip.carrier] += carried
            if rooms[0] != rooms[1]:
                coming[GOTO, rooms[1], trip.carrier] += carried
                leaving[GOTO, rooms[0], trip.carrier] += carried
            if not carried:
                landmarks.must((GRAB, trip.node), 2)
                landmarks.must((DROP, trip.node), 2)
        for kind, place, carrier in dict.fromkeys([*coming, *leaving]):
            agent, hands = agents[carrier], self.problem.bodies[carrier].hands
            is_there = agent.room == place if kind == GOTO else self.view.near(place) > 0
            key = (kind, place, carrier)
            arrivals = max(-(-coming[key] // hands), -(-leaving[key] // hands) - is_there)
            landmarks.must((kind, place), max(arrivals, int(key in coming or not is_there)))
