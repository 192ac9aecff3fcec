"""The policy `centralized`: one model sees what all agents see and commands them together."""

from __future__ import annotations

from earsim_agents.model_policy import ModelPolicy


class CentralizedPolicy(ModelPolicy):
    """One model call per decision, whatever the number of agents."""

    role = "centralized"
