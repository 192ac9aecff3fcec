"""The tables of the page of results: `python -m docs.figures.results FOLDER`.

FOLDER keeps certificates and runs, so the same command goes on where it was stopped; to play
everything anew takes some minutes on two cores, the certificates of EAR-Bench as long again.
EAR-Bench is found through `EAR_BENCH_DIR`; without it nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from docs.figures.playing import POLICIES, SUITES, Runs, Time, name_of
from docs.pages import updated
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup, read_groups
from earsim.evaluation.report import paper_tables
from earsim.evaluation.report.numbers import NOTHING, with_bounds
from earsim.evaluation.report.tables import value
from earsim.suites.opening import EAR_BENCH_VARIABLE, ear_bench_dir
from earsim.tables.document import Table, TableRow
from earsim.tables.markdown import table_text

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "docs" / "results.md", ROOT / "README.md")

Played = Mapping[tuple[str, str], Sequence[CountedEpisode]]
"""Episodes by policy and suite, in the order of the page."""


def played(subjects: Iterable[ResultsGroup]) -> Played:
    """The episodes of those who had to find things out."""
    found = {
        (each.policy, suite): [episode for episode in each.episodes if episode.suite == suite]
        for each in subjects
        for suite in each.suites
        if each.knowledge == "explore"
    }
    order = ((policy, suite) for suite in SUITES for policy in POLICIES)
    return {key: found[key] for key in order if key in found}


def summary(episodes: Played, found: Mapping[str, Time]) -> Table:
    """One row for each policy on each suite."""
    rows = []
    for row, each in zip(brief(episodes, found).rows, episodes.values(), strict=True):
        *result, time = row.cells
        acts = (value(id, each) for id in ("claims.precision", "commands.accepted"))
        measured = f"{sum(one.measured for one in each):,}/{len(each):,}"
        rows.append(TableRow((*result, *acts, time, measured)))
    head = (*_BRIEF, "claims true", "commands accepted", "time", "measured")
    return Table("", head, tuple(rows), texts=2)


_BRIEF = ("suite", "policy", "success", "of the solvable", "steps", "step ratio")


def brief(episodes: Played, found: Mapping[str, Time]) -> Table:
    """The same in few columns, with the time it took."""
    rows = []
    for (policy, suite), each in episodes.items():
        time = found.get(name_of(policy, suite))
        told = NOTHING if time is None else f"{time.wall_s:.0f} s"
        numbers = (value(id, each) for id in ("steps.success", "step_ratio.median"))
        rows.append(
            TableRow((suite, policy, _rate("success", each), _solvable(each), *numbers, told))
        )
    return Table("", (*_BRIEF, "time"), tuple(rows), texts=2)


def _rate(metric: str, episodes: Sequence[CountedEpisode]) -> str:
    return with_bounds(METRICS[metric].one(episodes), METRICS[metric].unit)


def _solvable(episodes: Sequence[CountedEpisode]) -> str:
    """How many were won of those that have a plan."""
    with_plan = [each for each in episodes if each.plan is not None]
    return f"{sum(each.succeeded for each in with_plan):,}/{len(with_plan):,}"


# -- the page ------------------------------------------------------------------------------------


def sections(
    subjects: Sequence[ResultsGroup], found: Mapping[str, Time]
) -> Iterator[tuple[str, str]]:
    """Every part of the page that is counted, by its mark."""
    episodes = played(subjects)
    yield "summary", table_text(summary(episodes, found))
    yield "brief", table_text(brief(episodes, found))
    explorers = [each for each in subjects if each.knowledge == "explore"]
    yield "table 1", _titled(paper_tables.table_1(explorers))


def _titled(tables: Iterable[Table]) -> str:
    parts = ((f"**{table.title}**", table_text(table), table.note) for table in tables)
    return "\n\n".join(part for found in parts for part in found if part)


def main() -> None:
    """Play what is missing and rewrite the page, and the README where it has such a part."""
    if len(sys.argv) != 2 or not ear_bench_dir().is_dir():
        sys.stdout.write(f"{__doc__}\n{EAR_BENCH_VARIABLE} is {ear_bench_dir()}\n")
        return
    runs = Runs(Path(sys.argv[1]))
    runs.play()
    subjects = read_groups(runs.folders, certificates=runs.certificates)
    counted = tuple(sections(subjects, runs.times))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for mark, part in counted:
            text = updated(text, mark, part)
        page.write_text(text, encoding="utf-8")
    sys.stdout.write(f"counted: {', '.join(mark for mark, _ in counted)}\n")


if __name__ == "__main__":
    main()
