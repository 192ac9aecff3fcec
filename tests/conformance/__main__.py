"""`python -m tests.conformance TRACES --data DIR`: replay recordings of the EAR-Bench reference.

Every step is compared; the exit status is 0 only if all episodes are equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.boundary import Code, errors_told
from earsim.cli.screen import Screen, examples, row, safe, table
from tests.conformance.replay import SHOWN_DIFFERENCES, FileReport, conformance

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

_COUNTS = (
    "episodes_equal",
    "episodes_different",
    "episodes_not_replayable",
    "steps_equal",
    "steps_different",
)
_HEADS = ("equal", "different", "not replayable", "steps equal", "steps different")


@app.command(epilog=examples("python -m tests.conformance ear-bench/traces --data ear-bench"))
def main(
    traces: Annotated[Path, typer.Argument(help="Folder of *.jsonl or *.jsonl.gz, or one file.")],
    data: Annotated[Path, typer.Option(help="Folder that the recordings' scene paths start from.")],
) -> None:
    """Replay recorded EAR-Bench episodes under `ear-bench`; exit 0 only if all are equal."""
    screen = Screen()
    reports = []
    for report in conformance(traces, data):
        reports.append(report)
        _tell_differences(screen, report)
    _tell_counts(screen, reports)
    if not all(report.ok for report in reports):
        raise typer.Exit(Code.NO)


def _tell_differences(screen: Screen, report: FileReport) -> None:
    for difference in report.differences:
        screen.say(safe(f"{report.file}: {difference}"))
    for problem in report.problems[:SHOWN_DIFFERENCES]:
        screen.say(safe(f"{report.file}: not replayable: {problem}"))
    untold = report.differences_found - len(report.differences)
    untold += max(0, len(report.problems) - SHOWN_DIFFERENCES)
    if untold:
        screen.say(safe(f"{report.file}: and {untold:,} more"))


def _tell_counts(screen: Screen, reports: Iterable[FileReport]) -> None:
    shown = table("file", *_HEADS, numbers=_HEADS, whole=("file",))
    totals = [0] * len(_COUNTS)
    for report in reports:
        counts = [getattr(report, count) for count in _COUNTS]
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        row(shown, report.file, *(f"{count:,}" for count in counts))
    row(shown, "all", *(f"{total:,}" for total in totals), style="bold")
    screen.print(shown)


if __name__ == "__main__":
    with errors_told():
        app(prog_name="python -m tests.conformance")
