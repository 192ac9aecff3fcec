"""`python -m benchmarks.ocean`: threshold questions by the state machine agent, without a model.

The scripted analyst of `earsim_agents.science.statemachine.script` replies for the model, the same
for every row. It shows what a typed state with records is worth to it, and nothing of any model.
"""

from __future__ import annotations

import argparse
import asyncio

from earsim import Engine, Episode, open_suite
from earsim.envs.policy import PolicyContext, observations_of
from earsim.evaluation.policies import make_policy
from earsim.evaluation.summary import wilson
from earsim_agents.science.statemachine.policies import StateMachinePolicy
from earsim_agents.science.statemachine.script import scripted_analyst
from earsim_agents.scripted_server.client import ScriptedClient

TASKS = ("freshwater_from_the_north", "freshwater_from_the_south", "weaker_winds")
ROWS = (
    ("typed, records", {}),
    ("typed", {"records": "off"}),
    ("string", {"state": "string"}),
)


def play(options: dict[str, str] | None, task: str, seed: int) -> tuple[bool, int, int]:
    """Success, runs and refused tool calls of one episode; None plays policy `rule`."""
    engine = Engine(open_suite("laboratory").load(f"ocean_office/{task}"))
    episode = Episode(engine, end_on="done", budget=150)
    context = PolicyContext.of(episode, seed)
    failures = 0
    if options is None:
        rule = make_policy("rule")
        rule.reset(context)
        while not (episode.over or episode.truncated):
            episode.step(dict(rule.act(observations_of(episode)) or {}))
    else:
        client = ScriptedClient(scripted_analyst(seed))
        machine = StateMachinePolicy(client=client, model="scripted", **options)  # type: ignore[arg-type]  # names of options
        machine.reset(context)

        async def work() -> None:
            while not (episode.over or episode.truncated):
                episode.step(await machine.act(observations_of(episode)))

        asyncio.run(work())
        failures = getattr(machine.state, "failures", 0)
    timeline = episode.world.timeline
    assert timeline is not None, "a laboratory has a clock"
    assert timeline.lab is not None, "and apparatus"
    return episode.success, len(timeline.lab.runs), failures


def main() -> None:
    """Play everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ocean", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="of the analyst (%(default)s)")
    options = parser.parse_args()
    print("| agent | episodes | success % | 95 % | runs | refused |")
    print("|---|--:|--:|--:|--:|--:|")
    rows: list[tuple[str, dict[str, str] | None, int]] = [("rule", None, 1)]
    rows += [(name, dict(switches), options.seeds) for name, switches in ROWS]
    for name, switches, seeds in rows:
        found = [play(switches, task, seed) for task in TASKS for seed in range(seeds)]
        won, n = sum(success for success, _, _ in found), len(found)
        low, high = wilson(won, n)
        runs, refused = (sum(column) / n for column in list(zip(*found, strict=True))[1:])
        print(
            f"| {name} | {n} | {100 * won / n:.0f} | {100 * low:.0f}-{100 * high:.0f} | "
            f"{runs:.1f} | {refused:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
