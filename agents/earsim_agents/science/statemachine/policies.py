"""The policy `statemachine`."""

from __future__ import annotations

from typing import Any, Literal

from earsim.apparatus.sixbox import SIXBOX
from earsim.envs.policy import PolicyContext
from earsim.errors import UsageError
from earsim_agents.science.laboratory import Laboratory
from earsim_agents.science.play import Observations, Play
from earsim_agents.science.play_policy import AskingPolicy
from earsim_agents.science.statemachine.play import LEARNERS, MachineSwitches, StateMachine
from earsim_agents.science.statemachine.state import OceanState

TOOLS = (SIXBOX.id, *LEARNERS)
"""The models of which a scene has to have one."""


class StateMachinePolicy(AskingPolicy):
    """Roles question, router, logic, analysis and summary around a typed state.

    It is made for questions about the six-box ocean and what was trained on it. Errands are the
    expert's.
    """

    def __init__(
        self,
        *,
        state: Literal["typed", "string"] = "typed",
        records: Literal["on", "off"] = "on",
        **options: Any,
    ) -> None:
        """Make a policy.

        Args:
            state: ``typed``, or ``string`` for the stateless baseline.
            records: whether the state holds every valid run and a bracket; off as published.
            options: those of `ModelSettings`, and the client.

        Raises:
            UsageError: An option makes no sense.
        """
        super().__init__(**options)
        if state not in ("typed", "string") or records not in ("on", "off"):
            raise UsageError(f"state={state!r}, records={records!r}: typed|string, on|off")
        self._switches = MachineSwitches(state == "typed", state == "typed" and records == "on")

    def play(self, context: PolicyContext, observations: Observations) -> Play[None]:
        """The program of one episode."""
        state = self.state = OceanState()
        lab = Laboratory(observations)
        if not any(rig.model.id in TOOLS for rig in lab.rigs.values()):
            raise UsageError(
                f"{context.scenario.id} has no {' and no '.join(TOOLS)}: "
                "statemachine works on these"
            )
        yield from StateMachine(lab, state, self._switches).play()
