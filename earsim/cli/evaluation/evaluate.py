"""`earsim eval`: policies and models over suites, many episodes at once, into one folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.boundary import Code
from earsim.cli.choosing import several_of
from earsim.cli.evaluation.dry_run import tell_rehearsal
from earsim.cli.evaluation.flags import FlagEntry, sweep_from
from earsim.cli.evaluation.live_table import LiveTable, standing
from earsim.cli.evaluation.serving import asked_at, serving_of, up
from earsim.cli.screen import Screen, complain, examples, safe
from earsim.errors import ServerFault, UsageError
from earsim.evaluation.policies import MODEL_POLICIES, POLICIES
from earsim.evaluation.runs.dry_run import require_room
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.executors import EXECUTORS
from earsim.evaluation.runs.jobs import WHOLE, Shard
from earsim.evaluation.runs.run_config import title
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.termination import EpisodeOutcome
from earsim.schema.choices import EndOn, Knowledge, Style

EXAMPLES = examples(
    "earsim eval --policy random --suite starter --repeats 3",
    "earsim eval --model Qwen/Qwen3-8B --base-url http://127.0.0.1:8000/v1 --suite starter",
    "earsim eval --serve Qwen/Qwen3-8B --suite starter --style chat --style paper",
    "earsim eval sweep.yaml --set repeats=3 --shard 2/8",
    "earsim eval sweep.yaml --dry-run",
)

_SHOWN_PROBLEMS = 5
_UNFIT = re.compile(r"[^A-Za-z0-9_.+-]+")


def command(
    sweep: Annotated[
        Path | None, typer.Argument(metavar="[SWEEP]", help="A sweep file; or use the flags.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            help=f"One of: {', '.join((*POLICIES, *MODEL_POLICIES))}.", show_default=False
        ),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Name of the model at its server.")] = None,
    base_url: Annotated[
        list[str] | None, typer.Option(help="Of an OpenAI-compatible server; may be repeated.")
    ] = None,
    api_key_env: Annotated[
        str | None, typer.Option(help="Name of the environment variable with the key.")
    ] = None,
    serve: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Start vLLM with this model meanwhile.")
    ] = None,
    vllm: Annotated[
        list[str] | None, typer.Option(help="With --serve: a further flag of vLLM.")
    ] = None,
    cpu: Annotated[
        bool, typer.Option("--cpu", help="With --serve: vLLM's CPU build, look for no GPU.")
    ] = False,
    tensor_parallel: Annotated[
        int | None, typer.Option(min=1, help="With --serve: GPUs that share the model.")
    ] = None,
    wait: Annotated[
        float | None, typer.Option(min=1, help="With --serve: seconds that loading may take.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Of the policy, such as temperature=0.2."),
    ] = None,
    suite: Annotated[
        list[str] | None,
        typer.Option(help="Name, path or scenario id; starter by default; may be repeated."),
    ] = None,
    style: Annotated[list[str] | None, several_of(Style, help="Of the prompts.")] = None,
    knowledge: Annotated[
        list[str] | None, several_of(Knowledge, help="global: every object is known.")
    ] = None,
    ruleset: Annotated[
        list[str] | None, typer.Option(help="Instead of each scenario's own; may be repeated.")
    ] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Of every scenario.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the first repeat.")] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Decisions per episode.")] = None,
    end_on: Annotated[
        EndOn | None, typer.Option(help="goal: end as soon as it is reached.")
    ] = None,
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    in_flight: Annotated[int | None, typer.Option(min=1, help="Episodes at the same time.")] = None,
    sandbox_level: Annotated[
        int | None, typer.Option(min=0, max=3, help="Isolation below which no code is executed.")
    ] = None,
    assign: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PLACE=VALUE", help="Change any setting: seed=7."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run; below runs by default.")
    ] = None,
    retry_errors: Annotated[
        bool, typer.Option("--retry-errors", help="Play again what came to no measurement.")
    ] = False,
    shard: Annotated[str | None, typer.Option(metavar="I/N", help="Only this part.")] = None,
    executor: Annotated[str, typer.Option(help=f"One of: {', '.join(EXECUTORS)}.")] = "here",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Of the executor; one per core by default.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the first prompt and what it all would cost.")
    ] = False,
) -> None:
    """Evaluate policies and models. The same command goes on where an earlier one stopped.

    Every episode is a success, a failure or no measurement; what could not be measured is listed,
    and counts in every rate. `earsim report` makes tables of the folder.
    """
    if serve is None and (vllm or cpu or tensor_parallel is not None or wait is not None):
        raise UsageError("--vllm, --cpu, --tensor-parallel and --wait go with --serve MODEL")
    if serve is not None and sweep is None:
        model = model or serve
    entry = FlagEntry(policy, model, base_url or (), api_key_env, option or ())
    changes = {
        "suites": suite,
        "styles": style,
        "knowledge": knowledge,
        "rulesets": ruleset,
        "repeats": repeats,
        "seed": seed,
        "budget": budget,
        "end_on": end_on,
        "category": category,
        "limit": limit,
        "in_flight": in_flight,
        "sandbox_level": sandbox_level,
    }
    asked = sweep_from(sweep, entry, changes, assign or ())
    serving = None
    if serve is not None:
        serving = serving_of(serve, vllm or (), cpu=cpu, tensor_parallel=tensor_parallel or 1)
        asked = asked_at(asked, serving)
    part = WHOLE if shard is None else Shard.read(shard)
    folder = out or Path("runs") / _name(sweep, asked, part)
    evaluation = Evaluation(asked, folder, shard=part)
    if dry_run:
        tell_rehearsal(evaluation, Screen())
        return
    EXECUTORS[executor]
    for cell in evaluation.cells:
        jobs = [job for job in evaluation.jobs if job.cell == cell.name]
        require_room(cell, jobs, evaluation.suites[cell.suite].suite)
    if serving is not None and not evaluation.anything_left(retry_errors=retry_errors):
        serving = None
    with up(serving, folder, wait=wait or 1_800.0):
        _evaluate(evaluation, retry_errors=retry_errors, executor=executor, workers=workers)


def _name(file: Path | None, sweep: Sweep, shard: Shard) -> str:
    """Names what is evaluated, by the file or by the flags that are not at their defaults."""
    if file is not None:
        parts = [file.stem]
    else:
        (entrant,) = sweep.models
        parts = ["eval", title(entrant), *sweep.suites, str(sweep.seed)]
        parts += [] if sweep.styles == ("chat",) else sweep.styles
        parts += [] if sweep.knowledge == ("explore",) else sweep.knowledge
        parts += [ruleset for ruleset in sweep.rulesets if ruleset]
        parts += [f"budget{sweep.budget}"] if sweep.budget else []
        parts += ["goal"] if sweep.end_on == "goal" else []
    parts += [] if shard == WHOLE else [f"shard{shard.number}of{shard.total}"]
    return "-".join(_UNFIT.sub("_", part) for part in parts)


def _evaluate(
    evaluation: Evaluation, *, retry_errors: bool, executor: str, workers: int | None
) -> None:
    screen, aside = Screen(), Screen(stderr=True)
    watch = LiveTable(evaluation.progress, aside)

    def begun() -> None:
        total = evaluation.progress.total
        before = f", {total.found:,} finished before" if total.found else ""
        aside.say(safe(f"{total.planned:,} episodes{before}, into {evaluation.folder}"))

    try:
        with watch.watching():
            run = evaluation.run(
                retry_errors=retry_errors, executor=executor, workers=workers, begun=begun
            )
            with closing(run) as episodes:
                for _ in episodes:
                    watch.look()
    except ServerFault as error:
        complain(str(error))
        raise typer.Exit(Code.MACHINE) from None
    finally:
        if evaluation.progress.total.done:
            screen.print(standing(evaluation.progress))
    _tell(evaluation, screen)
    total = evaluation.progress.total
    if total.not_measured or not total.done:
        raise typer.Exit(Code.NO)


def _tell(evaluation: Evaluation, screen: Screen) -> None:
    """Say what was not measured, what was played again, and where the run is."""
    if evaluation.replaced:
        screen.say(f"{evaluation.replaced:,} played again: scenario or ruleset has changed.")
    with Store.open(evaluation.folder, readonly=True) as store:
        episodes = list(store.episodes())
    _tell_endings(episodes, screen)
    rows = [row for row in episodes if row.outcome == EpisodeOutcome.NO_MEASUREMENT]
    if rows:
        for row in rows[:_SHOWN_PROBLEMS]:
            screen.say("  ", safe(f"{row.episode}: {row.error}"))
        screen.say("Play them again with --retry-errors.")


def _tell_endings(episodes: Sequence[EpisodeRow], screen: Screen) -> None:
    """How many episodes ended in which way, and how many replies could not be read."""
    lost = [row for row in episodes if row.outcome == EpisodeOutcome.NO_MEASUREMENT]
    kept = (row for row in episodes if row.outcome != EpisodeOutcome.NO_MEASUREMENT)
    measured = Counter(row.termination for row in kept)
    if measured:
        screen.say("ended by: ", safe(", ".join(f"{e} {n:,}" for e, n in measured.most_common())))
    for ending, count in Counter(row.termination for row in lost).items():
        screen.say(f"not measured: {count:,} by {ending}")
    unread = sum(row.extra.get("unreadable", 0) for row in episodes)
    if unread:
        decisions = sum(row.decisions for row in episodes)
        screen.say(f"replies that could not be read: {unread:,} of {decisions:,} decisions")
