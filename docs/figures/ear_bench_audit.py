"""What is counted on the page about EAR-Bench: `python -m docs.figures.ear_bench_audit FOLDER`.

FOLDER is where certificates are kept, those that are there already included: proving everything
anew takes the better part of an hour on two cores. EAR-Bench is found through `EAR_BENCH_DIR`;
without it nothing is written.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import fill

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
from earsim.evaluation.summary import ALL
from earsim.planner.result import DEFAULT_NODE_LIMIT
from earsim.schema.verb_table import verb_table
from earsim.suites.opening import EAR_BENCH_VARIABLE, ear_bench_dir

PAGE = Path(__file__).parents[1] / "ear-bench-audit.md"
SPLITS = ("eval-single", "eval-multi", "data-all")
NODES = {("data-all", "ear-bench"): 5_000, ("data-all", "physical"): 2_000}
"""Limits that are not the default: of 13,273 tasks a few hundred use up whatever they are given."""

RULESETS = ("ear-bench", "physical")

_SHOWN = 3
_WIDTH = 120

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
    "instruction disagrees": ("ear-bench", "agreement_by_category", "disagrees"),
    "impossible under physical": ("physical", "solving", "impossible"),
}
"""The columns of the table of a suite: the ruleset, table and column of an audit they are from."""

HEAD = ("category", *_COLUMNS)


def entries(split: str, ruleset: str, folder: Path) -> list[AuditEntry]:
    """Everything that is known about a split."""
    suite = open_suite(split)
    file = CertificateFile(place_to_write(suite, split, folder))
    nodes = NODES.get((split, ruleset), DEFAULT_NODE_LIMIT)
    return list(audit_suite(suite, file, ruleset=ruleset, nodes=nodes))


def overview(found: Mapping[str, Sequence[AuditEntry]]) -> AuditTable:
    """One table of a suite, by category, from the audits under both rulesets."""
    made = {(ruleset, each.name): each for ruleset in found for each in tables(found[ruleset])}
    first = made[RULESETS[0], "solving"]
    rows = [
        (
            "**all**" if category == ALL else category,
            *(
                _cell(made.get((ruleset, name)), category, column)
                for ruleset, name, column in _COLUMNS.values()
            ),
        )
        for category, *_ in first.rows
    ]
    return AuditTable("overview", "", "", HEAD, tuple(rows))


def _cell(table: AuditTable | None, category: Cell, column: str) -> Cell:
    """A cell of an audit; None where it says nothing of the category."""
    row = next((row for row in table.rows if row[0] == category), None) if table else None
    return row[table.head.index(column)] if table and row else None


# -- what no table of the report tells -----------------------------------------------------------


def swapped(found: Sequence[AuditEntry]) -> str:
    """The finding about instructions that ask for another state than the goal checks."""
    counts: Counter[tuple[str, str]] = Counter()
    inside = 0
    for each in found:
        for claim in each.claims:
            if (claim.aspect, claim.verdict) == (Aspect.STATE, AgreementVerdict.DISAGREES):
                asked, _, checked = claim.detail.removeprefix("says ").partition(", checks ")
                counts[asked, checked] += 1
                inside += _is_inside_a_word(each, checked)
    shown = ", ".join(
        f"*{asked}* where `{checked.replace(' ', ': ').lower()}` is checked ({count:,})"
        for (asked, checked), count in counts.most_common(_SHOWN)
    )
    text = (
        f"- **{counts.total():,} instructions ask for another state than the goal checks**, most "
        f"often {shown}. In {inside:,} of them a verb for what is checked is part of a longer word "
        "of the instruction."
    )
    return fill(text, _WIDTH, subsequent_indent="  ")


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
    counts = Counter(each.judged for each in read)
    faults = Counter(each.judged for each in read if each.verdict != "agrees")
    return (
        f"Of {counts.total()} claims {counts['right']} are right, {counts['arguable']} arguable "
        f"and {counts['wrong']} wrong; of the {faults.total()} that find a fault, "
        f"{faults['right']}, {faults['arguable']} and {faults['wrong']}."
    )


# -- the page ------------------------------------------------------------------------------------


def all_sections(folder: Path, splits: Sequence[str] = SPLITS) -> Iterator[tuple[str, str]]:
    """Every part of the page that is counted, by its mark."""
    yield "read", judged(already_read())
    for split in splits:
        found = {ruleset: entries(split, ruleset, folder) for ruleset in RULESETS}
        yield split, as_markdown(overview(found))
        yield f"{split} swapped", swapped(found["ear-bench"])


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
