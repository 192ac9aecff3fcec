"""EAR-Bench, audited: writes the tables of the page, `python -m docs.studies.ear_bench_audit`.

What the scenarios take is proved as `earsim audit` does it; `--data` is where certificates are
kept, those that are there already included, for proving everything anew takes the better part of an
hour on two cores. Whether an instruction says what its goal checks is decided by the grammar beside
this module, which reads the English of EAR-Bench and no other; `--sentences` counts that alone, in
some seconds. EAR-Bench is found through `EAR_BENCH_DIR`; without it nothing is written.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from docs.pages import updated
from docs.studies.ear_bench_audit.sample import Judged, already_read
from docs.studies.ear_bench_audit.tables import compared
from docs.studies.ear_bench_audit.tables import sections as sentences
from earsim import open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import place_to_write
from earsim.datasets.audit.collect import audit_suite
from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.tables import tables
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.suites.opening import EAR_BENCH_VARIABLE, ear_bench_dir
from earsim.tables.document import Table
from earsim.tables.markdown import table_text

PAGE = Path(__file__).parents[2] / "ear-bench-audit.md"
SPLITS = ("eval-single", "eval-multi", "data-all")
NODES = {("data-all", "ear-bench"): 5_000, ("data-all", "physical"): 2_000}
"""Limits that are not the default: of 13,273 tasks a few hundred use up whatever they are given."""

TOLD = {
    "ear-bench": ("solving", "reasons", "lengths", "labels", "means", "exploits", "loads",
                  "repairs"),
    "physical": ("solving", "reasons", "lengths", "labels"),
}  # fmt: skip
"""The tables that the page has of each ruleset; the others would say the same twice."""


def entries(split: str, ruleset: str, folder: Path) -> list[AuditEntry]:
    """Everything that is known about a split."""
    suite = open_suite(split)
    file = CertificateFile(place_to_write(suite, split, folder))
    nodes = NODES.get((split, ruleset), DEFAULT_NODE_LIMIT)
    return list(audit_suite(suite, file, ruleset=ruleset, nodes=nodes))


def sections(split: str, ruleset: str, found: Sequence[AuditEntry]) -> dict[str, str]:
    """The tables of one audit, by the marks that the page has for them."""
    made = {table.name: table for table in tables(found)}
    told = {name: made[name] for name in TOLD[ruleset] if name in made}
    return {f"{split} {ruleset} {name}": table_text(table) for name, table in told.items()}


def judged(read: Sequence[Judged]) -> str:
    """How many of the claims that were read are right."""
    rows = []
    for name, agrees in (("nothing is wrong", True), ("something is wrong", False)):
        counts = Counter(each.judged for each in read if (each.verdict == "agrees") is agrees)
        rows.append((name, counts.total(), counts["right"], counts["arguable"], counts["wrong"]))
    rows.append(("both", *(sum(column) for column in list(zip(*rows, strict=True))[1:])))
    head = ("the claim", "read", "right", "arguable", "wrong")
    return table_text(Table("", head, spaced=True).with_rows(rows, whole="both"))


# -- the page ------------------------------------------------------------------------------------


def sentence_sections(splits: Sequence[str] = SPLITS) -> Iterator[tuple[str, str]]:
    """What the page tells of instructions and goals, by its mark."""
    yield "read", judged(already_read())
    for split in splits:
        for mark, text in sentences(compared(open_suite(split))):
            yield f"{split} {mark}", text


def proof_sections(folder: Path, splits: Sequence[str] = SPLITS) -> Iterator[tuple[str, str]]:
    """What the page tells of proofs, loads and repairs, by its mark."""
    for split in splits:
        for ruleset in TOLD:
            yield from sections(split, ruleset, entries(split, ruleset, folder)).items()


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
