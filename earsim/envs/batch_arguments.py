"""What the arguments of a vector environment mean for each of its environments."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import iterate

from earsim.envs.options import shown
from earsim.errors import UsageError


class ResetPlan(NamedTuple):
    """Attributes: for every environment its seed and its options; None where it goes on."""

    seeds: Sequence[int | None]
    options: Sequence[dict[str, Any] | None]

    @staticmethod
    def of(
        seed: int | Sequence[int | None] | None, options: Mapping[str, Any] | None, count: int
    ) -> ResetPlan:
        """What the arguments of `reset` mean for each of `count` environments.

        Raises:
            UsageError: There are not as many seeds, ids or mask entries as environments.
        """
        if options is not None and not isinstance(options, Mapping):
            raise UsageError(f"options={shown(options)}: expected a dictionary")
        options = dict(options or {})
        mask = np.asarray(options.pop("reset_mask", np.ones(count, np.bool_)))
        if mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
            raise UsageError(
                f"reset_mask={shown(mask)}: expected {count} booleans, at least one True"
            )
        seeds = _seeds(seed, count)
        scenarios = options.get("scenario")
        if scenarios is None or isinstance(scenarios, str):
            each = [options] * count
        elif isinstance(scenarios, Sequence) and len(scenarios) == count:
            each = [{**options, "scenario": scenario} for scenario in scenarios]
        else:
            raise UsageError(
                f"scenario={shown(scenarios)}: expected an id, or one for each of {count} "
                "environments"
            )
        pairs = zip(each, mask.tolist(), strict=True)
        return ResetPlan(seeds, [told if begins else None for told, begins in pairs])

    def part(self, batch: slice) -> ResetPlan:
        """The plan for some of the environments."""
        return ResetPlan(self.seeds[batch], self.options[batch])


def _seeds(seed: object, count: int) -> Sequence[int | None]:
    if seed is None:
        return [None] * count
    if isinstance(seed, int | np.integer):
        return [int(seed) + index for index in range(count)]
    if isinstance(seed, str) or not isinstance(seed, Sequence | np.ndarray):
        raise UsageError(f"seed={shown(seed)}: expected a whole number, or one per environment")
    if len(seed) != count:
        raise UsageError(f"{len(seed)} seeds for {count} environments")
    return list(seed)


def per_environment(actions: Any, space: gym.Space[Any], count: int) -> Sequence[Any]:
    """The actions of a batch, one for each environment.

    Raises:
        UsageError: There are not as many as environments.
    """
    if isinstance(actions, Mapping):
        actions = list(iterate(space, actions))
    elif isinstance(actions, np.ndarray):
        actions = actions.tolist()
    if isinstance(actions, str) or not isinstance(actions, Sequence) or len(actions) != count:
        raise UsageError(f"{shown(actions)}: give one action for each of {count} environments")
    return actions


class PlannedResets(VectorEnv[Any, Any, Any]):
    """A vector environment whose `reset` makes a plan, and leaves it to a subclass to follow."""

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode in every environment, or in those that `reset_mask` names.

        Raises:
            UsageError: There are not as many seeds, ids or mask entries as environments.
        """
        return self.carry_out(ResetPlan.of(seed, options, self.num_envs))

    @abstractmethod
    def carry_out(self, plan: ResetPlan) -> tuple[Any, dict[str, Any]]:
        """Reset the environments of a plan."""
