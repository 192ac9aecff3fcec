"""`python -m benchmarks.embodied`: the embodied agent and its ablations without a model.

A scripted engineer of `earsim_agents.science.embodied.script` replies for the model, with the
same seeds and the same faults for every row: it shows what perception and reflection are worth to
one who errs so, and nothing of any model. With `--showing 0.8` its faults are planted, and 80 %
of them show while their run goes on.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from earsim import Engine, Episode, open_suite
from earsim.envs.policy import PolicyContext, observations_of
from earsim.evaluation.summary import wilson
from earsim_agents.science.embodied.policies import CodeActPolicy, DirectPolicy, EmbodiedPolicy
from earsim_agents.science.embodied.script import faulty, scripted
from earsim_agents.scripted_server.client import ScriptedClient

TASKS = ("tune_for_the_open_day", "stop_it_and_mend_it")
ROWS: tuple[tuple[str, Any, dict[str, str]], ...] = (
    ("embodied", EmbodiedPolicy, {}),
    ("no reflection", EmbodiedPolicy, {"reflection": "off"}),
    ("no perception", EmbodiedPolicy, {"perception": "off"}),
    ("neither", EmbodiedPolicy, {"perception": "off", "reflection": "off"}),
    ("codeact", CodeActPolicy, {}),
    ("direct", DirectPolicy, {}),
)


class Outcome(NamedTuple):
    """What came of one episode.

    Attributes:
        success: the goal of the task holds at the end.
        score: share of the goal that holds.
        spent: euros for runs.
        turns: calls of the generator.
        stops: runs that were stopped.
    """

    success: bool
    score: float
    spent: float
    turns: int
    stops: int


def play(
    kind: Any,
    options: dict[str, str],
    task: str,
    seed: int,
    *,
    script: Callable[[int], Any] = scripted,
) -> Outcome:
    """One episode with a scripted engineer."""
    engine = Engine(open_suite("laboratory").load(f"control_lab/{task}"))
    episode = Episode(engine, end_on="done", budget=120)
    policy = kind(client=ScriptedClient(script(seed)), model="scripted", **options)
    policy.reset(PolicyContext.of(episode, seed))

    async def work() -> None:
        while not (episode.over or episode.truncated):
            episode.step(await policy.act(observations_of(episode)))

    asyncio.run(work())
    timeline = episode.world.timeline
    assert timeline is not None, "a laboratory has a clock"
    assert timeline.lab is not None, "and apparatus"
    score = episode.score / episode.max_score
    spent = timeline.lab.booked("eur")
    return Outcome(episode.success, score, spent, policy.state.turns, policy.state.stops)


def main() -> None:
    """Play everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embodied", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="of the engineer (%(default)s)")
    parser.add_argument(
        "--showing", type=float, help="plant faults, of which this share shows while a run goes on"
    )
    options = parser.parse_args()
    script = scripted
    if options.showing is not None:
        script = partial(faulty, showing=options.showing)
    print("| policy | episodes | success % | 95 % | score % | euros | turns | stops |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for name, kind, switches in ROWS:
        found = [
            play(kind, switches, task, seed, script=script)
            for task in TASKS
            for seed in range(options.seeds)
        ]
        won, n = sum(each.success for each in found), len(found)
        low, high = wilson(won, n)
        means = [sum(column) / n for column in zip(*(each[1:] for each in found), strict=True)]
        score, spent, turns, stops = means
        print(
            f"| {name} | {n} | {100 * won / n:.0f} | {100 * low:.0f}-{100 * high:.0f} | "
            f"{100 * score:.0f} | {spent:.2f} | {turns:.2f} | {stops:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
