"""The policy `walkthrough`: follows the plan that comes with the scenario. An oracle."""

from __future__ import annotations

from collections.abc import Mapping

from earsim.envs.policy import Observation, PolicyContext
from earsim.errors import UsageError
from earsim_agents.command_script import CommandScript


class WalkthroughPolicy:
    """Gives the commands of the scenario's walkthrough, then DONE."""

    def __init__(self) -> None:
        self._script = CommandScript()

    @property
    def memory(self) -> dict[str, int]:
        """How far the plan was followed."""
        return {"told": self._script.told}

    def reset(self, context: PolicyContext) -> None:
        """Begin the plan.

        Raises:
            UsageError: The scenario has no walkthrough.
        """
        plan = context.scenario.task.walkthrough
        if not plan:
            raise UsageError(f"{context.scenario.id} has no walkthrough")
        self._script = CommandScript(plan, context.agents)

    def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str]:
        """The plan's next entry."""
        return self._script.next()
