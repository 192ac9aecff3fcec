"""`earsim report`: what runs amount to, as tables, plots and files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from earsim.atomic import write_atomically
from earsim.cli.report_screen import show_document
from earsim.cli.screen import Screen, examples, line
from earsim.errors import UsageError
from earsim.evaluation.metrics.measurement import Measurement, measurements
from earsim.evaluation.metrics.results_group import ResultsGroup, read_groups
from earsim.evaluation.report.build import drawn, report
from earsim.evaluation.report.card import model_card
from earsim.evaluation.report.flat import numbers_csv, published_measurements, write_parquet
from earsim.evaluation.report.paper_tables import is_ear_bench
from earsim.evaluation.report.plots import pictures
from earsim.parallel import cores
from earsim.tables.html import html_page
from earsim.tables.latex import latex
from earsim.tables.markdown import markdown
from earsim.tables.plots import saved
from earsim.viewer.export import export
from earsim.viewer.run import Run

EXAMPLES = examples(
    "earsim report runs/random",
    "earsim report runs/small runs/large --compare",
    "earsim report runs/small --out report.html",
    "earsim report runs/small --out report.html --view episodes.html",
    "earsim report runs/small --format csv > numbers.csv",
    "earsim report runs/small --format card > README.md",
    "earsim report runs/small --out tables.tex --plots figures",
)


class ReportFormat(StrEnum):
    """How a report is written."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    HTML = "html"
    CARD = "card"
    LATEX = "latex"
    CSV = "csv"
    PARQUET = "parquet"


_ENDINGS = {
    ".md": ReportFormat.MARKDOWN,
    ".html": ReportFormat.HTML,
    ".htm": ReportFormat.HTML,
    ".tex": ReportFormat.LATEX,
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
        Path | None, typer.Option(help="Folder for the plots as PNG, SVG, CSV and LaTeX.")
    ] = None,
    view: Annotated[
        Path | None,
        typer.Option(help="Write the page of `earsim view` too; numbers of HTML lead to it."),
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
        page = "" if view is None else _page_beside(view, chosen, out, runs, certificates)
        _write(_text(chosen, subjects, compare=compare, plots=plots, page=page), out)


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
    format: ReportFormat,
    subjects: Sequence[ResultsGroup],
    *,
    compare: bool,
    plots: Path | None,
    page: str,
) -> str:
    if format is ReportFormat.CSV:
        return numbers_csv(_numbers(subjects))
    if format is ReportFormat.CARD:
        return model_card(subjects)
    if format is ReportFormat.LATEX:
        return latex(report(subjects, compare=compare))
    if format is ReportFormat.HTML:
        found = drawn(subjects)
        if found is None:
            Screen(stderr=True).say("no plots: pip install 'earsim[report]'")
        return html_page(report(subjects, compare=compare, plots=found or ()), page=page)
    if format is ReportFormat.TERMINAL:
        raise UsageError("--format terminal goes to the terminal; leave out --out")
    shown = tuple(pictures(subjects)) if plots is not None else ()
    document = report(subjects, compare=compare, plots=shown)
    return markdown(document, pictures="" if plots is None else plots.as_posix())


def _page_beside(
    view: Path,
    format: ReportFormat,
    out: Path | None,
    runs: Sequence[Path],
    certificates: Path | None,
) -> str:
    """Write the page; its address as seen from the report."""
    if out is None or format is not ReportFormat.HTML:
        raise UsageError("--view is for a report in a file that ends in .html")
    export([Run(path, certificates) for path in runs], view, jobs=cores())
    return quote(Path(os.path.relpath(view, out.parent)).as_posix())


def _numbers(subjects: Sequence[ResultsGroup]) -> list[Measurement]:
    quoted = published_measurements() if any(map(is_ear_bench, subjects)) else ()
    return list(chain(measurements(subjects), quoted))


def _write(text: str, out: Path | None) -> None:
    if out is None:
        typer.echo(text, nl=False)
        return
    write_atomically(out, text)
    Screen().say(line(f"written: {out}"))
