"""`earsim submit`: a leaderboard file of finished runs, or the check of one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earsim.atomic import write_atomically
from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, examples, line, percent, row, safe, table
from earsim.errors import UsageError
from earsim.evaluation.leaderboard.building import leaderboard
from earsim.evaluation.leaderboard.checking import CheckedLeaderboard, check_leaderboard
from earsim.schema.files.dump import to_json
from earsim.schema.leaderboard import Leaderboard, LeaderboardEntry

EXAMPLES = examples(
    "earsim submit runs/mine --out mine.json",
    "earsim submit runs/small runs/large --suite earsim-bench-mini",
    "earsim submit --check mine.json runs/mine",
)


def command(
    runs: Annotated[
        list[Path] | None, typer.Argument(metavar="RUN...", help="Folders of finished runs.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="File of the leaderboard; standard output if none.")
    ] = None,
    suite: Annotated[
        str | None, typer.Option(help="Only what was played of this suite, as the runs call it.")
    ] = None,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Check this file instead of writing one.")
    ] = None,
    certificates: Annotated[
        Path | None, typer.Option(help="Folder of certificates, where they are not found.")
    ] = None,
) -> None:
    """Write a leaderboard file: scores with intervals, costs, versions, hashes of all that counts.

    Every episode is replayed. Runs that are not finished, not wholly measured, not as replayed, of
    part of a suite or of one that has changed are refused, and so are several suites in one file.
    --check says what is wrong in a file; where its runs lie beside it or are given, every number is
    computed again. Exit 1 if one differs.
    """
    if check is not None:
        _check(check, runs or [], certificates)
    elif not runs:
        raise UsageError("say which runs, or --check FILE")
    else:
        _write(leaderboard(runs, suite=suite, certificates=certificates), out)


def _write(board: Leaderboard, out: Path | None) -> None:
    text = f"{to_json(board, indent=2)}\n"
    if out is None:
        typer.echo(text, nl=False)
        return
    write_atomically(out, text)
    screen = Screen()
    _show(screen, board)
    screen.say(line(f"written: {out}"))


def _check(file: Path, runs: list[Path], certificates: Path | None) -> None:
    screen = Screen()
    checked = check_leaderboard(file, runs, certificates=certificates)
    for finding in checked.findings:
        screen.say(safe(str(finding)))
    _tell(screen, checked)
    if checked.findings:
        raise typer.Exit(Code.NO)


def _tell(screen: Screen, checked: CheckedLeaderboard) -> None:
    board = checked.board
    count, again = len(board.entries), len(checked.recomputed)
    screen.say(
        f"{count:,} {'entry' if count == 1 else 'entries'} checked, {again:,} computed again from "
        f"the runs; {len(checked.findings):,} findings."
    )
    unknown = [each.name for each in board.suites if each.name not in checked.suites]
    if unknown and not again:
        screen.say(safe(f"not at hand, so not checked: {', '.join(unknown)}"))


def _show(screen: Screen, board: Leaderboard) -> None:
    numbers = ("success", "95 %", "episodes")
    shown = table("entry", *numbers, numbers=numbers)
    for each in board.entries:
        row(shown, each.label, *_success(each), f"{each.episodes:,}")
    screen.print(shown)


def _success(entry: LeaderboardEntry) -> tuple[str, str]:
    whole = next(s for s in entry.scores if (s.metric, s.group) == ("success", "all"))
    return percent(whole.value), f"{100 * (whole.low or 0):.0f}-{100 * (whole.high or 0):.0f}"
