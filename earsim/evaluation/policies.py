"""The policies by name; those of `earsim_agents`, above this package, load when asked for."""

from __future__ import annotations

import inspect
from typing import Any, Protocol

from earsim.envs.policy import Observation, Policy, PolicyContext
from earsim.errors import UsageError
from earsim.registry import Lazy, Registry

__all__ = ["POLICIES", "Observation", "Policy", "PolicyContext", "PolicyFactory", "make_policy"]


class PolicyFactory(Protocol):
    """What a registry entry is: usually the class of the policy."""

    def __call__(self, **options: Any) -> Policy:
        """A policy with the given options."""
        ...


POLICIES: Registry[PolicyFactory] = Registry(
    "policy",
    {
        "random": Lazy("earsim_agents.random:RandomPolicy"),
        "walkthrough": Lazy("earsim_agents.walkthrough:WalkthroughPolicy"),
        "replay": Lazy("earsim_agents.replay:ReplayPolicy"),
    },
)
"""Every policy that the command line can name."""


def make_policy(name: str, **options: Any) -> Policy:
    """The policy of that name, with its options.

    Raises:
        UnknownName: There is no such policy.
        MissingExtra: It needs something that is not installed.
        UsageError: It does not take these options, or needs others.
    """
    factory = POLICIES[name]
    try:
        inspect.signature(factory).bind(**options)
    except TypeError as error:
        raise UsageError(f"policy {name!r}: {error}") from error
    return factory(**options)
