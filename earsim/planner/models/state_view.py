"""The queries that a heuristic makes of a state, as far as the rulesets agree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

from earsim.planner.landmarks.landmark_set import DROP, FREE, LandmarkAction
from earsim.planner.problem import Problem
from earsim.planner.relaxation.relaxation import Relaxation
from earsim.world import World


class StateView(ABC):
    """A state of the world as the actors of a problem find it.

    Attributes:
        world: the state asked about.
        swept_along: a partner's order moves an agent that acts in the same decision, so that
            walking takes no turn of its own (EAR-Bench Q11).
    """

    swept_along: ClassVar[bool]

    def __init__(self, problem: Problem, relaxation: Relaxation) -> None:
        self.problem = problem
        self.world: World = problem.start
        self._relaxation = relaxation

    @abstractmethod
    def present(self, room: str) -> bool:
        """Whether an actor is in the room."""

    @abstractmethod
    def reached(self, node: str) -> bool:
        """Whether an actor can lay hands on it from where it stands."""

    @abstractmethod
    def known(self, node: str) -> bool:
        """Whether the team has discovered it."""

    @abstractmethod
    def sought_on_arrival(self, dest: str) -> bool:
        """Whether who takes something to `dest` must wait there until it is found."""

    @abstractmethod
    def held(self, node: str) -> bool:
        """Whether it is in the hands of an actor, at any depth."""

    @abstractmethod
    def room(self, node: str) -> str:
        """The room it is in; a room is in itself."""

    @abstractmethod
    def next_to(self, node: str, dest: str) -> bool:
        """Whether who takes `node` from its place is near `dest`."""

    def unseen(self, node: str) -> bool:
        """Whether it must be found, in a room that no actor is in."""
        return not self.known(node) and not self.present(self.room(node))

    def movers(self, node: str) -> Iterator[str]:
        """What can be taken to move it: itself, and what is around it."""
        return self._relaxation.movers(node, self.world)

    def moving(self, node: str) -> list[str]:
        """What could be taken to move it; nothing moves a room."""
        return list(self.movers(node)) if node in self.world.location else []

    def has_hand(self, agent: str) -> bool:
        """Whether a hand of the agent is free."""
        return len(self.world.agents[agent].inventory) < self.problem.bodies[agent].hands

    def letting_go(self, agents: Iterable[str]) -> Iterator[LandmarkAction]:
        """What frees a hand of these agents."""
        for agent in agents:
            for held in self.world.agents[agent].inventory:
                yield (FREE, held)
                yield (DROP, held)
