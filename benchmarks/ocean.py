"""`python -m benchmarks.ocean`: the ten threshold questions of `ocean_office`, without a model.

Policies `rule` (doubling and bisection) and `grid` (coarse to fine) play each once, for they never
differ; the state machine agent plays each as often as asked for, with the scripted analyst of
`earsim_agents.science.statemachine.script` in the model's place, the same for each of its rows. It
shows what a typed state with records is worth to that analyst, and nothing of any model.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from earsim import Engine, Episode, Scenario, open_suite
from earsim.envs.policy import PolicyContext, observations_of
from earsim.evaluation.metrics.moves import illegal_moves
from earsim.evaluation.policies import make_policy
from earsim.evaluation.summary import wilson
from earsim.planner.laboratory.threshold_outcome import ThresholdOutcome, threshold_outcomes
from earsim_agents.science.statemachine.policies import StateMachinePolicy
from earsim_agents.science.statemachine.script import scripted_analyst
from earsim_agents.scripted_server.client import ScriptedClient

TASKS: Mapping[str, tuple[str, str, str]] = {
    "freshwater_from_the_north": ("7.75e5 (22)", "4.5e5 (16)", "8.0e5 (3)"),
    "freshwater_from_the_south": ("1.45e6 (21)", "none (7)", "4.5e5 (5)"),
    "weaker_winds": ("1.50e7 (22)", "2.4e7 (5)", "1.50e7 (4)"),
    "another_start": ("none (11)", "-", "none (4)"),
    "stronger_mixing": ("none (23)", "1e4 (1)", "3000 (6)"),
    "weaker_mixing": ("none (11)", "1e4 (17)", "none (6)"),
    "sinking_made_hard": ("none (38)", "1.4e-4 (16)", "none (6)"),
    "between_the_basins": ("1e-5 (14)", "7e-5 (6)", "1e-5 (2)"),
    "which_way_mixing": ("down (29)", "neither (19)", "up (2)"),
    "a_warmer_north": ("5.5 (17)", "-", "4 (4)"),
}
"""The questions in their order, with the printed grid, stateless and stateful agent (Millison et
al.); n in brackets."""

MACHINES: Mapping[str, Mapping[str, str]] = {
    "typed, records": {},
    "typed": {"records": "off"},
    "string": {"state": "string"},
}
_BUDGET = 200


class Played(NamedTuple):
    """One episode: the answer, refused values, and moves that the table does not have."""

    found: ThresholdOutcome
    violations: int
    moves: int | None


def scenario_of(task: str, *, limited: bool) -> Scenario:
    """The scenario of a question; without its limit of runs unless that is to be kept."""
    scenario = open_suite("laboratory").load(f"ocean_office/{task}")
    if limited:
        return scenario
    free = scenario.task.model_copy(update={"limits": {}})
    return scenario.model_copy(update={"task": free})


def by_policy(name: str, scenario: Scenario, budget: int | None) -> Played:
    """An episode of a policy that asks nobody."""
    policy = make_policy(name)

    async def act(episode: Episode) -> Mapping[str, str] | None:
        return policy.act(observations_of(episode))

    return _played(scenario, budget, policy.reset, act, lambda: None, 0)


def by_machine(
    switches: Mapping[str, str], scenario: Scenario, budget: int | None, seed: int
) -> Played:
    """An episode of the state machine agent with a scripted analyst."""
    client = ScriptedClient(scripted_analyst(seed))
    machine = StateMachinePolicy(client=client, model="scripted", **switches)  # type: ignore[arg-type]  # names of options

    async def act(episode: Episode) -> Mapping[str, str] | None:
        return await machine.act(observations_of(episode))

    def moves() -> int | None:
        return None if machine.state is None else illegal_moves(machine.state.model_dump())

    return _played(scenario, budget, machine.reset, act, moves, seed)


def _played(
    scenario: Scenario,
    budget: int | None,
    reset: Callable[[PolicyContext], None],
    act: Callable[[Episode], Awaitable[Mapping[str, str] | None]],
    moves: Callable[[], int | None],
    seed: int,
) -> Played:
    episode = Episode(Engine(scenario), end_on="done", budget=budget)
    reset(PolicyContext.of(episode, seed))
    reasons: Counter[str] = Counter()

    async def work() -> None:
        while not (episode.over or episode.truncated):
            decision = episode.step(await act(episode))
            reasons.update(each.reason for each in decision.outcomes.values() if each.reason)

    asyncio.run(work())
    (found,) = threshold_outcomes(episode.engine, episode.world)
    return Played(found, reasons["out_of_bounds"], moves())


# -- tables ----------------------------------------------------------------------------------------


def _summary(rows: Mapping[str, Mapping[str, Sequence[Played]]]) -> None:
    print("| agent | episodes | correct % | 95 % | exact % | magnitude % | n | most | repeated "
          "| bound violations | invalid transitions |")  # fmt: skip
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, by_task in rows.items():
        played = [each for episodes in by_task.values() for each in episodes]
        found = [each.found for each in played]
        won = sum(each.correct for each in found)
        low, high = wilson(won, len(found))
        moves = [each.moves for each in played if each.moves is not None]
        print(
            f"| {name} | {len(found)} | {100 * won / len(found):.0f} "
            f"| {100 * low:.0f}-{100 * high:.0f} "
            f"| {100 * mean(each.exact for each in found):.0f} "
            f"| {100 * mean(each.magnitude for each in found):.0f} "
            f"| {mean(each.changed for each in found):.1f} "
            f"| {max(each.changed for each in found)} "
            f"| {mean(each.repeated for each in found):.1f} "
            f"| {mean(each.violations for each in played):.1f} "
            f"| {f'{mean(moves):.1f}' if moves else '-'} |",
            flush=True,
        )


def _questions(rows: Mapping[str, Mapping[str, Sequence[Played]]]) -> None:
    print("\n| # | question | reference | printed grid (n) | stateless (n) | state (n) |"
          + "".join(f" {name} (n) |" for name in rows))  # fmt: skip
    print("|--:|---" + "|--:" * (4 + len(rows)) + "|")
    for number, (task, printed) in enumerate(TASKS.items(), start=1):
        reference = next(iter(rows.values()))[task][0].found.reference
        cells = [_cell([each.found for each in by_task[task]]) for by_task in rows.values()]
        print(f"| {number} | {task} | {_said(reference)} | {' | '.join((*printed, *cells))} |")


def _cell(found: Sequence[ThresholdOutcome]) -> str:
    """The most frequent answer with mean runs, and how many of several were correct."""
    (answer, _), *_ = Counter(_said(each.answer) for each in found).most_common()
    won = f", {sum(each.correct for each in found)}/{len(found)}" if len(found) > 1 else ""
    return f"{answer} ({mean(each.changed for each in found):.3g}{won})"


def _said(value: object) -> str:
    if value is None:
        return "no answer"
    return f"{value:.4g}" if isinstance(value, int | float) else str(value)


def main() -> None:
    """Play everything and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ocean", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="of the analyst (%(default)s)")
    parser.add_argument("--limits", action="store_true", help="keep the limits of the tasks")
    options = parser.parse_args()
    scenarios = {task: scenario_of(task, limited=options.limits) for task in TASKS}
    budget = None if options.limits else _BUDGET
    rows: dict[str, dict[str, list[Played]]] = {
        name: {task: [by_policy(name, each, budget)] for task, each in scenarios.items()}
        for name in ("rule", "grid")
    }
    for name, switches in MACHINES.items():
        rows[name] = {
            task: [by_machine(switches, each, budget, seed) for seed in range(options.seeds)]
            for task, each in scenarios.items()
        }
    _summary(rows)
    _questions(rows)


if __name__ == "__main__":
    main()
