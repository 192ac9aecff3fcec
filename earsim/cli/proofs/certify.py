"""`earsim certify`: proofs that scenarios can be solved, and need what their labels say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from earsim.certificates.certifying import Certified, certify_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import place_to_write
from earsim.certificates.summary import CertificateRow, is_solved, tabulate
from earsim.cli.boundary import Code
from earsim.cli.progress import watched
from earsim.cli.report_screen import show_table
from earsim.cli.screen import Screen, examples, safe
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.render.proof import proof_line, solution_line
from earsim.schema.certificate import Certificate, LabelProof
from earsim.suites import Suite, open_suite
from earsim.suites.finding import find_suite
from earsim.tables.document import ALL, Cell, Table
from earsim.world import Blueprint

EXAMPLES = examples(
    "earsim certify my_scene.yaml",
    "earsim certify starter --out certificates",
    "earsim certify eval-single --limit 50 --nodes 100000",
)

_SHOWN_PROBLEMS = 20


def command(
    what: Annotated[
        str, typer.Argument(metavar="SUITE|PATH", help="A suite, a file, a folder or a scenario.")
    ],
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
        Path | None,
        typer.Option(help="Folder for the certificates; beside the suite by default, or cached."),
    ] = None,
) -> None:
    """Prove what can be proved of every scenario; exit 1 if not all is solved and proved.

    The same command goes on where an interrupted one stopped.
    """
    found = find_suite(what)
    file = CertificateFile(place_to_write(found.suite, found.source, out))
    suite = found.suite.select(category=category, limit=limit)
    screen = Screen()
    screen.say(safe(f"{suite.name}: {len(suite)} scenarios, into {file.path}"))
    report = _CertifyReport(suite)
    done = certify_suite(suite, file, ruleset=ruleset, nodes=nodes, jobs=jobs)
    rows = tabulate(report.noted(watched(done, len(suite), "certifying")))
    file.arrange(open_suite(found.source).ids)
    _show(screen, rows)
    report.tell(screen)
    if report.problems:
        raise typer.Exit(Code.NO)


class _CertifyReport:
    """What is told besides the tables."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._resumed = 0
        self.problems: list[Certified] = []

    def noted(self, done: Iterator[Certified]) -> Iterator[Certified]:
        """The results, with whatever is worth telling remembered as they pass."""
        for one in done:
            self._resumed += one.resumed
            if one.certificate is None or not _is_fine(one.certificate):
                self.problems.append(one)
            yield one

    def tell(self, screen: Screen) -> None:
        """Say what is not as it should be, and what was skipped."""
        for one in screen.first(self.problems, _SHOWN_PROBLEMS):
            for problem in self._lines(one):
                screen.say(safe(f"{one.id}: {problem}"))
        if self._resumed:
            screen.say(f"{self._resumed:,} certified before and skipped.")

    def _lines(self, one: Certified) -> Iterator[str]:
        if one.certificate is None:
            yield one.problem
            return
        scenario = self._suite.load(one.id)
        blueprint = Blueprint.compile(scenario.scene, scenario.agents)
        if not is_solved(one.certificate):
            yield solution_line(one.certificate, blueprint)
        if one.certificate.label is LabelProof.NOT_PROVED:
            shown = "; ".join(proof_line(proof) for proof in one.certificate.necessity)
            yield f"{one.certificate.category} is not proved: {shown}"


def _is_fine(certificate: Certificate) -> bool:
    return is_solved(certificate) and certificate.label is not LabelProof.NOT_PROVED


def _show(screen: Screen, rows: list[CertificateRow]) -> None:
    show_table(screen, _proofs(rows))
    if any(each.exploitable or each.alone for each in rows):
        show_table(screen, _exploits(rows))


def _proofs(rows: list[CertificateRow]) -> Table:
    head = ("solved", "impossible", "decisions", "least", "label proved", "by mark", "not")
    told: list[tuple[Cell, ...]] = []
    for each in rows:
        mean = "-" if each.mean_decisions is None else each.mean_decisions
        solved = f"{each.solved:,}/{each.scenarios:,}"
        labels = (each.proved, each.marked, each.not_proved)
        told.append((each.category, solved, each.impossible, mean, each.least, *labels))
    return Table("", ("category", *head)).with_rows(told, whole=ALL)


def _exploits(rows: list[CertificateRow]) -> Table:
    head = ("by any command", "scenarios", "exploitable", "decisions saved", "one agent alone")
    told = ((e.category, e.scenarios, e.exploitable, e.saved, e.alone) for e in rows)
    return Table("", head).with_rows(told, whole=ALL)
