"""The policy `oracle`: knows the scene, and sends the EXPLOREs that the rules ask for all the same.

What others are measured by: the ratio of their decisions to its own. Where a search for the least
plan gives up, its plans are any that do.
"""

from __future__ import annotations

from collections.abc import Mapping

from earsim.envs.policy import Observation, PolicyContext
from earsim.planner.acting.oracle import ORACLE_NODES, Oracle


class OraclePolicy:
    """Plans from wherever it finds the world, and says DONE once the goal holds or cannot.

    One of it may command all agents, or each agent have its own: every one works out the same
    decision for the team, and gives the commands of those whose observations it is shown.
    """

    def __init__(self, nodes: int = ORACLE_NODES) -> None:
        """Choose how hard to think.

        Args:
            nodes: states that each search may reach.
        """
        self._nodes = nodes
        self._oracle: Oracle | None = None

    @property
    def memory(self) -> dict[str, str]:
        """Why it had everybody say DONE; empty before."""
        return {"ended": "" if self._oracle is None else self._oracle.ended}

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode, at its start or anywhere in it."""
        self._oracle = None

    def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str]:
        """The next commands of the agents that are shown."""
        if not observations:
            return {}
        episode = next(iter(observations.values())).episode
        if self._oracle is None:
            self._oracle = Oracle(episode.engine, nodes=self._nodes)
        decision = self._oracle.decide(episode.world)
        return {agent: text for agent, text in decision.items() if agent in observations}
