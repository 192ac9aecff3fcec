"""Choosing a command by its number, for agents that cannot write."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.utils import RecordConstructorArgs

from earsim.envs.options import shown
from earsim.envs.single import OmniEAREnv
from earsim.errors import UsageError

NO_COMMAND = ""
"""What a number without a command says: it is answered, costs a decision and changes nothing."""


class DiscreteActions(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """An action is the place of a command in the sorted list of admissible ones.

    ## Action space
    `Discrete(max_actions)`. Number `i` gives the command `commands[i]`. The list changes from step
    to step, and so does what a number means. Any other integer is answered like an empty command.

    ## Info
    Besides what the environment tells, after `reset` and every `step`:

    - `action_mask`: array of shape (max_actions,), dtype int8; 1 where a number has a command. It
      is what `action_space.sample(mask=...)` takes.
    - `commands_left_out`: how many admissible commands, the last of the list, have no number
      because there are more than `max_actions`.

    `action_masks()` gives the mask as booleans, as sb3-contrib asks for it; in a vector environment
    `call("action_masks")` and `get_attr("commands")` give them for every environment.

    Wraps `OmniEAR-v0`; the environment need not be made with `admissible_commands`.
    """

    def __init__(self, env: gym.Env[Any, str], max_actions: int = 256) -> None:
        """Wrap an environment.

        Args:
            env: `OmniEAR-v0`, wrapped or not.
            max_actions: size of the action space. In our own scenes and in EAR-Bench an agent that
                works alone has fewer than 256 commands at a time.

        Raises:
            UsageError: The environment is another, or `max_actions` is not positive.
        """
        RecordConstructorArgs.__init__(self, max_actions=max_actions)
        super().__init__(env)
        if not isinstance(env.unwrapped, OmniEAREnv):
            raise UsageError(f"DiscreteActions wraps OmniEAR-v0, not {env.unwrapped}")
        if max_actions < 1:
            raise UsageError(f"max_actions={max_actions}: there must be at least one")
        self.max_actions = max_actions
        self.action_space = Discrete(max_actions)
        self._bare = env.unwrapped

    @property
    def commands(self) -> tuple[str, ...]:
        """The command of every number, as things stand now.

        Raises:
            NotReset: The environment was never reset.
        """
        return self._admissible()[: self.max_actions]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which numbers have a command now: booleans of shape (max_actions,)."""
        return np.arange(self.max_actions) < len(self.commands)

    def command(self, action: int) -> str:
        """The command that a number stands for now; empty where it stands for none."""
        commands = self.commands
        return commands[action] if 0 <= action < len(commands) else NO_COMMAND

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, self._told(info)

    def step(self, action: int) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Give the command of a number; any integer is accepted and answered."""
        try:
            number = int(action)
        except (TypeError, ValueError, OverflowError):
            raise UsageError(f"{shown(action)} is no number of a command") from None
        *results, info = self.env.step(self.command(number))
        observation, reward, terminated, truncated = results
        return observation, reward, terminated, truncated, self._told(info)

    def _admissible(self) -> tuple[str, ...]:
        episode = self._bare.episode
        return episode.admissible(episode.agents[0])

    def _told(self, info: dict[str, Any]) -> dict[str, Any]:
        count, most = len(self._admissible()), self.max_actions
        mask = np.zeros(most, np.int8)
        mask[:count] = 1
        return {**info, "action_mask": mask, "commands_left_out": max(0, count - most)}
