"""`earsim run`: one policy over a suite, resumable, with honest numbers at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from earsim.cli.boundary import Code
from earsim.cli.progress import watched
from earsim.cli.screen import Screen, examples, percent, row, safe, table
from earsim.errors import UsageError
from earsim.evaluation.policies import POLICIES
from earsim.evaluation.run_folder import RunFolder
from earsim.evaluation.runner import Played, run_suite
from earsim.evaluation.summary import RateRow, tabulate
from earsim.schema.choices import EndOn
from earsim.schema.records.manifest import EpisodeSettings, RunSettings
from earsim.suites.finding import find_suite

NAME = "run"
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
    found = find_suite(suite)
    settings = RunSettings(
        suite=found.source,
        policy=policy,
        options=_options(policy, trajectories),
        seed=seed,
        episode=EpisodeSettings(ruleset=ruleset, budget=budget, end_on=end_on),
    )
    folder = RunFolder(out or Path("runs") / _name(found.suite.name, settings))
    chosen = found.suite.select(category=category, limit=limit)
    screen = Screen()
    screen.say(safe(f"{policy} on {found.suite.name}: {len(chosen)} scenarios, into {folder.path}"))
    report = _RunReport()
    played = run_suite(chosen, settings, folder)
    rows = tabulate(report.noted(watched(played, len(chosen), policy)))
    screen.print(_table(rows))
    report.tell(screen, folder)
    if rows[-1].measured < rows[-1].episodes or not rows[-1].episodes:
        raise typer.Exit(Code.NO)


def _options(policy: str, trajectories: Path | None) -> dict[str, Any]:
    if policy == "replay" and trajectories is None:
        raise UsageError("--policy replay needs --trajectories: a run, or any folder of them")
    return {} if trajectories is None else {"trajectories": str(trajectories)}


def _name(suite: str, settings: RunSettings) -> str:
    """Names everything that decides the outcome and is not at its default; no times."""
    episode = settings.episode
    parts = [suite, settings.policy, str(settings.seed)]
    parts += [episode.ruleset] if episode.ruleset else []
    parts += [f"budget{episode.budget}"] if episode.budget else []
    parts += ["goal"] if episode.end_on == "goal" else []
    return "-".join(parts)


class _RunReport:
    """What is told besides the table."""

    def __init__(self) -> None:
        self.resumed = 0
        self.problems: list[Played] = []

    def noted(self, episodes: Iterator[Played]) -> Iterator[Played]:
        """The episodes, with whatever is worth telling remembered as they pass."""
        for played in episodes:
            self.resumed += played.resumed
            if played.problem:
                self.problems.append(played)
            yield played

    def tell(self, screen: Screen, folder: RunFolder) -> None:
        """Say what was not measured, what was skipped, and where the run is."""
        for played in self.problems[:_SHOWN_PROBLEMS]:
            screen.say("not measured: ", safe(f"{played.id}: {played.problem}"))
        if len(self.problems) > _SHOWN_PROBLEMS:
            screen.say(f"... and {len(self.problems) - _SHOWN_PROBLEMS} more, see the manifest")
        if self.resumed:
            screen.say(f"{self.resumed} finished before and skipped.")
        if folder.replaced:
            screen.say(f"{len(folder.replaced)} played again: scenario or ruleset has changed.")


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
