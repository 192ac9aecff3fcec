"""`earsim review`: a person tries generated tasks, and accepts, rejects or corrects them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from earsim.cli.boundary import Code
from earsim.cli.playing.play_screen import PlayScreen
from earsim.cli.playing.prompt import open_prompt
from earsim.cli.progress import watched
from earsim.cli.screen import Screen, complain, examples, percent, row, safe, table
from earsim.errors import UsageError
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.registry import Lazy
from earsim.schema import Category

Reviewed: TypeAlias = Any
"""An `earsim_generators.review.ReviewedSuite`: that package lies above this one."""

EXAMPLES = examples(
    "earsim review mine --reviewer ada",
    "earsim review mine --summary",
    "earsim review mine --export accepted.jsonl.gz",
    "printf 'play\\nexplore\\nquit\\nreject the lamp is lit already\\n' | "
    "earsim review mine --reviewer bo",
)

_FIND = Lazy("earsim_generators.review:find_reviewed_suite")
_BEGIN = Lazy("earsim_generators.review:begin_session")
_SUMMARY = Lazy("earsim_generators.review:summary_of")
_CHECK_TARGET = Lazy("earsim_generators.review.export:check_target")
_CHOSEN = Lazy("earsim_generators.review.export:chosen")
_WRITE = Lazy("earsim_generators.review.export:write")


def command(
    what: Annotated[
        str, typer.Argument(metavar="DIR|SUITE", help="A generator's folder, or a suite of yours.")
    ],
    reviewer: Annotated[
        str | None, typer.Option(help="Your name: letters, digits, _ . and -")
    ] = None,
    category: Annotated[Category | None, typer.Option(help="Only this category.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Also what you decided before.")] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Show what was decided, and how far you agree.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --summary: for programs.")] = False,
    export: Annotated[
        Path | None, typer.Option(help="Write what was accepted to this .jsonl or .jsonl.gz file.")
    ] = None,
    nodes: Annotated[
        int, typer.Option(min=1, help="With --export: states each search may reach.")
    ] = DEFAULT_NODE_LIMIT,
) -> None:
    """Review generated tasks: play them, see their proofs, accept, reject or correct them.

    Decisions are added to reviews/ beside the suite, under your name; the suite itself is not
    changed. An export holds what more reviewers are for than against, corrections proved anew.
    """
    find_reviewed: Any = _FIND.load()
    reviewed = find_reviewed(what)
    if summary:
        _summarise(reviewed, category, as_json=as_json)
    elif export is not None:
        _export(reviewed, export, nodes)
    else:
        _sit(reviewed, reviewer, category, what, again=again)


def _sit(
    reviewed: Reviewed, reviewer: str | None, category: Category | None, what: str, *, again: bool
) -> None:
    if reviewer is None:
        raise UsageError("say who you are: --reviewer NAME")
    begin: Any = _BEGIN.load()
    session = begin(reviewed, reviewer, category=category, again=again)
    screen = PlayScreen()
    screen.tell(session.opening())
    if not session.over:
        ask = open_prompt(session.completions)
        try:
            while not session.over:
                screen.tell(session.hear(ask(session.prompt())))
        except (EOFError, KeyboardInterrupt):
            screen.blank()
            session.leave_game()
    screen.note(f"{session.decided:,} decided, {session.left:,} left.")
    if session.left:
        screen.note(f"To go on: earsim review {what} --reviewer {reviewer}")


# -- the export ------------------------------------------------------------------------------------


def _export(reviewed: Reviewed, path: Path, nodes: int) -> None:
    check_target: Any = _CHECK_TARGET.load()
    chosen: Any = _CHOSEN.load()
    write: Any = _WRITE.load()
    check_target(reviewed, path)
    found = list(watched(chosen(reviewed, nodes=nodes), len(reviewed.suite), "proving"))
    count = write(found, path)
    screen = Screen()
    standings = Counter(each.consensus.value for each in found)
    told = ", ".join(f"{number:,} {name}" for name, number in sorted(standings.items()))
    screen.say(safe(f"{count:,} of {len(found):,} scenarios in {path} ({told})."))
    for each in found:
        if each.problem:
            screen.say(safe(f"left out: {each.id}: {each.problem}"))
    if not count:
        complain("nothing was accepted that could be exported")
        raise typer.Exit(Code.NO)


# -- the summary -----------------------------------------------------------------------------------


def _summarise(reviewed: Reviewed, category: Category | None, *, as_json: bool) -> None:
    summary_of: Any = _SUMMARY.load()
    found = summary_of(reviewed, category)
    if as_json:
        typer.echo(json.dumps(found.as_data(), indent=2))
        return
    screen = Screen()
    told = ", ".join(f"{count:,} {name}" for name, count in found.standings.items())
    screen.say(safe(f"{found.scenarios:,} scenarios of {reviewed.source}: {told}"))
    if found.reviewers:
        _tell_reviewers(screen, found)
    if len(found.reviewers) > 1:
        _tell_agreement(screen, found.agreement)


def _tell_reviewers(screen: Screen, summary: Any) -> None:
    numbers = ("decided", "accept", "correct", "reject", "tried", "won")
    shown = table("reviewer", *numbers, numbers=numbers)
    for name, counts in summary.reviewers.items():
        row(shown, name, *(f"{getattr(counts, number):,}" for number in numbers))
    screen.print(shown)


def _tell_agreement(screen: Screen, agreement: Any) -> None:
    numbers = ("both decided", "alike", "Cohen's kappa")
    shown = table("pair", *numbers, numbers=numbers)
    for pair in agreement.pairs:
        figures = (f"{pair.scenarios:,}", f"{pair.agree:,}", _kappa(pair.kappa))
        row(shown, f"{pair.one}, {pair.other}", *figures)
    screen.print(shown)
    screen.say(
        f"Raw agreement {percent(agreement.raw)} on {agreement.shared:,} scenarios that two or "
        f"more decided; Fleiss' kappa {_kappa(agreement.fleiss)} on {agreement.complete:,} that "
        f"all {len(agreement.reviewers)} did."
    )


def _kappa(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
