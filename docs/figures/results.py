"""The tables of the page of results: `python -m docs.figures.results FOLDER`.

FOLDER keeps certificates and runs, so the same command goes on where it was stopped; to play
everything anew takes some minutes on two cores, the certificates of EAR-Bench as long again.
EAR-Bench is found through `EAR_BENCH_DIR`; without it nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from docs.figures.playing import POLICIES, PROCESSES, SUITES, Runs, Time, name_of
from docs.pages import updated
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.measurement import by_category
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

_STEPS = ("steps.success", "step_ratio.median", "step_ratio.mean")
_ACTS = ("claims.precision", "claims.recall", "commands.accepted")
_SHORT = {
    "success.latched": "ever true",
    "success.final": "true at the end",
    "steps.success": "steps",
    "step_ratio.median": "ratio, median",
    "step_ratio.mean": "ratio, mean",
    "claims.precision": "claims true",
    "claims.recall": "successes claimed",
    "commands.accepted": "commands accepted",
}

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


def summary(episodes: Played) -> Table:
    """One row for each policy on each suite."""
    head = ("suite", "policy", "success", "of the solvable", *map(_SHORT.get, (*_STEPS, *_ACTS)))
    rows = [
        TableRow((suite, policy, _rate("success", each), _solvable(each), *_numbers(each)))
        for (policy, suite), each in episodes.items()
    ]
    return Table("", (*map(str, head), "measured"), tuple(rows), texts=2)


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
    head = ("suite", "policy", "success", "of the solvable", "steps", "step ratio", "time")
    return Table("", head, tuple(rows), texts=2)


def times(episodes: Played, found: Mapping[str, Time]) -> Table:
    """What that took."""
    rows = []
    for policy, suite in episodes:
        time = found.get(name_of(policy, suite))
        cells = (NOTHING,) * 6 if time is None else _time(time)
        rows.append(TableRow((suite, policy, *cells)))
    head = ("suite", "policy", "episodes", "processes", "wall time, s", "CPU time, s")
    return Table("", (*head, "episodes/s", "loop, s"), tuple(rows), texts=2)


def _time(time: Time) -> tuple[str, ...]:
    return (
        f"{time.episodes:,}",
        f"{PROCESSES}",
        f"{time.wall_s:.1f}",
        f"{time.cpu_s:.1f}",
        f"{time.episodes / time.wall_s:.1f}",
        f"{time.loop_s:.2f}",
    )


def categories(policy: str, episodes: Sequence[CountedEpisode]) -> Table:
    """A policy on a suite, category by category."""
    groups = by_category(episodes)
    rows = [TableRow((_words(name), *_group(each))) for name, each in groups.items()]
    whole = TableRow(("all", *_group(episodes)), strong=True)
    shown = ("success.latched", "success.final", *_STEPS, *_ACTS)
    head = (policy, *(_SHORT[id] for id in shown), "measured")
    return Table("", head, (*rows, whole))


def _group(episodes: Sequence[CountedEpisode]) -> tuple[str, ...]:
    rates = (_rate(id, episodes) for id in ("success.latched", "success.final"))
    return (*rates, *_numbers(episodes))


def _numbers(episodes: Sequence[CountedEpisode]) -> tuple[str, ...]:
    measured = sum(each.measured for each in episodes)
    found = (value(id, episodes) for id in (*_STEPS, *_ACTS))
    return (*found, f"{measured:,}/{len(episodes):,}")


def _rate(metric: str, episodes: Sequence[CountedEpisode]) -> str:
    return with_bounds(METRICS[metric].one(episodes), METRICS[metric].unit)


def _solvable(episodes: Sequence[CountedEpisode]) -> str:
    """How many were won of those that have a plan."""
    with_plan = [each for each in episodes if each.plan is not None]
    return f"{sum(each.succeeded for each in with_plan):,}/{len(with_plan):,}"


def _words(category: str) -> str:
    return category.replace("_", " ")


# -- the page ------------------------------------------------------------------------------------


def sections(
    subjects: Sequence[ResultsGroup], found: Mapping[str, Time]
) -> Iterator[tuple[str, str]]:
    """Every part of the page that is counted, by its mark."""
    episodes = played(subjects)
    yield "summary", table_text(summary(episodes))
    yield "brief", table_text(brief(episodes, found))
    yield "times", table_text(times(episodes, found))
    for suite in SUITES:
        tables = (
            categories(policy, each) for (policy, of), each in episodes.items() if of == suite
        )
        yield suite, "\n\n".join(map(table_text, tables))
    explorers = [each for each in subjects if each.knowledge == "explore"]
    yield "table 1", _titled(paper_tables.table_1(explorers))
    yield "table 2", _titled(paper_tables.table_2(subjects))
    yield "step ratio", _titled([paper_tables.step_ratios(explorers)])


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
