"""Landmark extraction, literal by literal, whatever the ruleset."""

from __future__ import annotations

from abc import ABC, abstractmethod

from earsim.planner.landmarks.landmark_set import Confinement, LandmarkBound, LandmarkSet
from earsim.planner.problem import Disjunct, Problem, StateGoal
from earsim.world import World


class LandmarkFinder(ABC):
    """Finds the landmarks of a state, one alternative of the goal at a time."""

    confinement: Confinement | None = None
    """Of the actors, where doors keep some of them apart for good."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.world = problem.start
        self.landmarks = LandmarkSet()

    def of(self, world: World, disjunct: Disjunct) -> LandmarkBound:
        """The landmarks of a state for one alternative."""
        self.world = world
        self._look_at(world)
        self.landmarks = landmarks = LandmarkSet()
        for state_goal in disjunct.state_goals:
            if not all(literal.holds(world) for literal in state_goal.literals):
                self._state_goal(state_goal)
        for literal in disjunct.moves:
            if not literal.holds(world):
                self._move(literal.fact)
        for literal in disjunct.denials:
            if not literal.holds(world):
                self._deny(literal.fact)
        return landmarks.bound(self.confinement)

    @abstractmethod
    def _look_at(self, world: World) -> None:
        """What is asked about a state is asked about this one."""

    @abstractmethod
    def _state_goal(self, state_goal: StateGoal) -> None:
        """A state is to have another value."""

    @abstractmethod
    def _move(self, fact: object) -> None:
        """Something is to be elsewhere."""

    @abstractmethod
    def _deny(self, denied: object) -> None:
        """What is so must end."""

    def _raise_makespan(self, makespan: int) -> None:
        """That many decisions must follow each other."""
        self.landmarks.makespan = max(self.landmarks.makespan, makespan)
