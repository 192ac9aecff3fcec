"""Guessing with other tie-breakers: `python -m docs.figures.tie_breakers [SUITE ...]`.

Prints the rate of right guesses by suite, tie-breaker and category; without suites, of the three
parts of earsim-bench. `docs.figures.earsim_bench` writes the same table into its page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from docs.figures.bench_baselines import guesses
from docs.figures.guessing_baseline import Guess, Guesses, Tie, by_category
from earsim.schema import Category
from earsim.tables.document import ALL, Cell, Table
from earsim.tables.markdown import table_text

OURS = ("earsim-bench", "earsim-bench-vocabulary", "earsim-bench-domain")
TOGETHER = "all of them"


def tie_breakers(suites: Sequence[str]) -> Table:
    """Rates by suite and tie-breaker, and those of all suites together."""
    found = {(suite, tie): guesses(suite, tie) for suite in suites for tie in Tie}
    if len(suites) > 1:
        for tie in Tie:
            found[TOGETHER, tie] = [each for suite in suites for each in found[suite, tie]]
    columns = _columns(found)
    rows: list[tuple[Cell, ...]] = []
    for (suite, tie), group in found.items():
        rates = by_category(group)
        rows.append((f"{suite}, {tie}", *(_cell(rates.get(name)) for name in columns)))
    head = ("right, %", *columns)
    return Table("Tie-breakers", head, name="ties", spaced=True).with_rows(rows)


def _columns(found: Mapping[tuple[str, Tie], Sequence[Guess]]) -> tuple[str, ...]:
    """Categories in which there is something to choose."""
    known = {each.category for group in found.values() for each in group}
    return (*(category.value for category in Category if category in known), ALL)


def _cell(rates: Guesses | None) -> Cell:
    """A rate; one that is not at chance with its interval, and chance."""
    if rates is None:
        return None
    rate = f"{100 * rates.rate:.1f}"
    if rates.is_at_chance:
        return rate
    low, high = rates.interval
    return f"{rate} ({100 * low:.1f}-{100 * high:.1f}, chance {100 * rates.chance:.1f})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m docs.figures.tie_breakers")
    parser.add_argument("suites", metavar="SUITE", nargs="*", help="our three by default")
    options = parser.parse_args()
    sys.stdout.write(table_text(tie_breakers(options.suites or OURS)) + "\n")


if __name__ == "__main__":
    main()
