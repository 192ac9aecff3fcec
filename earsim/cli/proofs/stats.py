"""`earsim stats`: what suites consist of, side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from earsim.certificates.file import CertificateFile
from earsim.certificates.location import places_to_read
from earsim.cli.boundary import Code
from earsim.cli.progress import watched
from earsim.cli.report_screen import show_document
from earsim.cli.screen import Screen, examples, safe
from earsim.datasets.statistics import SuiteStatistics
from earsim.datasets.statistics.plots import draw
from earsim.datasets.statistics.report import as_json, page
from earsim.suites.finding import find_suite
from earsim.tables.markdown import markdown

EXAMPLES = examples(
    "earsim stats starter",
    "earsim stats starter eval-single --out stats.md --plots pictures",
    "earsim stats data-all --certificates proofs --json > data-all.json",
)

_SHOWN_UNREADABLE = 5


def command(
    suites: Annotated[
        list[str], typer.Argument(metavar="SUITE|PATH...", help="Suites, files or folders.")
    ],
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    certificates: Annotated[
        Path | None, typer.Option(help="Folder that `earsim certify --out` was given.")
    ] = None,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="As Markdown, on standard output.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="File for the Markdown.")] = None,
    plots: Annotated[Path | None, typer.Option(help="Folder for pictures.")] = None,
    told_as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Count suites side by side: places, things, tasks, proofs; exit 1 if some cannot be read.

    Proofs come from certificates, where there are any: beside the suite, in the user's cache, or in
    --certificates.
    """
    counted = [_counted(what, limit, certificates) for what in suites]
    screen = Screen(stderr=told_as_json or as_markdown)
    if told_as_json:
        typer.echo(json.dumps(as_json(counted), indent=1))
    elif as_markdown:
        typer.echo(markdown(page(counted)), nl=False)
    elif out is None:
        show_document(page(counted))
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(markdown(page(counted)), encoding="utf-8")
        screen.say(safe(f"written: {out}"))
    if plots is not None:
        drawn = draw(plots, counted)
        screen.say(safe(f"pictures: {', '.join(str(path) for path in drawn)}"))
    aside = Screen(stderr=True)
    for census in counted:
        for scenario_id in aside.first(census.unreadable, _SHOWN_UNREADABLE):
            aside.say("cannot be read: ", safe(scenario_id))
    if any(census.unreadable for census in counted):
        raise typer.Exit(Code.NO)


def _counted(what: str, limit: int | None, certificates: Path | None) -> SuiteStatistics:
    found = find_suite(what)
    files = [
        CertificateFile(path) for path in places_to_read(found.suite, found.source, certificates)
    ]
    ids = found.suite.ids[:limit]
    census = SuiteStatistics(found.suite.name)
    for _ in watched(census.look(found.suite, ids, files), len(ids), f"counting {census.name}"):
        pass
    return census
