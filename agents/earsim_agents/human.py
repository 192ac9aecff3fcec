"""The policy `human`: a person types the command of every agent.

For a game with completion, a map and more words there is `earsim play`; this is the plain form
that runs inside the same runner as every other policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from earsim.envs.policy import Observation, PolicyContext
from earsim.ids import printable


class HumanPolicy:
    """Shows each agent's observation and asks for a command; an empty line gives none."""

    def __init__(self, ask: Callable[[str], str] = input) -> None:
        """Make the policy.

        Args:
            ask: shows a text and returns the line typed after it; `EOFError` ends every part
                with DONE.
        """
        self._ask = ask
        self._typed: list[dict[str, str]] = []

    @property
    def memory(self) -> dict[str, list[dict[str, str]]]:
        """What was typed, by agent, for each decision."""
        return {"typed": list(self._typed)}

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        self._typed = []

    def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str]:
        """Whatever is typed."""
        commands: dict[str, str] = {}
        for agent, observation in observations.items():
            if not observation.finished:
                typed = self._line(agent, observation.delta)
                commands |= {agent: typed} if typed else {}
        self._typed.append(commands)
        return dict(commands)

    def _line(self, agent: str, told: str) -> str:
        try:
            return self._ask(f"\n{printable(told)}\n\n{agent}> ").strip()
        except EOFError:
            return "DONE"
