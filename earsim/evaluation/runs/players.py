"""Policies at work in a run: one per episode, with whatever they share opened and closed once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from earsim.envs.policy import AsyncPolicy, Observation, Policy, PolicyContext
from earsim.evaluation.policies import (
    MODEL_POLICIES,
    POLICIES,
    asks_a_model,
    check_options,
    make_policy,
    own_options,
)
from earsim.evaluation.runs.run_config import RunConfig
from earsim.evaluation.runs.sweep import ModelConfig
from earsim.registry import Lazy
from earsim.schema.records.model_call import ModelCall
from earsim.signals import SignalHeard, ended_at_once

_OPEN_CLIENT = Lazy("earsim_agents.client:open_client", extra="llm")
_REMOTE_CACHE = Lazy("earsim.evaluation.runs.on_ray:RemoteCache", extra="ray")
_DESCRIBE = Lazy("earsim_agents.model_policy:describe", extra="llm")
_WIRE = Lazy("earsim_agents.client.transport:Transport", extra="llm")
_SETTINGS = Lazy("earsim_agents.settings:ModelSettings", extra="llm")


class Clients:
    """What asks model servers, shared by all policies of a run; one for each response cache."""

    def __init__(self, cache: str, keeper: Any = None) -> None:
        """Open nothing yet.

        Args:
            cache: file of the response cache, for entrants whose options name none.
            keeper: a Ray actor that has response caches open; None to open them here.
        """
        self._cache = cache
        self._keeper = keeper
        self._open: dict[str | None, Any] = {}

    def of(self, entrant: ModelConfig) -> Any:
        """The client of an entrant.

        Raises:
            MissingExtra: It needs something that is not installed.
            UsageError: Its options make no sense, or the key is not in the environment.
            FileError: The response cache is something else.
        """
        path = entrant.options.get("cache", self._cache)
        if path not in self._open:
            open_client: Any = _OPEN_CLIENT.load()
            if self._keeper is None or path is None:
                self._open[path] = open_client(**{**_of_model(entrant), "cache": path})
            else:
                remote: Any = _REMOTE_CACHE.load()
                options = {**_of_model(entrant), "cache": None}
                self._open[path] = open_client(remote(self._keeper, path), **options)
        return self._open[path]

    async def close(self) -> None:
        """Close all connections and caches."""
        for client in self._open.values():
            await client.close()


class Players(Protocol):
    """Where the policies of an entrant come from.

    Attributes:
        at_once: how many of its episodes are worth having in flight.
    """

    at_once: int

    def policy(self, cell: RunConfig) -> AsyncPolicy:
        """A policy for one episode."""
        ...


def players_of(entrant: ModelConfig, clients: Clients, *, in_flight: int) -> Players:
    """Where the policies of an entrant come from.

    Args:
        entrant: who plays.
        clients: what those share that ask a model.
        in_flight: episodes at the same time, where waiting for a server makes that worth while.

    Raises:
        UnknownName: There is no such policy.
        MissingExtra: It needs something that is not installed.
        UsageError: It does not take these options, or needs others.
    """
    if asks_a_model(entrant.policy):
        return ModelPlayers(entrant, clients.of(entrant), in_flight=in_flight)
    return LocalPlayers(entrant)


class LocalPlayers:
    """A policy that waits for nobody: more than one episode at a time would gain nothing."""

    at_once = 1

    def __init__(self, entrant: ModelConfig) -> None:
        self._policy = Awaited(make_policy(entrant.policy, **entrant.options))

    def policy(self, cell: RunConfig) -> AsyncPolicy:
        """The one policy, to be reset."""
        return self._policy


class Awaited:
    """A policy that answers at once, behind the face of one that is waited for."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    @property
    def memory(self) -> Any:
        """What the policy remembers."""
        return self._policy.memory

    @property
    def state(self) -> Any:
        """Its typed memory; None where it has none."""
        return getattr(self._policy, "state", None)

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        self._policy.reset(context)

    async def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str] | None:
        """What the policy says, after the others had their turn: it waits for nothing else.

        A signal that asks to end takes effect while it thinks.
        """
        await asyncio.sleep(0)
        try:
            with ended_at_once():
                return self._policy.act(observations)
        except SignalHeard:
            never = asyncio.Event()
            await never.wait()  # whoever has heard the signal ends this
            raise

    def take_calls(self) -> list[ModelCall]:
        """None: no model is asked."""
        return []

    async def close(self) -> None:
        """There is nothing to let go of."""


class ModelPlayers:
    """A policy that asks a model: a fresh one for every episode."""

    def __init__(self, entrant: ModelConfig, client: Any, *, in_flight: int) -> None:
        self.at_once = in_flight
        self._factory = MODEL_POLICIES[entrant.policy]
        self._client = client

    def policy(self, cell: RunConfig) -> AsyncPolicy:
        """A policy in the style of a cell."""
        options = {**_options_in(cell), "client": self._client}
        check_options(cell.entrant.policy, self._factory, options)
        return self._factory(**options)


def described(cell: RunConfig) -> dict[str, Any]:
    """What a manifest says of what a cell asks a model: the prompt, and the requests' parameters.

    Raises:
        MissingExtra: The policy needs something that is not installed.
        UsageError: Its options make no sense, or others are needed.
    """
    entrant = cell.entrant
    if not asks_a_model(entrant.policy):
        check_options(entrant.policy, POLICIES[entrant.policy], entrant.options)
        return {}
    _WIRE.load()  # to be told of what is not installed before anything is played
    settings: Any = _SETTINGS.load()
    describe: Any = _DESCRIBE.load()
    own = own_options(entrant.policy)
    options = _options_in(cell)
    asked = {name: value for name, value in options.items() if name not in own}
    found: dict[str, Any] = describe(settings.of(**asked))
    chosen = {name: options[name] for name in sorted(own & options.keys())}
    return {**found, "policy_options": chosen} if chosen else found


def _of_model(entrant: ModelConfig) -> dict[str, Any]:
    """The options that say how the model is asked, without those of the policy itself."""
    own = own_options(entrant.policy)
    return {name: value for name, value in entrant.options.items() if name not in own}


def _options_in(cell: RunConfig) -> dict[str, Any]:
    """Options of a policy in the style of its cell; the cache is the client's business."""
    options = {key: value for key, value in cell.entrant.options.items() if key != "cache"}
    return {**options, "style": cell.style, "knowledge": cell.knowledge}
