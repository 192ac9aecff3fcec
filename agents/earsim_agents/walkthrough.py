"""The policy `walkthrough`: follows the plan that comes with the scenario. An oracle."""

from __future__ import annotations

from earsim.envs.policy import PolicyContext
from earsim.errors import UsageError
from earsim_agents.command_script import ScriptedPolicy


class WalkthroughPolicy(ScriptedPolicy):
    """Gives the commands of the scenario's walkthrough, then DONE."""

    def reset(self, context: PolicyContext) -> None:
        """Begin the plan.

        Raises:
            UsageError: The scenario has no walkthrough.
        """
        plan = context.scenario.task.walkthrough
        if not plan:
            raise UsageError(f"{context.scenario.id} has no walkthrough")
        self.begin(plan, context.agents)
