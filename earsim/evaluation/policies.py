"""The policies by name; those of `earsim_agents`, above this package, load when asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Protocol

from earsim.envs.policy import AsyncPolicy, Observation, Policy, PolicyContext
from earsim.errors import UnknownName, UsageError
from earsim.registry import Lazy, Registry

__all__ = [
    "MODEL_POLICIES",
    "POLICIES",
    "AsyncPolicyFactory",
    "Observation",
    "Policy",
    "PolicyContext",
    "PolicyFactory",
    "asks_a_model",
    "make_policy",
]


class PolicyFactory(Protocol):
    """What a registry entry is: usually the class of the policy."""

    def __call__(self, **options: Any) -> Policy:
        """A policy with the given options."""
        ...


class AsyncPolicyFactory(Protocol):
    """What an entry is that asks a model: usually the class of the policy."""

    def __call__(self, *, client: Any, **options: Any) -> AsyncPolicy:
        """A policy for one episode; the client is shared with others."""
        ...


POLICIES: Registry[PolicyFactory] = Registry(
    "policy",
    {
        "random": Lazy("earsim_agents.random:RandomPolicy"),
        "walkthrough": Lazy("earsim_agents.walkthrough:WalkthroughPolicy"),
        "replay": Lazy("earsim_agents.replay:ReplayPolicy"),
        "human": Lazy("earsim_agents.human:HumanPolicy"),
        "oracle": Lazy("earsim_agents.oracle:OraclePolicy"),
        "expert": Lazy("earsim_agents.expert:ExpertPolicy"),
        "regex": Lazy("earsim_agents.baselines.regex:RegexPolicy"),
        "rule": Lazy("earsim_agents.rule:RulePolicy"),
        "grid": Lazy("earsim_agents.grid:GridPolicy"),
        "brute": Lazy("earsim_agents.science.design.policies:BrutePolicy"),
        "scan": Lazy("earsim_agents.science.design.policies:ScanPolicy"),
        "bo": Lazy("earsim_agents.science.design.policies:BayesPolicy"),
        "optuna": Lazy("earsim_agents.science.design.policies:OptunaPolicy"),
    },
)
"""Every policy that needs no model."""

MODEL_POLICIES: Registry[AsyncPolicyFactory] = Registry(
    "policy",
    {
        "llm": Lazy("earsim_agents.llm:LLMPolicy", extra="llm"),
        "centralized": Lazy("earsim_agents.centralized:CentralizedPolicy", extra="llm"),
        "decentralized": Lazy("earsim_agents.decentralized:DecentralizedPolicy", extra="llm"),
        "statemachine": Lazy(
            "earsim_agents.science.statemachine.policies:StateMachinePolicy", extra="llm"
        ),
        "embodied": Lazy("earsim_agents.science.embodied.policies:EmbodiedPolicy", extra="llm"),
        "codeact": Lazy("earsim_agents.science.embodied.policies:CodeActPolicy", extra="llm"),
        "direct": Lazy("earsim_agents.science.embodied.policies:DirectPolicy", extra="llm"),
        "caed": Lazy("earsim_agents.science.design.policies:CaedPolicy", extra="llm"),
    },
)
"""Every policy that asks a model."""


def make_policy(name: str, **options: Any) -> Policy:
    """The policy of that name, with its options.

    Raises:
        UnknownName: There is no such policy.
        MissingExtra: It needs something that is not installed.
        UsageError: It does not take these options, or needs others.
    """
    factory = POLICIES[name]
    check_options(name, factory, options)
    return factory(**options)


def check_options(name: str, factory: Callable[..., Any], options: dict[str, Any]) -> None:
    """Compare the options of a policy with what its factory takes.

    Raises:
        UsageError: It does not take these options, or needs others.
    """
    try:
        inspect.signature(factory).bind(**options)
    except TypeError as error:
        raise UsageError(f"policy {name!r}: {error}") from error


def own_options(name: str) -> frozenset[str]:
    """The options of a policy over a model that are its own, and say nothing of how it is asked.

    Raises:
        UnknownName: There is no such policy.
    """
    taken = inspect.signature(MODEL_POLICIES[name]).parameters.values()
    return frozenset(
        each.name for each in taken if each.kind is each.KEYWORD_ONLY and each.name != "client"
    )


def asks_a_model(name: str) -> bool:
    """Whether a policy has prompts, and so a style.

    Raises:
        UnknownName: There is no such policy.
    """
    if name not in POLICIES and name not in MODEL_POLICIES:
        raise UnknownName("policy", name, [*POLICIES, *MODEL_POLICIES])
    return name in MODEL_POLICIES
