"""The instructions of earsim-bench that were read against their goals.

`python -m docs.figures.sentence_sample` draws them, a hundred of each category, and prints each
with its goal; `--unread` only those whose text is not the one that was read. What was found when
they were read one by one is in `sentence_sample.csv`, one line per instruction. `--page` counts it
for `docs/sentences.md`.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from docs.figures.sentences import told
from docs.pages import updated
from earsim import Scenario, open_suite
from earsim.schema import Category
from earsim.tables.document import Cell, Table
from earsim.tables.markdown import table_text

SUITES = ("earsim-bench", "earsim-bench-vocabulary", "earsim-bench-domain")
READ = Path(__file__).with_name("sentence_sample.csv")
PAGE = Path(__file__).parents[1] / "sentences.md"
SEED = 1
OF_EACH = 100

VERDICTS = ("right", "clumsy", "ambiguous", "wrong")
"""Right: it says what the goal checks, as a person might say it. Clumsy: it says so, but nobody
would say it like that. Ambiguous: it can be taken for something else. Wrong: it says something
else.
"""


class Judged(NamedTuple):
    """An instruction that was read, and what was found."""

    scenario_id: str
    category: str
    instruction: str
    judged: str
    note: str


def drawn(*, seed: int = SEED, of_each: int = OF_EACH) -> list[Scenario]:
    """The sample; a scenario that comes or goes elsewhere leaves the others in it."""
    every = [scenario for suite in SUITES for scenario in open_suite(suite)]
    every.sort(key=lambda scenario: sha256(f"{seed} {scenario.id}".encode()).hexdigest())
    return [
        scenario
        for category in Category
        for scenario in [each for each in every if each.task.category is category][:of_each]
    ]


def already_read() -> list[Judged]:
    """What was found."""
    with READ.open(encoding="utf-8", newline="") as file:
        return [Judged(**row) for row in csv.DictReader(file)]


def counted(read: Iterable[Judged]) -> str:
    """How many of each category were judged how."""
    found = Counter((each.category, each.judged) for each in read)
    rows: list[tuple[Cell, ...]] = []
    for category in Category:
        counts = [found[category.value, verdict] for verdict in VERDICTS]
        rows.append((category.value, sum(counts), *counts))
    rows.append(("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:])))
    table = Table("", ("category", "read", *VERDICTS), spaced=True)
    return table_text(table.with_rows(rows, whole="all"))


def noted(read: Iterable[Judged]) -> str:
    """Everything that was found to be less than right, word for word."""
    told = [
        f"- {each.judged}, `{each.scenario_id}`: *{each.instruction}* {each.note}"
        for each in read
        if each.judged != "right"
    ]
    return "\n".join(told) or "Nothing."


def _unread(sample: Iterable[Scenario]) -> Iterator[Scenario]:
    known = {(each.scenario_id, each.instruction) for each in already_read()}
    return (s for s in sample if (s.id, s.task.instruction) not in known)


def main() -> None:
    """Print the sample, or rewrite the page."""
    parser = argparse.ArgumentParser(prog="python -m docs.figures.sentence_sample")
    parser.add_argument("--category", choices=[c.value for c in Category], help="only this one")
    parser.add_argument("--unread", action="store_true", help="only what is new")
    parser.add_argument("--page", action="store_true", help="count what was found")
    options = parser.parse_args()
    if options.page:
        read = already_read()
        page = updated(PAGE.read_text(encoding="utf-8"), "judged", counted(read))
        PAGE.write_text(updated(page, "found", noted(read)), encoding="utf-8")
        return
    sample: Iterable[Scenario] = drawn()
    for scenario in _unread(sample) if options.unread else sample:
        if options.category in (None, scenario.task.category.value):
            sys.stdout.write("\n".join(told(scenario)) + "\n")


if __name__ == "__main__":
    main()
