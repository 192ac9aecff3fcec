"""`earsim run`: one policy over a suite, resumable, with honest numbers at the end."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from earsim.apparatus.bodies.confinement import DEFAULT_LEVEL
from earsim.cli.boundary import Code
from earsim.cli.progress import watched
from earsim.cli.screen import Screen, examples, percent, row, safe, table
from earsim.errors import UsageError
from earsim.evaluation.policies import POLICIES, make_policy
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import ModelConfig, Sweep
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.summary import RateRow, tabulate
from earsim.evaluation.termination import EpisodeOutcome
from earsim.schema.choices import EndOn
from earsim.suites.finding import find_suite

EXAMPLES = examples(
    "earsim run starter --policy random --seed 1",
    "earsim run crystal_lab/purest_sulphate --policy walkthrough",
    "earsim run eval-single --limit 50 --ruleset ear-bench",
    "earsim run starter --policy replay --trajectories runs/starter-random-1",
)

_SHOWN_PROBLEMS = 10


def command(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE|SCENARIO", help="Name, path or scenario id.")
    ] = "starter",
    policy: Annotated[str, typer.Option(help=f"One of: {', '.join(POLICIES)}.")] = "random",
    seed: Annotated[int, typer.Option(help="For policies that draw.")] = 0,
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    ruleset: Annotated[str | None, typer.Option(help="Instead of each scenario's own.")] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Decisions per episode.")] = None,
    end_on: Annotated[EndOn, typer.Option(help="goal: end as soon as it is reached.")] = "done",
    sandbox_level: Annotated[
        int, typer.Option(min=0, max=3, help="Isolation below which no code is executed.")
    ] = DEFAULT_LEVEL,
    trajectories: Annotated[
        Path | None, typer.Option(help="For --policy replay: whose commands to give again.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run; runs/SUITE-POLICY-SEED by default.")
    ] = None,
) -> None:
    """Let a policy play a suite. The same command goes on where an interrupted run stopped.

    Rates count every scenario: what could not be measured counts as not solved and is listed.
    """
    options = _options(policy, trajectories)
    make_policy(policy, **options)  # complains before anything is written
    sweep = Sweep(
        models=(ModelConfig(policy=policy, options=options),),
        suites=(suite,),
        rulesets=(ruleset,),
        seed=seed,
        budget=budget,
        end_on=end_on,
        category=category,
        limit=limit,
        sandbox_level=sandbox_level,
    )
    folder = out or Path("runs") / _name(find_suite(suite).suite.name, sweep)
    evaluation = Evaluation(sweep, folder)
    (cell,) = evaluation.cells
    screen, total = Screen(), len(evaluation.jobs)
    screen.say(
        safe(f"{policy} on {evaluation.suites[suite].suite.name}: {total} scenarios, into {folder}")
    )
    has_bar = Screen(stderr=True).is_terminal  # which a line in its midst would tear

    def begun() -> None:
        if not has_bar:
            _tell_skipped(screen, evaluation)

    with closing(evaluation.run(begun=begun)) as episodes:
        for _ in watched(episodes, total, policy, before=lambda: evaluation.progress.total.found):
            pass
    if has_bar:
        _tell_skipped(screen, evaluation)
    with Store.open(folder, readonly=True) as store:
        asked = {job.episode for job in evaluation.jobs}
        found = [row for row in store.episodes(cell.name) if row.episode in asked]
        rows = tabulate((row, store.steps(row.episode)) for row in found)
    screen.print(_table(rows))
    _tell(screen, found)
    if rows[-1].measured < rows[-1].episodes or not rows[-1].episodes:
        raise typer.Exit(Code.NO)


def _options(policy: str, trajectories: Path | None) -> dict[str, Any]:
    if policy == "replay" and trajectories is None:
        raise UsageError("--policy replay needs --trajectories: a run, or any folder of them")
    return {} if trajectories is None else {"trajectories": str(trajectories)}


def _name(suite: str, sweep: Sweep) -> str:
    """Names everything that decides the outcome and is not at its default; no times."""
    parts = [suite, sweep.models[0].policy, str(sweep.seed)]
    parts += [ruleset for ruleset in sweep.rulesets if ruleset]
    parts += [f"budget{sweep.budget}"] if sweep.budget else []
    parts += ["goal"] if sweep.end_on == "goal" else []
    return "-".join(parts)


def _tell_skipped(screen: Screen, evaluation: Evaluation) -> None:
    """Say what is skipped, and what is played again."""
    before = evaluation.progress.total.found
    if before:
        screen.say(f"{before} finished before and skipped.")
    if evaluation.replaced:
        screen.say(f"{evaluation.replaced} played again: scenario or ruleset has changed.")


def _tell(screen: Screen, episodes: list[EpisodeRow]) -> None:
    """Say what was not measured."""
    lost = [row for row in episodes if row.outcome == EpisodeOutcome.NO_MEASUREMENT]
    for each in lost[:_SHOWN_PROBLEMS]:
        screen.say("not measured: ", safe(f"{each.scenario_id}: {each.error}"))
    if len(lost) > _SHOWN_PROBLEMS:
        screen.say(f"... and {len(lost) - _SHOWN_PROBLEMS} more")


def _table(rows: list[RateRow]) -> Any:
    numbers = ("measured", "solved", "95 %", "ever solved", "95 % ever", "decisions", "accepted")
    shown = table("category", *numbers, numbers=numbers, whole=("category",))
    for each in rows:
        last = each is rows[-1]
        decisions = each.mean_decisions
        row(
            shown,
            each.category,
            f"{each.measured:,}/{each.episodes:,}",
            percent(each.rate(each.final)),
            _interval(each, each.final),
            percent(each.rate(each.latched)),
            _interval(each, each.latched),
            "-" if decisions is None else f"{decisions:.1f}",
            percent(each.accepted_share),
            style="bold" if last else "",
        )
    return shown


def _interval(counts: RateRow, successes: int) -> str:
    low, high = counts.interval(successes)
    return f"{100 * low:.0f}-{100 * high:.0f}"
