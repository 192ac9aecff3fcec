"""`earsim audit`: what a suite is worth, before a number from it is quoted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earsim.certificates.file import CertificateFile
from earsim.certificates.location import place_to_write
from earsim.cli.boundary import Code
from earsim.cli.progress import watched
from earsim.cli.report_screen import show_document
from earsim.cli.screen import Screen, examples, safe
from earsim.datasets.audit.collect import audit_suite
from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.plots import draw
from earsim.datasets.audit.report import MARKDOWN, About, write
from earsim.datasets.audit.tables import tables
from earsim.errors import MissingExtra
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.suites.finding import find_suite
from earsim.tables.document import Report

EXAMPLES = examples(
    "earsim audit starter",
    "earsim audit eval-multi --ruleset physical --limit 50",
    "earsim audit my_scenes/ --out audits/mine --no-plots",
)

_ON_SCREEN = ("solving", "labels", "exploits")
_SHOWN_PROBLEMS = 10


def command(
    what: Annotated[str, typer.Argument(metavar="SUITE|PATH", help="A suite, a file or a folder.")],
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    ruleset: Annotated[str | None, typer.Option(help="Instead of each scenario's own.")] = None,
    nodes: Annotated[
        int, typer.Option(min=1, help="States each search may reach.")
    ] = DEFAULT_NODE_LIMIT,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes; all cores by default.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the report; audits/SUITE-RULESET by default.")
    ] = None,
    certificates: Annotated[
        Path | None, typer.Option(help="Folder that `earsim certify --out` was given.")
    ] = None,
    plots: Annotated[bool, typer.Option(help="Also draw pictures.")] = True,
) -> None:
    """Report what a suite's scenarios take, and what is odd in them; exit 1 if some cannot be read.

    What `earsim certify` has proved is not searched again, and what is proved here is kept in the
    same place, so the same command goes on where an interrupted one stopped.
    """
    found = find_suite(what)
    file = CertificateFile(place_to_write(found.suite, found.source, certificates))
    suite = found.suite.select(category=category, limit=limit)
    folder = out or Path("audits") / "-".join(filter(None, (suite.name, ruleset)))
    screen = Screen()
    screen.say(safe(f"{suite.name}: {len(suite)} scenarios, into {folder}"))
    looking = audit_suite(suite, file, ruleset=ruleset, nodes=nodes, jobs=jobs)
    entries = list(watched(looking, len(suite), "auditing"))
    write(folder, About.of(suite.name, entries, nodes), entries)
    shown = (table for table in tables(entries) if table.name in _ON_SCREEN)
    show_document(Report.of(suite.name, shown))
    screen.say(safe(f"The whole report is in {folder / MARKDOWN}."))
    if plots:
        _draw(screen, folder, entries)
    problems = [each for each in entries if each.problem]
    for each in screen.first(problems, _SHOWN_PROBLEMS, ", see the report"):
        screen.say("not audited: ", safe(f"{each.id}: {each.problem}"))
    if problems:
        raise typer.Exit(Code.NO)


def _draw(screen: Screen, folder: Path, entries: list[AuditEntry]) -> None:
    try:
        drawn = draw(folder, entries)
    except MissingExtra as missing:
        screen.say(safe(f"No pictures: {missing}"))
    else:
        screen.say(safe(f"Pictures: {', '.join(path.name for path in drawn)}"))
