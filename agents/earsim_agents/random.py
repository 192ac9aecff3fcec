"""The policy `random`: any command that would be accepted now, each as likely as the others."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from earsim.envs.policy import Observation, PolicyContext


class RandomPolicy:
    """Draws uniformly from the admissible commands of each agent; the floor of every comparison.

    A draw is a hash of seed, scenario, decision and agent: nothing else enters, so an episode comes
    out the same alone, in a suite, in another order and on another machine.
    """

    def __init__(self) -> None:
        self._name = ""
        self._decision = 0

    @property
    def memory(self) -> dict[str, int]:
        """The number of the next decision: all there is to a stateless draw."""
        return {"decision": self._decision}

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        self._name = f"{context.seed}\n{context.scenario.id}"
        self._decision = 0

    def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str]:
        """One admissible command per agent, drawn independently."""
        chosen = {
            agent: self._pick(agent, observation.admissible)
            for agent, observation in observations.items()
            if observation.admissible  # an agent that has said DONE has nothing left to say
        }
        self._decision += 1
        return chosen

    def _pick(self, agent: str, commands: tuple[str, ...]) -> str:
        text = f"{self._name}\n{self._decision}\n{agent}"
        draw = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        return commands[draw % len(commands)]
