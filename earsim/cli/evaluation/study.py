"""`earsim study`: a question about policies in four stages, each a file that can be changed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from earsim.atomic import write_atomically
from earsim.cli.boundary import Code
from earsim.cli.evaluation.flags import FlagEntry, option_values, sweep_from
from earsim.cli.evaluation.live_table import LiveTable
from earsim.cli.report_screen import show_document
from earsim.cli.screen import Screen, complain, examples, safe
from earsim.errors import ServerFault, UsageError

if TYPE_CHECKING:
    from earsim.evaluation.study.grading import Grader

SELECT_EXAMPLES = examples(
    'earsim study select runs/grids "how fine must a grid be?" --suite laboratory',
    "earsim study select runs/grids --scenario heat_bay/the_slab",
)
CUSTOMISE_EXAMPLES = examples(
    'earsim study customise runs/grids --intent "success and refused commands"',
    "earsim study customise runs/grids --metric 'waste=mean(cost_units where success = 0)'",
    "earsim study customise runs/grids --rubric 'units=Are units given? | square metre | watt'",
)
EVALUATE_EXAMPLES = examples(
    "earsim study evaluate runs/grids --policy rule",
    "earsim study evaluate runs/grids --model Qwen/Qwen3-8B --base-url http://127.0.0.1:8000/v1",
)
REPORT_EXAMPLES = examples(
    "earsim study report runs/grids", "earsim study report runs/grids --out grids.html"
)
_NUMBERS = "Numbers of an episode: "

app = typer.Typer(
    no_args_is_help=True,
    help="A question about policies: select tasks, say what counts, evaluate, report. Each stage "
    "writes a file into the study's folder; change it and run the next stage again.",
    epilog=examples(
        'earsim study select runs/grids "how fine must a grid be?" --suite laboratory',
        'earsim study customise runs/grids --intent "success and refused commands"',
        "earsim study evaluate runs/grids --policy rule",
        "earsim study report runs/grids",
    ),
)

_Folder = Annotated[Path, typer.Argument(metavar="STUDY", help="Folder of the study.")]


@app.command("select", epilog=SELECT_EXAMPLES)
def select_(
    study: _Folder,
    question: Annotated[str, typer.Argument(help="In plain words.")] = "",
    suite: Annotated[list[str] | None, typer.Option(help="To search; may be repeated.")] = None,
    domain: Annotated[str, typer.Option(help="Only scenes of this domain.")] = "",
    most: Annotated[int, typer.Option(min=1, help="Scenarios at most.")] = 10,
    scenario: Annotated[
        list[str] | None, typer.Option(help="Choose by hand: SCENE/TASK; may be repeated.")
    ] = None,
) -> None:
    """Stage 1: choose scenarios that fit a question; writes selection.yaml with the reasons."""
    from earsim.evaluation.study.files import SELECTION
    from earsim.evaluation.study.select import by_hand, select
    from earsim.schema.files.dump import to_yaml

    if scenario:
        selection = by_hand(question, scenario)
    elif question:
        selection = select(question, suite or ["laboratory"], domain=domain, most=most)
    else:
        raise UsageError("give a question in plain words, or --scenario SCENE/TASK")
    _write(study / SELECTION, to_yaml(selection))
    screen = Screen()
    for choice in selection.chosen:
        screen.say(safe(choice.scenario), "  ", safe(choice.why))


@app.command("customise", epilog=CUSTOMISE_EXAMPLES)
def customise_(
    study: _Folder,
    intent: Annotated[str, typer.Option(help="What you want to know, in plain words.")] = "",
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=EXPRESSION", help="A metric of your own; may be repeated."),
    ] = None,
    rubric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=CRITERION|FACT", help="For a judge; may be repeated."),
    ] = None,
) -> None:
    """Stage 2: say what is measured; writes metrics.yaml.

    A name that a built-in metric has means that one. Expressions know + - * /, comparisons, and or
    not, and mean, min, max, sum, share, count over episodes, each with `where`.
    """
    from earsim.evaluation.study.customise import customise
    from earsim.evaluation.study.files import METRICS
    from earsim.evaluation.study.numbers import ALWAYS
    from earsim.schema.files.dump import to_yaml

    metrics = customise(intent, expressions=metric or (), rubrics=rubric or ())
    told = "".join(f"#   {name}: {says}\n" for name, says in ALWAYS.items())
    head = f"# {_NUMBERS}\n{told}#   APPARATUS_RESULT: as last read, such as lag_rig_settling_s\n"
    _write(study / METRICS, head + to_yaml(metrics))
    screen = Screen()
    screen.say("built-in: ", safe(", ".join(metrics.builtin)))
    for own in metrics.custom:
        screen.say(safe(f"{own.name}: {own.expression or (own.rubric and own.rubric.criterion)}"))


@app.command("evaluate", epilog=EVALUATE_EXAMPLES)
def evaluate_(
    study: _Folder,
    policy: Annotated[str | None, typer.Option(help="As of earsim eval.")] = None,
    model: Annotated[str | None, typer.Option(help="Name of the model at its server.")] = None,
    base_url: Annotated[
        list[str] | None, typer.Option(help="Of an OpenAI-compatible server; may be repeated.")
    ] = None,
    api_key_env: Annotated[
        str | None, typer.Option(help="Name of the environment variable with the key.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Of the policy.")
    ] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Of every scenario.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the first repeat.")] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Decisions per episode.")] = None,
    in_flight: Annotated[int | None, typer.Option(min=1, help="Episodes at the same time.")] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Grades rubrics; facts are looked for else.")
    ] = None,
    judge_url: Annotated[
        str | None, typer.Option(help="Of the judge's server; --base-url else.")
    ] = None,
    judge_option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Of the judge, such as max_tokens=200."),
    ] = None,
) -> None:
    """Stage 3: play the scenarios and score them; writes run/ and scores.json.

    The same command goes on where an earlier one stopped; a grade that was given is kept.
    """
    from earsim.evaluation.runs.evaluation import Evaluation
    from earsim.evaluation.study.files import (
        METRICS,
        RUN,
        SELECTION,
        StudyMetrics,
        StudySelection,
        read_stage,
    )
    from earsim.evaluation.study.score import score

    selection = read_stage(study, SELECTION, StudySelection)
    metrics = read_stage(study, METRICS, StudyMetrics)
    entry = FlagEntry(policy, model, base_url or (), api_key_env, option or ())
    if entry.is_empty:
        raise UsageError("say who plays: --policy rule, or --model NAME --base-url URL")
    suites = tuple(choice.scenario for choice in selection.chosen)
    changes: dict[str, Any] = {
        "suites": suites,
        "repeats": repeats,
        "seed": seed,
        "budget": budget,
        "in_flight": in_flight,
    }
    place = judge_url or next(iter(base_url or ()), None)
    grader = _grader(judge, place, api_key_env, judge_option or ())
    evaluation = Evaluation(sweep_from(None, entry, changes, ()), study / RUN)
    watch = LiveTable(evaluation.progress, Screen(stderr=True))
    try:
        with watch.watching(), closing(evaluation.run()) as episodes:
            for _ in episodes:
                watch.look()
        scores = score(study, metrics.custom, grader)
    except ServerFault as error:
        complain(str(error))
        raise typer.Exit(Code.MACHINE) from None
    measured = [e.numbers for e in scores.episodes if e.numbers is not None]
    won = sum(bool(numbers["success"]) for numbers in measured)
    Screen().say(
        f"{won} of {len(scores.episodes)} won, {len(scores.episodes) - len(measured)} not measured"
    )
    if len(measured) < len(scores.episodes):
        raise typer.Exit(Code.NO)


@app.command("report", epilog=REPORT_EXAMPLES)
def report_(
    study: _Folder,
    out: Annotated[
        Path | None, typer.Option(help="report.md of the study if none; .md or .html.")
    ] = None,
) -> None:
    """Stage 4: tables with intervals, per family, tools, and failures with where to see them."""
    from earsim.evaluation.study.files import (
        METRICS,
        REPORT,
        SCORES,
        SELECTION,
        StudyMetrics,
        StudySelection,
        read_stage,
        stage_file,
    )
    from earsim.evaluation.study.report import report
    from earsim.evaluation.study.score import load_scores
    from earsim.tables.html import html_page
    from earsim.tables.markdown import markdown

    document = report(
        study,
        read_stage(study, SELECTION, StudySelection),
        read_stage(study, METRICS, StudyMetrics),
        load_scores(stage_file(study, SCORES)),
    )
    target = out or study / REPORT
    if target.suffix not in (".md", ".html"):
        raise UsageError(f"--out {target}: expected .md or .html")
    _write(target, html_page(document) if target.suffix == ".html" else markdown(document))
    show_document(document)
    Screen(stderr=True).say(safe(f"written to {target}"))


def _grader(judge: str | None, url: str | None, key: str | None, options: Sequence[str]) -> Grader:
    from earsim.evaluation.study.grading import MODEL_GRADER, FactGrader

    if judge is None:
        return FactGrader()
    if url is None:
        raise UsageError("--judge asks a model: say where with --judge-url")
    make: Any = MODEL_GRADER.load()
    given = {**({"api_key_env": key} if key else {}), **option_values(options)}
    grader: Grader = make(**{**given, "model": judge, "base_url": url})
    return grader


def _write(path: Path, text: str) -> None:
    """Write a stage's file, with an earlier one kept beside it."""
    before = path.read_text(encoding="utf-8") if path.exists() else text
    if before != text:
        write_atomically(path.with_name(f"{path.name}.before"), before)
    write_atomically(path, text)
