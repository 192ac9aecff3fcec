"""`python -m benchmarks.models`: how many model calls a core makes, and what prompts cost.

The model server is the scripted one, in a process of its own, and answers at once; so what is
measured is everything on this side: prompts, HTTP, parsing, the engine, and the answer cache.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from os.path import commonprefix
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from earsim import Engine, Episode, Scenario, open_suite
from earsim.envs.policy import PolicyContext, observations_of
from earsim.schema.records.model_call import ModelCall
from earsim_agents.centralized import CentralizedPolicy
from earsim_agents.client import Client, open_client

STYLES = ("chat", "paper")
IN_FLIGHT = 64
CALLS_PER_S = 500
REUSED_AT_20 = 0.9
FRESH_OF_PAPER = 0.2


class Rate(NamedTuple):
    """Calls of one style."""

    style: str
    calls: int
    per_cpu_s: float
    per_wall_s: float


class Cost(NamedTuple):
    """What prompts of one style cost, in bytes of message text.

    Attributes:
        sent: all that was sent.
        fresh: what no prefix cache could have of the episode's previous request.
        reused_at_20: share of turn 20 that is byte for byte the previous request's beginning, the
            least of all episodes that get there.
    """

    style: str
    sent: int
    fresh: int
    reused_at_20: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models", description=__doc__)
    parser.add_argument("--episodes", type=int, default=320, help="of each style")
    options = parser.parse_args()
    with server("--suite", "starter") as url:
        for style in STYLES:
            rate = asyncio.run(_rate(url, style, options.episodes))
            print(_line_of_rate(rate))
    print()
    with server("--suite", "starter") as url:
        solved = {style: asyncio.run(_cost(url, style, full=False)) for style in STYLES}
    with server("--say", "Action: EXPLORE") as url:
        full = {style: asyncio.run(_cost(url, style, full=True)) for style in STYLES}
    for title, costs in (("plans of the starter suite", solved), ("whole budgets", full)):
        _print_costs(title, costs)


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """A scripted server in a process of its own; yields its base URL."""
    command = [sys.executable, "-m", "earsim_agents.scripted_server", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


async def _rate(url: str, style: str, episodes: int) -> Rate:
    suite = open_suite("starter")
    scenarios = [suite.load(scenario_id) for scenario_id in suite.ids]
    chosen = [scenarios[i % len(scenarios)] for i in range(episodes)]
    gate = asyncio.Semaphore(IN_FLIGHT)
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "answers.sqlite"
        async with open_client(model="scripted", base_url=url, cache=str(cache)) as client:

            async def one(number: int, scenario: Scenario) -> int:
                async with gate:
                    return len(await _play(client, url, style, scenario, seed=number))

            cpu, wall = process_time(), perf_counter()
            counts = await asyncio.gather(*(one(*each) for each in enumerate(chosen)))
            cpu, wall = process_time() - cpu, perf_counter() - wall
    calls = sum(counts)
    return Rate(style, calls, calls / cpu, calls / wall)


async def _cost(url: str, style: str, *, full: bool) -> Cost:
    suite = open_suite("starter")
    sent = fresh = 0
    reused = []
    async with open_client(model="scripted", base_url=url) as client:
        for scenario_id in suite.ids:
            scenario = suite.load(scenario_id)
            if full and len(scenario.agents) > 1:
                continue  # one reply to everything commands one agent
            budget = 35 if full else None
            calls = await _play(client, url, style, scenario, budget=budget)
            texts = [_text(call) for call in calls]
            # Character by character is what is meant here.
            again = [len(commonprefix(pair)) for pair in pairwise(texts)]  # noqa: RUF071
            sent += sum(map(len, texts))
            fresh += sum(map(len, texts)) - sum(again)
            if len(texts) >= 20:
                reused.append(again[18] / len(texts[19]))
    return Cost(style, sent, fresh, min(reused, default=0.0))


async def _play(
    client: Client,
    url: str,
    style: str,
    scenario: Scenario,
    *,
    seed: int = 0,
    budget: int | None = None,
) -> list[ModelCall]:
    episode = Episode(Engine(scenario), budget=budget)
    settings: dict[str, Any] = {"model": "scripted", "base_url": url, "style": style}
    policy = CentralizedPolicy(client=client, **settings)
    instruction = episode.engine.instruction
    policy.reset(PolicyContext(instruction, episode.agents, episode.budget, seed, scenario))
    while not (episode.over or episode.truncated):
        episode.step(await policy.act(observations_of(episode)))
    return policy.take_calls()


def _text(call: ModelCall) -> str:
    """A request as it reaches a model, but for the template."""
    return "".join(f"<{m['role']}>{m['content']}" for m in call.request["messages"])


def _line_of_rate(rate: Rate) -> str:
    reached = "reached" if rate.per_cpu_s >= CALLS_PER_S else "MISSED"
    return (
        f"{rate.style:6} {rate.calls:7,} calls {rate.per_cpu_s:8,.0f} per CPU second "
        f"{rate.per_wall_s:8,.0f} per second   goal >= {CALLS_PER_S} {reached}"
    )


def _print_costs(title: str, costs: dict[str, Cost]) -> None:
    print(f"{title}, bytes        sent   not reusable   reused at turn 20")
    for style, cost in costs.items():
        print(f"{style:6} {cost.sent:24,} {cost.fresh:14,} {cost.reused_at_20:19.1%}")
    share = costs["chat"].fresh / costs["paper"].fresh
    verdicts = (share <= FRESH_OF_PAPER, costs["chat"].reused_at_20 >= REUSED_AT_20)
    told = ["reached" if verdict else "MISSED" for verdict in verdicts]
    print(f"chat needs {share:.1%} of paper's (goal <= {FRESH_OF_PAPER:.0%} {told[0]}); ", end="")
    print(f"at turn 20 goal >= {REUSED_AT_20:.0%} {told[1]}\n")


if __name__ == "__main__":
    main()
