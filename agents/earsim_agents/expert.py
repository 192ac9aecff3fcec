"""The policy `expert`: plays by what its team has perceived, and plans in that as an oracle would.

It shows what can be had from knowing the rules and nothing else. Its plans are not the shortest:
most of its decisions go into looking for things, so it is reported as a ratio to the oracle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.envs.policy import Observation, PolicyContext
from earsim.planner.acting.experimenter import Experimenter, expert_of
from earsim.planner.acting.expert import Expert
from earsim.planner.laboratory.inquiry import Search


class ExpertPolicy:
    """Explores until it knows what the task means, where it is and how to get it done.

    One of it may command all agents, or each agent have its own, as with `OraclePolicy`; what one
    agent perceives all of them know. What it remembers comes from outcomes, whoever gave the
    commands, so it may also be asked what it would do while somebody else decides.
    """

    search: Search = "bracket"
    """How thresholds of an apparatus are looked for."""

    def __init__(self) -> None:
        self._expert: Expert | Experimenter | None = None

    @property
    def memory(self) -> dict[str, Any]:
        """Where the team has looked, and why it said DONE."""
        return {} if self._expert is None else self._expert.memory

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode, at its start or anywhere in it."""
        self._expert = None

    def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str]:
        """The next commands of the agents that are shown."""
        if not observations:
            return {}
        episode = next(iter(observations.values())).episode
        if self._expert is None:
            self._expert = expert_of(episode.engine, search=self.search)
        if episode.last is not None:
            self._expert.note(episode.last, episode.world)
        left = episode.budget - episode.decisions
        decision = self._expert.decide(episode.world, left=left)
        return {agent: text for agent, text in decision.items() if agent in observations}
