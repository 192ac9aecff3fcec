"""The policy `decentralized`: a model for each agent, told only what that agent is told.

The models are asked at the same time and do not hear each other's replies. What they want the
others to know they say in the world, with its SAY command, where the ruleset has one.
"""

from __future__ import annotations

from earsim.envs.policy import PolicyContext
from earsim_agents.model_policy import ModelPolicy


class DecentralizedPolicy(ModelPolicy):
    """One model call per agent and decision; an agent that said DONE is asked no more.

    An agent whose reply cannot be read does nothing in that decision; when nobody's can, the
    decision is lost as with one model.
    """

    role = "decentralized"

    def _speakers(self, context: PolicyContext) -> tuple[str, ...]:
        return context.agents
