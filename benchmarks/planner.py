"""`python -m benchmarks.planner [SUITE ...]`: how long the planner takes for whole suites.

Every scenario of a suite is loaded and planned for once, on as many processes as are asked for
(two by default, the machine the goals were set for). Times of a scenario are CPU seconds of the
process that planned it; the time of a suite is what a clock on the wall shows, loading included.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from benchmarks.goals import Figure
from benchmarks.timing import calibration_s
from earsim.engine import Engine
from earsim.errors import EarSimError
from earsim.parallel import map_ordered
from earsim.planner import (
    DEFAULT_NODE_LIMIT,
    CommandClass,
    Impossible,
    Plan,
    Result,
    plan,
)
from earsim.suites import Suite, open_suite

EVAL = ("eval-single", "eval-multi")
SUITES = (*EVAL, "data-all")
HARDEST = 10

_KB_PER_MAXRSS = 1 / 1024 if sys.platform == "darwin" else 1


class Question(NamedTuple):
    """What a process is asked."""

    suite: str
    id: str
    ruleset: str | None
    command_class: CommandClass
    nodes: int


class Answer(NamedTuple):
    """What it took to answer.

    Attributes:
        found: least, longer (a plan that may not be least), impossible, unknown, or unreadable.
        decisions: length of the plan; None without one.
        bound: no plan is shorter; None where there is none at all.
        nodes: states that were reached.
        load_ms: CPU time of reading the scenario and building its engine.
        plan_ms: CPU time of planning.
        peak_mb: the most memory that the process had until then.
    """

    id: str
    found: str
    decisions: int | None
    bound: int | None
    nodes: int
    load_ms: float
    plan_ms: float
    peak_mb: float


class Report(NamedTuple):
    """All answers about one suite, and the wall time of getting them."""

    suite: str
    answers: list[Answer]
    wall_s: float
    jobs: int

    @property
    def peak_mb(self) -> float:
        """Memory of all processes together, each taken at its worst."""
        # Processes share nothing that counts, and each grows to about the same.
        return max(answer.peak_mb for answer in self.answers) * self.jobs + _peak_mb()

    def share(self, *found: str) -> float:
        """The share of answers of some kinds."""
        return sum(answer.found in found for answer in self.answers) / len(self.answers)

    def quantile_ms(self, share: float) -> float:
        """The planning time that a share of the scenarios stays within."""
        times = sorted(answer.plan_ms for answer in self.answers)
        return times[min(len(times) - 1, int(share * len(times)))]

    def hardest(self, count: int = HARDEST) -> list[Answer]:
        """The answers that took longest."""
        return sorted(self.answers, key=lambda answer: (-answer.plan_ms, answer.id))[:count]


def measure(suite: str, settings: argparse.Namespace) -> Report:
    """Plan for every scenario of a suite."""
    ids = open_suite(suite).ids[:: settings.every]
    questions = (
        Question(suite, id, settings.ruleset, settings.command_class, settings.nodes) for id in ids
    )
    began = perf_counter()
    answers = list(map_ordered(answer, questions, jobs=settings.jobs))
    return Report(suite, answers, perf_counter() - began, settings.jobs)


def answer(question: Question) -> Answer:
    """Plan for one scenario."""
    began = process_time()
    try:
        engine = Engine(_opened(question.suite).load(question.id), question.ruleset)
    except EarSimError:
        return Answer(question.id, "unreadable", None, None, 0, 0.0, 0.0, _peak_mb())
    loaded = process_time()
    found = plan(engine, command_class=question.command_class, nodes=question.nodes)
    done = process_time()
    return Answer(
        question.id,
        _kind(found),
        len(found) if isinstance(found, Plan) else None,
        None if isinstance(found, Impossible) else found.bound,
        found.nodes,
        (loaded - began) * 1000,
        (done - loaded) * 1000,
        _peak_mb(),
    )


@cache  # every process opens a suite once
def _opened(suite: str) -> Suite:
    return open_suite(suite)


def _kind(found: Result) -> str:
    if isinstance(found, Plan):
        return "least" if found.least else "longer"
    return "impossible" if isinstance(found, Impossible) else "unknown"


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KB_PER_MAXRSS / 1000


def figures(reports: Sequence[Report]) -> list[Figure]:
    """What has a goal, of the suites that were measured."""
    evals = [report for report in reports if report.suite in EVAL]
    found = []
    if len(evals) == len(EVAL):
        found.append(Figure("all of eval", sum(r.wall_s for r in evals), "s", 60, at_most=True))
    for report in reports:
        if report.suite == "data-all":
            found.append(Figure("all of data-all", report.wall_s, "s", 600, at_most=True))
        name = f"{report.suite}, median"
        found.append(Figure(name, report.quantile_ms(0.5), "ms", 5, at_most=True))
    memory = max(report.peak_mb for report in reports)
    found.append(Figure("memory of all processes", memory, "MB", 1000, at_most=True))
    return found


def main() -> None:
    """Measure and print."""
    settings = _settings()
    calibration = calibration_s()
    print(f"x += i & 7 over 10^7 values: {calibration:.2f} s of CPU time")
    reports = []
    for suite in settings.suites:
        reports.append(measure(suite, settings))
        _tell(reports[-1])
    print()
    goals = figures(reports)
    for figure in goals:
        verdict = "reached" if figure.reached else "MISSED"
        print(f"{figure.name:32} {figure.value:9,.1f} {figure.unit:3} goal <= {figure.goal:,} "
              f"{verdict}")  # fmt: skip
    if settings.json is not None:
        told = [_as_json(report) for report in reports]
        found = {"calibration_s": calibration, "suites": told}
        settings.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planner", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"default: {' '.join(SUITES)}")
    parser.add_argument("--ruleset", help="instead of each scenario's own")
    parser.add_argument(
        "--command-class", type=CommandClass, choices=[*CommandClass], default=CommandClass.PLAIN
    )
    parser.add_argument("--nodes", type=int, default=DEFAULT_NODE_LIMIT, help="states per search")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth scenario")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every answer here")
    settings = parser.parse_args()
    settings.suites = settings.suites or list(SUITES)
    return settings


def _tell(report: Report) -> None:
    found, count = report, len(report.answers)
    cpu = sum(answer.load_ms + answer.plan_ms for answer in report.answers) / 1000
    least, longer = found.share("least"), found.share("longer")
    print(f"\n== {report.suite}: {count:,} scenarios in {report.wall_s:.1f} s, "
          f"{cpu:.1f} s of CPU time\n")  # fmt: skip
    print(f"plan {least + longer:.1%}, proved least {least:.1%}; "
          f"impossible {found.share('impossible'):.1%}, unknown {found.share('unknown'):.1%}, "
          f"unreadable {found.share('unreadable'):.1%}")  # fmt: skip
    quantiles = [(share, found.quantile_ms(share)) for share in (0.5, 0.9, 0.99, 0.999, 1)]
    told = ", ".join(f"{share:.4g}: {ms:,.1f}" for share, ms in quantiles)
    load = sum(answer.load_ms for answer in report.answers) / count
    print(f"ms of planning by share of scenarios: {told}; {load:.1f} to load one")
    print(f"\n{'hardest':24} {'ms':>9} {'nodes':>7}  found       decisions  bound")
    for each in report.hardest():
        decisions = "" if each.decisions is None else each.decisions
        bound = "" if each.bound is None else each.bound
        print(f"{each.id:24} {each.plan_ms:9,.0f} {each.nodes:7,}  "
              f"{each.found:10} {decisions:10} {bound:6}")  # fmt: skip


def _as_json(report: Report) -> dict[str, Any]:
    return {
        "suite": report.suite,
        "wall_s": report.wall_s,
        "jobs": report.jobs,
        "peak_mb": report.peak_mb,
        "answers": [each._asdict() for each in report.answers],
    }


if __name__ == "__main__":
    main()
