"""EAR-Bench, audited: counts what the page says, `python -m docs.studies.ear_bench_audit`.

The solvability of the scenarios is proved as `earsim audit` does it; `--data` is the folder of
certificates, those that are there already included: proving everything anew takes the better part
of an hour on two cores. Whether an instruction says what its goal checks is decided by the grammar
beside this module, which reads the English of EAR-Bench and no other; `--sentences` counts that
alone, in some seconds. EAR-Bench is found through `EAR_BENCH_DIR`; without it nothing is written.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from docs.pages import updated
from docs.studies.ear_bench_audit.sample import Judged, already_read
from docs.studies.ear_bench_audit.tables import Compared, by_category, compared, swapped
from earsim import open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import place_to_write
from earsim.datasets.audit.collect import audit_suite
from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.tables import tables
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.suites.opening import EAR_BENCH_VARIABLE, ear_bench_dir
from earsim.tables.document import ALL, Cell, Table
from earsim.tables.markdown import table_text

PAGE = Path(__file__).parents[2] / "ear-bench-audit.md"
SPLITS = ("eval-single", "eval-multi", "data-all")
NODES = {("data-all", "ear-bench"): 5_000, ("data-all", "physical"): 2_000}
"""Limits that are not the default: of 13,273 tasks a few hundred use up whatever they are given."""

RULESETS = ("ear-bench", "physical")

_COLUMNS = {
    "scenarios": ("ear-bench", "solving", "scenarios"),
    "solvable": ("ear-bench", "solving", "solvable"),
    "impossible": ("ear-bench", "solving", "impossible"),
    "true at start": ("ear-bench", "solving", "true at start"),
    "unknown": ("ear-bench", "solving", "unknown"),
    "label proved": ("ear-bench", "labels", "proved"),
    "by mark": ("ear-bench", "labels", "proved by mark"),
    "label refuted": ("ear-bench", "labels", "refuted"),
    "exploitable": ("ear-bench", "exploits", "exploitable"),
    "instruction disagrees": ("", "agreement_by_category", "disagrees"),
    "impossible under physical": ("physical", "solving", "impossible"),
}
"""The columns of the table of a suite: ruleset, table and column where each is counted."""

HEAD = ("category", *_COLUMNS)


def entries(split: str, ruleset: str, folder: Path) -> list[AuditEntry]:
    """Everything that is known about a split."""
    suite = open_suite(split)
    file = CertificateFile(place_to_write(suite, split, folder))
    nodes = NODES.get((split, ruleset), DEFAULT_NODE_LIMIT)
    return list(audit_suite(suite, file, ruleset=ruleset, nodes=nodes))


def overview(found: Mapping[str, Sequence[AuditEntry]], sentences: Sequence[Compared]) -> Table:
    """One table of a suite, by category, from the audits under both rulesets."""
    made = {(ruleset, each.name): each for ruleset in found for each in tables(found[ruleset])}
    agreement = by_category(sentences)
    made["", agreement.name] = agreement
    rows = [
        (
            category,
            *(
                _cell(made.get((ruleset, name)), category, column)
                for ruleset, name, column in _COLUMNS.values()
            ),
        )
        for category, *_ in (row.cells for row in made[RULESETS[0], "solving"].rows)
    ]
    return Table("", HEAD, spaced=True).with_rows(rows, whole=ALL)


def _cell(table: Table | None, category: Cell, column: str) -> Cell:
    """A cell of an audit; None where it says nothing of the category."""
    rows = (row.cells for row in table.rows if row.cells[0] == category) if table else ()
    return next((cells[table.head.index(column)] for cells in rows if table), None)


def judged(read: Sequence[Judged]) -> str:
    """How many of the claims that were read are right."""
    counts = Counter(each.judged for each in read)
    faults = Counter(each.judged for each in read if each.verdict != "agrees")
    return (
        f"Of {counts.total()} claims {counts['right']} are right, {counts['arguable']} arguable "
        f"and {counts['wrong']} wrong; of the {faults.total()} that find a fault, "
        f"{faults['right']}, {faults['arguable']} and {faults['wrong']}."
    )


# -- the page ------------------------------------------------------------------------------------


def sentence_sections(splits: Sequence[str] = SPLITS) -> Iterator[tuple[str, str]]:
    """The findings about instructions and goals, by mark."""
    yield "read", judged(already_read())
    for split in splits:
        yield f"{split} swapped", swapped(compared(open_suite(split)))


def proof_sections(folder: Path, splits: Sequence[str] = SPLITS) -> Iterator[tuple[str, str]]:
    """The tables of the suites, by mark."""
    for split in splits:
        found = {ruleset: entries(split, ruleset, folder) for ruleset in RULESETS}
        yield split, table_text(overview(found, compared(open_suite(split))))


def main() -> None:
    """Rewrite the page."""
    parser = argparse.ArgumentParser(prog="python -m docs.studies.ear_bench_audit")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--data", metavar="DIR", type=Path, help="where certificates are kept")
    what.add_argument("--sentences", action="store_true", help="only instructions against goals")
    options = parser.parse_args()
    if not ear_bench_dir().is_dir():
        sys.stdout.write(f"{__doc__}\n{EAR_BENCH_VARIABLE} is {ear_bench_dir()}\n")
        return
    proofs = () if options.data is None else proof_sections(options.data)
    for mark, text in chain(sentence_sections(), proofs):
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(updated(page, mark, text), encoding="utf-8")
    sys.stdout.write(f"{PAGE}: counted {', '.join(SPLITS)}\n")


if __name__ == "__main__":
    main()
