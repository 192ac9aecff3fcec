"""What an episode uses: calls, tokens and money, for all roles and for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from earsim.evaluation.metrics.episode import CountedEpisode, RoleUsage
from earsim.evaluation.metrics.metric import Metric, MetricEstimate, MetricUnit, mean, ratio

ALL_ROLES = "all"


def calls(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Model calls per episode, by role."""
    return _per_episode(episodes, lambda used: used.calls)


def retries(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Attempts beyond the first per episode, by role."""
    return _per_episode(episodes, lambda used: used.retries)


def prompt_tokens(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Prompt tokens per episode, by role, those from a prefix cache included."""
    return _per_episode(episodes, lambda used: used.prompt)


def completion_tokens(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Completion tokens per episode, by role, reasoning included."""
    return _per_episode(episodes, lambda used: used.completion)


def total_tokens(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """All tokens per episode, by role."""
    return _per_episode(episodes, lambda used: used.tokens)


def cached_share(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Prompt tokens that the server found in its prefix cache, where it says so."""
    pairs = [
        (e.scenario_id, float(used.cached), float(used.prompt))
        for e in _called(episodes)
        for used in e.usage.values()
    ]
    return (ratio(pairs),)


def untold(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Calls without token counts: where this is not 0, the token metrics are lower bounds."""
    pairs = [
        (e.scenario_id, float(used.untold), float(used.calls))
        for e in _called(episodes)
        for used in e.usage.values()
    ]
    return (ratio(pairs),)


def cost(episodes: Sequence[CountedEpisode]) -> tuple[MetricEstimate, ...]:
    """Cost per episode, by role; only with prices."""
    priced = [
        each
        for each in _called(episodes)
        if all(used.cost is not None for used in each.usage.values())
    ]
    return _per_episode(priced, lambda used: used.cost or 0.0)


def _per_episode(
    episodes: Sequence[CountedEpisode], amount: Callable[[RoleUsage], float]
) -> tuple[MetricEstimate, ...]:
    called = _called(episodes)
    roles = list(dict.fromkeys(role for each in called for role in each.usage))
    if not roles:
        return (MetricEstimate(None, 0, part=ALL_ROLES),)

    def amounts(role: str) -> Iterator[tuple[str, float]]:
        for each in called:
            yield each.scenario_id, amount(each.usage.get(role, RoleUsage()))

    whole = [(e.scenario_id, float(sum(map(amount, e.usage.values())))) for e in called]
    parts = [mean(amounts(role), part=role) for role in roles]
    return (mean(whole, part=ALL_ROLES), *parts)


def _called(episodes: Sequence[CountedEpisode]) -> list[CountedEpisode]:
    return [each for each in episodes if each.measured and each.usage]


_EPISODES = "measured episodes with at least one model call"

METRICS = (
    Metric(
        "tokens.total",
        "tokens",
        "sum of prompt and completion tokens / episodes",
        _EPISODES,
        MetricUnit.TOKENS,
        total_tokens,
    ),
    Metric(
        "tokens.prompt",
        "prompt tokens",
        "sum of prompt tokens / episodes",
        _EPISODES,
        MetricUnit.TOKENS,
        prompt_tokens,
    ),
    Metric(
        "tokens.completion",
        "completion tokens",
        "sum of completion tokens / episodes",
        _EPISODES,
        MetricUnit.TOKENS,
        completion_tokens,
    ),
    Metric(
        "tokens.cached",
        "prompt tokens cached",
        "sum of cached prompt tokens / sum of prompt tokens",
        "prompt tokens of measured episodes",
        MetricUnit.SHARE,
        cached_share,
    ),
    Metric(
        "tokens.untold",
        "calls without counts",
        "model calls without token counts / model calls",
        "model calls of measured episodes",
        MetricUnit.SHARE,
        untold,
    ),
    Metric("calls", "model calls", "model calls / episodes", _EPISODES, MetricUnit.CALLS, calls),
    Metric(
        "calls.retries",
        "retries",
        "sum of (attempts - 1) / episodes",
        _EPISODES,
        MetricUnit.CALLS,
        retries,
    ),
    Metric(
        "cost",
        "cost",
        "sum over calls of (uncached prompt x its price + cached prompt x its price + completion x "
        "its price) / episodes; a call answered from the response cache costs what it cost first",
        "measured episodes of which every call has a price",
        MetricUnit.MONEY,
        cost,
    ),
)
