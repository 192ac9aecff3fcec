"""`earsim export-sft`: episodes as data sets that trainers of language models read."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from earsim.cli.boundary import Code
from earsim.cli.progress import watched
from earsim.cli.screen import Screen, examples, line, row, safe, table
from earsim.errors import MissingExtra
from earsim.schema import Category
from earsim.schema.choices import Grammar, Knowledge, Style, Voices
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated

if TYPE_CHECKING:
    from earsim_training.export.card import ExportCounts
    from earsim_training.export.exporter import Export

EXAMPLES = examples(
    "earsim export-sft starter --policy expert --out data/starter",
    "earsim export-sft runs/gpt --style paper --form decisions --out data/gpt",
    "earsim export-sft starter --style compact --perturb 0.15 --repeats 3 --out data/recoveries",
    "earsim export-sft runs/tiny/eval --teacher expert --out data/corrected",
    "earsim export-sft records.json --out data/paper",
)

_SHOWN_PROBLEMS = 10


class FormChoice(StrEnum):
    """What a row holds."""

    DECISIONS = "decisions"
    EPISODES = "episodes"
    RECORDS = "records"


class FormatChoice(StrEnum):
    """In which files."""

    PARQUET = "parquet"
    JSONL = "jsonl"


def command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="RUN|SUITE|FILE",
            help="A run, a suite to be played now, a trajectory, or the paper's records.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder of the data set.")],
    policy: Annotated[
        str, typer.Option(help="Who plays a suite: oracle, expert, walkthrough.")
    ] = "expert",
    form: Annotated[
        list[FormChoice] | None,
        typer.Option(help="Rows of one reply, whole episodes, the paper's; may be repeated."),
    ] = None,
    format: Annotated[
        list[FormatChoice] | None, typer.Option(help="Both by default; Parquet needs pyarrow.")
    ] = None,
    style: Annotated[Style, typer.Option(help="Of the prompts.")] = "chat",
    knowledge: Annotated[
        Knowledge, typer.Option(help="global: every object is known.")
    ] = "explore",
    role: Annotated[
        Voices, typer.Option(help="One model for a team, or one for each agent.")
    ] = "centralized",
    grammar: Annotated[Grammar, typer.Option(help="Of the replies.")] = "strict",
    prompt: Annotated[
        Path | None, typer.Option(help="A prompt file of your own, or tiny-prompt.md.")
    ] = None,
    rationale: Annotated[
        bool, typer.Option("--rationale", help="Begin replies with what the command is for.")
    ] = False,
    category: Annotated[
        list[Category] | None, typer.Option(help="Only this category; may be repeated.")
    ] = None,
    failures: Annotated[
        bool, typer.Option("--failures", help="Take episodes that failed, too.")
    ] = False,
    refused: Annotated[
        bool, typer.Option("--refused", help="Teach commands that were refused, too.")
    ] = False,
    optimality: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Least ratio of the certified plan to the decisions."),
    ] = None,
    perturb: Annotated[
        float,
        typer.Option(min=0, max=0.9, help="Share of decisions led astray; these are not taught."),
    ] = 0.0,
    teacher: Annotated[
        str, typer.Option(help="Teach what expert or oracle would have said at every decision.")
    ] = "",
    repeats: Annotated[int, typer.Option(min=1, help="Of every scenario of a suite.")] = 1,
    ruleset: Annotated[str | None, typer.Option(help="Instead of each scenario's own.")] = None,
    validation: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the scenes kept for validation.")
    ] = 0.0,
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help="Keep rows that are the same as another.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    tokenizer: Annotated[
        str | None, typer.Option(help="Count its tokens instead of words; needs transformers.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes; all cores by default.")
    ] = None,
) -> None:
    """Write episodes as data sets: what a model is asked, and what it should answer.

    Prompts are those of `earsim eval`, byte for byte. A suite is played first, by a policy that
    knows how; a run is told as it was played. Episodes that fail are left out.
    """
    from earsim_training.export.card import words
    from earsim_training.export.exporter import Export
    from earsim_training.export.files import formats_at_hand
    from earsim_training.recipes import recipe_file

    settings: dict[str, Any] = {
        "telling": {
            "style": style,
            "knowledge": knowledge,
            "role": role,
            "grammar": grammar,
            "prompt": None if prompt is None else str(recipe_file(prompt)),
            "rationale": rationale,
        },
        "demonstrating": {
            "policy": policy,
            "ruleset": ruleset,
            "repeats": repeats,
            "perturb": perturb,
            "seed": seed,
            "teacher": teacher,
        },
        "choosing": {
            "failures": failures,
            "refused": refused,
            "optimality": optimality,
            "categories": tuple(category or ()),
            "validation": validation,
            "duplicates": duplicates,
        },
    }
    export = Export(
        source,
        _settings(settings, form),
        out,
        formats=[each.value for each in format] if format else formats_at_hand(),
        limit=limit,
        measure=words if tokenizer is None else _tokens(tokenizer),
        unit="words" if tokenizer is None else "tokens",
    )
    for _ in watched(export.run(jobs), export.total or 0, "exporting"):
        pass
    _tell(export, out)


def _settings(settings: dict[str, Any], form: list[FormChoice] | None) -> Any:
    """What was asked for.

    Raises:
        FileError: Some of it does not go together.
    """
    from earsim_training.export.settings import ExportSettings

    if settings["demonstrating"]["teacher"] and not form:
        settings["forms"] = ("decisions",)
    if form:
        settings["forms"] = tuple(dict.fromkeys(each.value for each in form))
    return validated(Document("the options", settings), ExportSettings)


def _tokens(name: str) -> Any:
    """The length of a text for a tokenizer.

    Raises:
        MissingExtra: transformers is not installed.
    """
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise MissingExtra(error.name or "transformers", "train") from error
    tokenizer = AutoTokenizer.from_pretrained(name)
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False))


def _tell(export: Export, out: Path) -> None:
    screen, tally = Screen(), export.tally
    if tally.amounts:
        screen.print(_amounts(tally))
    for reason, count in sorted(tally.left.items()):
        screen.say(f"left out: {count:,} because: {reason}")
    for problem in screen.first(tally.problems, _SHOWN_PROBLEMS):
        screen.say(safe(f"not played: {problem}"))
    if not tally.rows:
        screen.say("there is nothing to learn in it")
        raise typer.Exit(Code.NO)
    screen.say(line(f"written: {out}"))


def _amounts(tally: ExportCounts) -> Any:
    numbers = ("rows", "read", "learned", "longest", "same as another")
    shown = table("form", "split", *numbers, numbers=numbers, whole=("form", "split"))
    for (form, split), each in sorted(tally.amounts.items()):
        counts = (each.rows, each.prompt, each.reply, each.longest, each.duplicates)
        row(shown, form, split, *(f"{count:,}" for count in counts))
    return shown
