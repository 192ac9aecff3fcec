"""The admissible heuristic: the landmark bound of a state, minimised over the goal's disjuncts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from earsim.planner.landmarks.landmark_set import LandmarkAction, LandmarkBound, LandmarkSet
from earsim.planner.models.planning_model import PlanningModel
from earsim.planner.problem import Disjunct
from earsim.world import World


class HeuristicValue:
    """What is left to be done, whichever alternative of the goal is pursued.

    Attributes:
        commands: commands left at least.
        agent_turns: turns of agents left at least: a joint command counts once for each partner.
        makespan: decisions left at least, for reasons of order.
        landmark_actions: what the bounds of all alternatives count.
        uninformed: anything may help.
    """

    __slots__ = ("agent_turns", "commands", "landmark_actions", "makespan", "uninformed")

    def __init__(self, counted: Sequence[LandmarkBound]) -> None:
        self.commands = min([one.commands for one in counted])
        self.agent_turns = min([one.agent_turns for one in counted])
        self.makespan = min([one.makespan for one in counted])
        self.uninformed = any(one.uninformed for one in counted)
        landmark_actions: dict[LandmarkAction, int] = {}
        for one in counted:
            landmark_actions |= one.landmark_actions
        self.landmark_actions: Mapping[LandmarkAction, int] = landmark_actions


def estimate(
    model: PlanningModel, disjuncts: Sequence[Disjunct] | None, world: World
) -> HeuristicValue:
    """The bound of a state; nothing is known of a goal with too many alternatives."""
    if disjuncts is None:
        landmarks = LandmarkSet()
        landmarks.uninformed = True
        return HeuristicValue([landmarks.bound()])
    return HeuristicValue([model.landmarks(world, disjunct) for disjunct in disjuncts])
