"""What EAR-Bench looks like under `physical`: counts its scenarios that no team can solve there.

`python -m docs.figures.ear_bench_under_physical` writes the tables of the page. EAR-Bench is found
through `EAR_BENCH_DIR`; without it nothing is written.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from docs.figures.blockers import OF_THE_DATA, Blocker, blockers
from earsim import open_suite
from earsim.errors import FileError
from earsim.schema import Category
from earsim.suites.opening import EAR_BENCH_VARIABLE, ear_bench_dir

PAGE = Path(__file__).parents[1] / "ear-bench-under-physical.md"
SPLITS = ("eval-single", "eval-multi", "data-all")

_WORDS = {category: category.value.replace("_", " ") for category in Category}


class Judged(NamedTuple):
    """One scenario, and what keeps every team from its goal; None where it cannot be loaded."""

    category: Category
    blockers: frozenset[Blocker] | None


def judged(split: str) -> list[Judged]:
    """Every scenario of a split, in its order."""
    suite = open_suite(split)
    found = []
    for scenario_id in suite.ids:
        try:
            scenario = suite.load(scenario_id)
        except FileError:
            found.append(Judged(suite.category(scenario_id), None))
        else:
            found.append(Judged(scenario.task.category, blockers(scenario)))
    return found


def section(split: str) -> str:
    """The tables of one split, between the marks that the page has for them."""
    scenarios = judged(split)
    categories = [category for category in Category if _of(scenarios, category)]
    parts = [
        f"<!-- figures: {split} -->",
        _table(_HEAD, _counts(scenarios, categories)),
        _table(
            ["reason", *map(_WORDS.__getitem__, categories), "all", "alone"],
            _reasons(scenarios, categories),
        ),
        _overlaps(scenarios),
        "<!-- end -->",
    ]
    return "\n\n".join(parts)


_HEAD = ["category", "scenarios", "out of reach", "share", "of these, under `ear-bench` too"]


def _counts(scenarios: Sequence[Judged], categories: Iterable[Category]) -> Iterator[list[str]]:
    for category in categories:
        yield _count(_WORDS[category], _of(scenarios, category))
    yield _count("**all**", scenarios)


def _count(name: str, scenarios: Sequence[Judged]) -> list[str]:
    blocked = [each for each in scenarios if each.blockers]
    data = [each for each in blocked if each.blockers and each.blockers & OF_THE_DATA]
    share = f"{100 * len(blocked) / len(scenarios):.1f} %"
    return [name, f"{len(scenarios):,}", f"{len(blocked):,}", share, f"{len(data):,}"]


def _reasons(scenarios: Sequence[Judged], categories: Sequence[Category]) -> Iterator[list[str]]:
    by_category = {c: _tally(_of(scenarios, c)) for c in categories}
    everywhere = _tally(scenarios)
    lone = [each.blockers for each in scenarios if each.blockers and len(each.blockers) == 1]
    alone = Counter(next(iter(found)) for found in lone)
    for blocker, count in sorted(everywhere.items(), key=lambda entry: (-entry[1], entry[0])):
        mark = " †" if blocker in OF_THE_DATA else ""
        cells = [_cell(by_category[category][blocker]) for category in categories]
        yield [blocker.value + mark, *cells, f"{count:,}", _cell(alone[blocker])]


def _cell(count: int) -> str:
    return f"{count:,}" if count else ""


def _overlaps(scenarios: Sequence[Judged]) -> str:
    sizes = Counter(len(each.blockers) for each in scenarios if each.blockers)
    several = sum(count for size, count in sizes.items() if size > 1)
    unread = sum(each.blockers is None for each in scenarios)
    told = f"Of the {sizes.total():,}, {several:,} have several reasons and stand in several rows."
    return f"{told} {unread:,} could not be loaded." if unread else told


def _tally(scenarios: Iterable[Judged]) -> Counter[Blocker]:
    return Counter(blocker for each in scenarios for blocker in each.blockers or ())


def _of(scenarios: Iterable[Judged], category: Category) -> list[Judged]:
    return [each for each in scenarios if each.category == category]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def updated(page: str, splits: Iterable[str] = SPLITS) -> str:
    """The page with the tables of the splits counted anew."""
    for split in splits:
        place = re.compile(rf"<!-- figures: {split} -->.*?<!-- end -->", re.DOTALL)
        tables = section(split)
        page, found = place.subn(lambda _, tables=tables: tables, page)
        assert found == 1, f"{PAGE.name} has {found} places for the figures of {split}"
    return page


def main() -> None:
    """Rewrite the page."""
    if not ear_bench_dir().is_dir():
        sys.stdout.write(f"No EAR-Bench here, nothing counted: set {EAR_BENCH_VARIABLE}.\n")
        return
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{PAGE}: counted {', '.join(SPLITS)}\n")


if __name__ == "__main__":
    main()
