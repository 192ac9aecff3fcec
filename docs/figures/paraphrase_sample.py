"""The paraphrases of earsim-bench-2 that were read: first without their goals, then against them.

`python -m docs.figures.paraphrase_sample` draws 200 by hash and prints each with its goal;
`--blind` prints the place and the words only. What they were taken for, and what was found once the
goal was seen, is in `paraphrase_sample.csv`, one line each. `--page` counts it for
`docs/earsim-bench-2.md`.
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

from docs.figures.sentence_sample import VERDICTS
from docs.figures.sentences import told
from docs.pages import updated
from earsim import Scenario, open_suite
from earsim.engine import Engine
from earsim.tables.document import Cell, Table
from earsim.tables.markdown import table_text
from earsim_generators.paraphrase.place import people_of, place_of

SUITES = (
    "earsim-bench-2",
    "earsim-bench-2-vocabulary",
    "earsim-bench-2-domain",
    "earsim-bench-2-language",
    "earsim-bench-2-time",
    "earsim-bench-2-talk",
)
READ = Path(__file__).with_name("paraphrase_sample.csv")
PAGE = Path(__file__).parents[1] / "earsim-bench-2.md"
SIZE = 200


class Judged(NamedTuple):
    """A paraphrase that was read.

    Attributes:
        taken_for: What it asks for, said before the goal was known.
        second: The verdict of the second judge, who read the first hundred; empty of the others.
    """

    suite: str
    scenario_id: str
    instruction: str
    taken_for: str
    judged: str
    note: str
    second: str
    second_note: str


class Drawn(NamedTuple):
    """A scenario of the sample."""

    suite: str
    scenario: Scenario


def drawn(size: int = SIZE) -> list[Drawn]:
    """The sample, of scenarios with a paraphrase."""
    every = [
        Drawn(name, scenario)
        for name in SUITES
        for scenario in open_suite(name)
        if "paraphrase" in (scenario.provenance or {})
    ]
    return sorted(every, key=_turn)[:size]


def _turn(one: Drawn) -> str:
    scenario = one.scenario
    name = f"{one.suite} {scenario.scene.id}/{scenario.task.id}"
    return sha256(name.encode()).hexdigest()


def already_read() -> list[Judged]:
    """What was found."""
    with READ.open(encoding="utf-8", newline="") as file:
        return [Judged(**row) for row in csv.DictReader(file)]


def counted(read: Iterable[Judged]) -> str:
    """How many of each suite were judged how, and those that both judges read."""
    read = list(read)
    found = Counter((each.suite, each.judged) for each in read)
    rows: list[tuple[Cell, ...]] = []
    for suite in SUITES:
        counts = [found[suite, verdict] for verdict in VERDICTS]
        rows.append((suite, sum(counts), *counts))
    rows.append(("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:])))
    twice = [each for each in read if each.second]
    for judge, verdicts in (
        ("those read by both, first judge", Counter(each.judged for each in twice)),
        ("second judge", Counter(each.second for each in twice)),
    ):
        rows.append((judge, len(twice), *(verdicts[verdict] for verdict in VERDICTS)))
    table = Table("", ("suite", "read", *VERDICTS), spaced=True)
    return table_text(table.with_rows(rows, whole="all"))


def blind(one: Drawn) -> Iterator[str]:
    """A place and what is said there."""
    engine = Engine(one.scenario)
    yield f"{one.suite} {one.scenario.id}"
    yield place_of(engine.start())
    if people_of(one.scenario):
        yield f"There: {people_of(one.scenario)}"
    yield f"Told: {engine.instruction}\n"


def main() -> None:
    """Print the sample, or rewrite the page."""
    parser = argparse.ArgumentParser(prog="python -m docs.figures.paraphrase_sample")
    parser.add_argument("--blind", action="store_true", help="without goals")
    parser.add_argument("--page", action="store_true", help="count what was found")
    options = parser.parse_args()
    if options.page:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(updated(page, "judged", counted(already_read())), encoding="utf-8")
        return
    for one in drawn():
        lines = blind(one) if options.blind else told(one.scenario)
        sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
