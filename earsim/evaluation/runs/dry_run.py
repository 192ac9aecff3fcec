"""A rehearsal: the first prompt of each cell, and what the run would take; nothing is sent."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from earsim.envs.policy import PolicyContext, observations_of
from earsim.errors import EarSimError, NoRoomToBegin, UsageError
from earsim.evaluation.policies import asks_a_model
from earsim.evaluation.runs.jobs import Job
from earsim.evaluation.runs.players import ModelPlayers
from earsim.evaluation.runs.recorder import begin
from earsim.evaluation.runs.run_config import RunConfig
from earsim.schema import Scenario
from earsim.suites import Suite

BYTES_PER_TOKEN = 4.0
"""A rule of thumb for English and JSON; tokenizers differ by a third in either direction."""

_PROBED = 12
"""Scenarios of a cell that are rehearsed, evenly spread over it."""


class DryRun(NamedTuple):
    """What a cell would take, if every episode took its whole budget.

    Attributes:
        scenario_id: whose first prompt is shown.
        request: its first request, as it would be sent; None for a policy that asks no model.
        episodes: to be played.
        calls: at most, one per decision and agent that is asked.
        prompt_tokens: about as many at most, were all prompts as long as the first.
        completion_tokens: at most, by the limit that is sent.
        cost: of all that; None without a price.
    """

    cell: str
    scenario_id: str
    request: dict[str, Any] | None
    episodes: int
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None


class _Sent(Exception):
    """What a policy wanted to send."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body


class _Nobody:
    """A client that asks nobody: the first request ends the rehearsal."""

    async def ask(self, request: Any, settings: Any, **about: Any) -> Any:
        raise _Sent(request.body)

    async def context_tokens(self, settings: Any) -> int | None:
        limit: int | None = settings.context_tokens
        return limit


def dry_run(cell: RunConfig, jobs: Sequence[Job], suite: Suite) -> DryRun:
    """What the jobs of a cell would take.

    Raises:
        EarSimError: The policy cannot be made, or no scenario of the cell can be loaded.
    """
    if not asks_a_model(cell.entrant.policy):
        return DryRun(cell.name, "", None, len(jobs))
    probes = jobs[:: math.ceil(len(jobs) / _PROBED)]
    found = asyncio.run(_probe(cell, probes, suite))
    share = len(jobs) / len(found)
    calls = round(share * sum(each.calls for each in found))
    prompt = round(share * sum(each.calls * tokens_in(each.request) for each in found))
    completion = round(share * sum(each.calls * _limit(each.request) for each in found))
    price = cell.entrant.price
    return DryRun(
        cell=cell.name,
        scenario_id=found[0].scenario_id,
        request=found[0].request,
        episodes=len(jobs),
        calls=calls,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=None if price is None else price.cost(prompt, completion),
    )


def require_room(cell: RunConfig, jobs: Sequence[Job], suite: Suite) -> None:
    """See to it that the first prompt of a cell fits the context that its options state.

    Raises:
        UsageError: It does not, by the estimate that the run would go by.
    """
    stated = cell.entrant.options.get("context_tokens")
    if stated is None or not jobs or not asks_a_model(cell.entrant.policy):
        return
    try:
        asyncio.run(_probe(cell, jobs[:1], suite))
    except NoRoomToBegin as error:
        raise UsageError(
            f"{cell.name}: {error}; lower max_tokens, or raise context_tokens"
        ) from None


class _Probe(NamedTuple):
    scenario_id: str
    request: dict[str, Any]
    calls: int


async def _probe(cell: RunConfig, jobs: Sequence[Job], suite: Suite) -> list[_Probe]:
    players = ModelPlayers(cell.entrant, _Nobody(), in_flight=1)
    found: list[_Probe] = []
    problem: EarSimError | None = None
    for job in jobs:
        try:
            scenario = suite.load(job.scenario_id)
        except EarSimError as error:
            problem = error
            continue
        found.append(await _first(cell, scenario, job.repeat, players))
    if problem is not None and not found:
        raise problem
    return found


async def _first(cell: RunConfig, scenario: Scenario, repeat: int, players: ModelPlayers) -> _Probe:
    episode = begin(scenario, cell.episode)
    policy = players.policy(cell)
    policy.reset(PolicyContext.of(episode, cell.seed + repeat))
    body: dict[str, Any] = {}
    try:
        await policy.act(observations_of(episode))
    except _Sent as sent:
        body = sent.body
    except BaseExceptionGroup as several:  # one question per agent, all at once
        body = next(each.body for each in several.exceptions if isinstance(each, _Sent))
    finally:
        await policy.close()
    asked = len(episode.agents) if cell.entrant.policy == "decentralized" else 1
    return _Probe(scenario.id, body, episode.budget * asked)


def tokens_in(request: dict[str, Any]) -> int:
    """About how many tokens the messages of a request have."""
    size = sum(len(str(message["content"]).encode()) for message in request.get("messages", ()))
    return math.ceil(size / BYTES_PER_TOKEN)


def _limit(request: dict[str, Any]) -> int:
    limit = request.get("max_tokens", request.get("max_completion_tokens", 0))
    return limit if isinstance(limit, int) else 0
