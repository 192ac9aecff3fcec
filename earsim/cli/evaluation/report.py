"""`earsim report`: what runs amount to, as tables, plots and files."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from earsim.atomic import write_atomically
from earsim.cli.report_screen import show_document
from earsim.cli.screen import Screen, examples, line
from earsim.errors import UsageError
from earsim.evaluation.metrics.measurement import Measurement, measurements
from earsim.evaluation.metrics.results_group import ResultsGroup, read_groups
from earsim.evaluation.report.build import drawn, report
from earsim.evaluation.report.flat import csv_text, published_measurements, write_parquet
from earsim.evaluation.report.paper_tables import is_ear_bench
from earsim.evaluation.report.plots import pictures
from earsim.tables.html import html_page
from earsim.tables.markdown import markdown
from earsim.tables.plots import saved

NAME = "report"
EXAMPLES = examples(
    "earsim report runs/random",
    "earsim report runs/small runs/large --compare",
    "earsim report runs/small --out report.html",
    "earsim report runs/small --format csv > numbers.csv",
)


class ReportFormat(StrEnum):
    """How a report is written."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    HTML = "html"
    CSV = "csv"
    PARQUET = "parquet"


_ENDINGS = {
    ".md": ReportFormat.MARKDOWN,
    ".html": ReportFormat.HTML,
    ".htm": ReportFormat.HTML,
    ".csv": ReportFormat.CSV,
    ".parquet": ReportFormat.PARQUET,
}


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    compare: Annotated[
        bool, typer.Option("--compare", help="Every two, scenario by scenario.")
    ] = False,
    format: Annotated[
        ReportFormat | None, typer.Option(help="By the ending of --out, or else terminal.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File; standard output if none.")] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Folder for the plots as PNG; HTML holds them anyway.")
    ] = None,
    certificates: Annotated[
        Path | None, typer.Option(help="Folder of certificates, where they are not found.")
    ] = None,
) -> None:
    """Tell what runs amount to: rates, steps, claims, refusals, failure modes, tokens, cost.

    Runs of `earsim eval`, `earsim run` and `earsim play` may stand beside each other.
    """
    chosen = _format(format, out)
    subjects = read_groups(runs, certificates=certificates)
    if plots is not None:
        saved(pictures(subjects), plots)
    if chosen is ReportFormat.PARQUET:
        if out is None:
            raise UsageError("--format parquet needs --out: it is no text")
        write_parquet(_numbers(subjects), out)
        Screen().say(line(f"written: {out}"))
    elif chosen is ReportFormat.TERMINAL and out is None:
        show_document(report(subjects, compare=compare))
    else:
        _write(_text(chosen, subjects, compare=compare, plots=plots), out)


def _format(format: ReportFormat | None, out: Path | None) -> ReportFormat:
    if format is not None:
        return format
    if out is None:
        return ReportFormat.TERMINAL
    try:
        return _ENDINGS[out.suffix.lower()]
    except KeyError:
        raise UsageError(f"--out {out}: say --format, or end it in {', '.join(_ENDINGS)}") from None


def _text(
    format: ReportFormat, subjects: Sequence[ResultsGroup], *, compare: bool, plots: Path | None
) -> str:
    if format is ReportFormat.CSV:
        return csv_text(_numbers(subjects))
    if format is ReportFormat.HTML:
        found = drawn(subjects)
        if found is None:
            Screen(stderr=True).say("no plots: pip install 'earsim[report]'")
        return html_page(report(subjects, compare=compare, plots=found or ()))
    if format is ReportFormat.TERMINAL:
        raise UsageError("--format terminal goes to the terminal; leave out --out")
    shown = tuple(pictures(subjects)) if plots is not None else ()
    document = report(subjects, compare=compare, plots=shown)
    return markdown(document, pictures="" if plots is None else plots.as_posix())


def _numbers(subjects: Sequence[ResultsGroup]) -> list[Measurement]:
    quoted = published_measurements() if any(map(is_ear_bench, subjects)) else ()
    return list(chain(measurements(subjects), quoted))


def _write(text: str, out: Path | None) -> None:
    if out is None:
        typer.echo(text, nl=False)
        return
    write_atomically(out, text)
    Screen().say(line(f"written: {out}"))
