"""Landmarks of `physical` that count the journeys of every member of a team.

What nobody can lift alone takes a least team. Each of that many enters its room, goes up to it,
lifts, walks and sets down, together or one by one, and each time that is a turn of an agent. Where
something around the thing, or its destination, can be taken to the agents, nobody need walk, and
nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from earsim.planner.landmarks.landmark_set import DROP, FREE, GOTO, GRAB, NEAR, LandmarkAction
from earsim.planner.landmarks.physical import PhysicalLandmarks
from earsim.planner.models.physical_view import PhysicalStateView
from earsim.planner.problem import Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.world.limits import is_within_load
from earsim.world.loads import total_mass


class TeamStateView(PhysicalStateView):
    """A state in which hands that carry together take nothing else."""

    def count_in(self, room: str) -> int:
        """How many actors are in a room."""
        return sum(self.world.agents[agent].room == room for agent in self.actors)

    def has_hand(self, agent: str) -> bool:
        """Whether the agent can take something: who carries with others must let go first."""
        return self.world.agents[agent].carrying is None and super().has_hand(agent)

    def have_strength(self, node: str, team: int) -> bool:
        """Whether at least so many actors have a free hand, and can lift it with what they hold."""
        agents, bodies = self.world.agents, self.problem.bodies
        free = [a for a in self.actors if self.has_hand(a)]
        strength = sum([bodies[a].max_mass_kg - agents[a].load for a in free])
        return len(free) >= team and is_within_load(total_mass(self.world, node), strength)

    def letting_go(self, agents: Iterable[str]) -> Iterator[LandmarkAction]:
        """What frees a hand of these agents."""
        agents = tuple(agents)
        yield from super().letting_go(agents)
        for agent in agents:
            carrying = self.world.agents[agent].carrying
            if carrying is not None:
                yield (FREE, carrying)
                yield (DROP, carrying)


class JourneyLandmarks(PhysicalLandmarks):
    """See the module."""

    def __init__(self, problem: Problem, relaxation: PhysicalRelaxation) -> None:
        super().__init__(problem, relaxation)
        self.view = self._team_view = TeamStateView(problem, relaxation)

    def _team(self, node: str) -> int:
        """How many hold it at least."""
        return 1 if self.relaxation.can_hold(node) else self.relaxation.least_team(node)

    def _lift(self, node: str) -> None:
        """A least team stands at it and lifts it.

        Relies on `in_reach`, `hands_free`, `can_be_lifted_together`.
        """
        view, landmarks, team = self._team_view, self.landmarks, self._team(node)
        landmarks.must_by((GRAB, node), team)
        self._reach(node, partners=True)
        if not view.have_strength(node, team):
            landmarks.one_of(self._lightening(self.actors, node))
        if view.held(node) or any(mover != node for mover in view.movers(node)):
            return
        landmarks.must_by((NEAR, view.piece(node)), team - view.near(node))
        rooms = view.rooms_of(node)
        if len(rooms) == 1:
            landmarks.must_by((GOTO, rooms[0]), team - view.count_in(rooms[0]))

    def _take_or_lift(self) -> None:
        """Either way it takes a hand that is free."""
        if not any(self.view.has_hand(agent) for agent in self.actors):
            self.landmarks.one_of(self.view.letting_go(self.actors))

    def _by_carriers(self, action: LandmarkAction, node: str) -> None:
        self.landmarks.must_by(action, self._team(node))

    def _walk_with(self, action: LandmarkAction, node: str) -> None:
        self.landmarks.must_by(action, 1 if self.relaxation.can_roll else self._team(node))

    def _walk_in_together(self, room: str, movers: Sequence[str]) -> None:
        if self.relaxation.can_roll:
            super()._walk_in_together(room, movers)
            return
        teams = [self.relaxation.least_team(mover) for mover in movers]
        self.landmarks.must_by((GOTO, room), min(teams, default=2))
