"""The tables of the page about EAR-Bench: `python -m docs.figures.ear_bench_audit FOLDER`.

FOLDER is where certificates are kept, those that are there already included: proving everything
anew takes the better part of an hour on two cores. EAR-Bench is found through `EAR_BENCH_DIR`;
without it nothing is written.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs.figures.agreement_sample import Judged, already_read
from earsim import open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import place_to_write
from earsim.datasets.audit.agreement import AgreementVerdict, Aspect
from earsim.datasets.audit.collect import audit_suite
from earsim.datasets.audit.entry import AuditEntry
from earsim.datasets.audit.report import as_markdown
from earsim.datasets.audit.table import AuditTable, Cell
from earsim.datasets.audit.tables import tables
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.schema.verb_table import verb_table
from earsim.suites.opening import EAR_BENCH_VARIABLE, ear_bench_dir

PAGE = Path(__file__).parents[1] / "ear-bench-audit.md"
SPLITS = ("eval-single", "eval-multi", "data-all")
NODES = {("data-all", "ear-bench"): 5_000, ("data-all", "physical"): 2_000}
"""Limits that are not the default: of 13,273 tasks a few hundred use up whatever they are given."""

_SHOWN = 8

TOLD = {
    "ear-bench": ("solving", "reasons", "lengths", "labels", "means", "exploits", "loads",
                  "agreement", "agreement_by_category", "repairs"),
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
    return {f"{split} {ruleset} {name}": as_markdown(_bold(table)) for name, table in told.items()}


def _bold(table: AuditTable) -> AuditTable:
    """The row over all categories stands out."""

    def bold(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return ("**all**", *row[1:]) if row[0] == "all" else row

    return table._replace(rows=tuple(map(bold, table.rows)))


# -- what no table of the report tells -----------------------------------------------------------


def swapped(found: Sequence[AuditEntry]) -> str:
    """Which verbs instructions ask for where the goal checks another state."""
    counts: Counter[tuple[str, str]] = Counter()
    inside = 0
    for each in found:
        for claim in each.claims:
            if (claim.aspect, claim.verdict) == (Aspect.STATE, AgreementVerdict.DISAGREES):
                asked, _, checked = claim.detail.removeprefix("says ").partition(", checks ")
                counts[asked, checked] += 1
                inside += _is_inside_a_word(each, checked)
    rows = tuple((*pair, count) for pair, count in counts.most_common(_SHOWN))
    head = ("asked for", "checked", "times")
    return (
        f"{as_markdown(AuditTable('', '', '', head, rows))}\n\nIn {inside:,} of these "
        f"{counts.total():,} a verb for what is checked stands inside another word."
    )


def _is_inside_a_word(each: AuditEntry, checked: str) -> bool:
    """Whether a verb of the state is a part of the instruction that is no word of its own."""
    suite = open_suite(each.id.partition("/")[0])
    said = suite.load(each.id).task.instruction.lower()
    state, _, value = checked.partition(" ")
    verbs = [
        row.name
        for row in verb_table().values()
        if row.attribute == state and str(not row.value) == value
    ]
    return any(verb in said and not re.search(rf"\b{verb}\b", said) for verb in verbs)


def judged(read: Sequence[Judged]) -> str:
    """How many of the claims that were read are right."""
    rows = []
    for name, agrees in (("nothing is wrong", True), ("something is wrong", False)):
        counts = Counter(each.judged for each in read if (each.verdict == "agrees") is agrees)
        rows.append((name, counts.total(), counts["right"], counts["arguable"], counts["wrong"]))
    rows.append(("**both**", *(sum(column) for column in list(zip(*rows, strict=True))[1:])))
    head = ("the claim", "read", "right", "arguable", "wrong")
    return as_markdown(AuditTable("", "", "", head, tuple(rows)))


# -- the page ------------------------------------------------------------------------------------


def all_sections(folder: Path, splits: Sequence[str] = SPLITS) -> Iterator[tuple[str, str]]:
    """Every part of the page that is counted, by its mark."""
    yield "read", judged(already_read())
    for split in splits:
        for ruleset in TOLD:
            found = entries(split, ruleset, folder)
            yield from sections(split, ruleset, found).items()
            if ruleset == "ear-bench":
                yield f"{split} swapped", swapped(found)


def updated(page: str, mark: str, text: str) -> str:
    """The page with one counted part written anew; unchanged where it has no such part."""
    place = re.compile(rf"(<!-- figures: {re.escape(mark)} -->).*?(<!-- end -->)", re.DOTALL)
    return place.sub(lambda match: f"{match[1]}\n\n{text}\n\n{match[2]}", page)


def main() -> None:
    """Rewrite the page."""
    if len(sys.argv) != 2 or not ear_bench_dir().is_dir():
        sys.stdout.write(f"{__doc__}\n{EAR_BENCH_VARIABLE} is {ear_bench_dir()}\n")
        return
    for mark, text in all_sections(Path(sys.argv[1])):
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(updated(page, mark, text), encoding="utf-8")
    sys.stdout.write(f"{PAGE}: counted {', '.join(SPLITS)}\n")


if __name__ == "__main__":
    main()
