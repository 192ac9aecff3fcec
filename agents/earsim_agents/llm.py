"""The policy `llm`: a model plays the only agent of a scenario."""

from __future__ import annotations

from earsim.envs.policy import PolicyContext
from earsim.errors import UsageError
from earsim_agents.model_policy import ModelPolicy


class LLMPolicy(ModelPolicy):
    """One model, one agent, one call per decision."""

    role = "llm"

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode.

        Raises:
            UsageError: The scenario has several agents.
        """
        if len(context.agents) > 1:
            raise UsageError(
                f"{context.scenario.id} has {len(context.agents)} agents and llm plays one; "
                "centralized and decentralized play any number"
            )
        super().reset(context)

    def _speakers(self, context: PolicyContext) -> tuple[str, ...]:
        return context.agents
