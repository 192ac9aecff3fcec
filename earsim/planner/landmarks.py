"""How the landmarks of a state are found, whatever the ruleset: wish by wish."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

from earsim.planner.needs import Counted, Needs
from earsim.planner.problem import Problem, Turn, Way
from earsim.planner.rounds import Stage
from earsim.world import World


class Shown(Stage, Protocol):
    """A stage that can be set to another state."""

    world: World


class Landmarks(ABC):
    """Finds the landmarks of a state, one alternative of the goal at a time."""

    stage: Shown

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.world = problem.start
        self.needs = Needs()

    def of(self, world: World, way: Way) -> Counted:
        """The landmarks of a state for one alternative."""
        self.world = self.stage.world = world
        self.needs = needs = Needs()
        for turn in way.turns:
            if not all(wish.holds(world) for wish in turn.wishes):
                self._turn(turn)
        for wish in way.moves:
            if not wish.holds(world):
                self._move(wish.fact)
        for wish in way.denials:
            if not wish.holds(world):
                self._deny(wish.fact)
        return needs.settled()

    @abstractmethod
    def _turn(self, turn: Turn) -> None:
        """A state is to have another value."""

    @abstractmethod
    def _move(self, fact: object) -> None:
        """Something is to be elsewhere."""

    @abstractmethod
    def _deny(self, denied: object) -> None:
        """What is so must end."""

    def _take_rounds(self, rounds: int) -> None:
        """That many decisions must follow each other."""
        self.needs.rounds = max(self.needs.rounds, rounds)
