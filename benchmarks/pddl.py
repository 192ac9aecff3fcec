"""How long Fast Downward takes to read exported scenarios: `python -m benchmarks.pddl [SUITE ...]`.

Every scenario for one agent is exported, translated by Fast Downward's translator and read by its
search, which evaluates the first state and stops. Needs `earsim[pddl]`. Times are CPU seconds of
these programs, by the number of objects of a scene.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from benchmarks.timing import calibration_s
from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.planner.pddl import PddlTask, export
from earsim.suites import open_suite

SUITES = ("starter", "eval-single", "earsim-bench-mini", "earsim-bench-2-mini")
BUCKET = 10
"""Objects to a line of the table."""

_QUOTED = re.compile(r"'[^']*'")
_COUNTS = re.compile(r"Translator (facts|operators|axioms): (\d+)")


class Reading(NamedTuple):
    """What Fast Downward took to read one scenario.

    Attributes:
        export_s, translate_s, search_s: CPU seconds of the export, of the translator, and of the
            search up to the first state. NaN where the translator ran out of time.
        facts, operators, axioms: the size of the ground task.
    """

    id: str
    objects: int
    export_s: float
    translate_s: float
    search_s: float
    facts: int
    operators: int
    axioms: int


def readings(
    suite: str, *, every: int, ruleset: str | None, timeout_s: float, refused: Counter[str]
) -> Iterator[Reading]:
    """Read every Nth scenario of a suite; counts in `refused` why others are not exported."""
    opened = open_suite(suite)
    for scenario_id in opened.ids[::every]:
        scenario = opened.load(scenario_id)
        engine = Engine(scenario, ruleset)
        before = process_time()
        try:
            task = export(engine)
        except UsageError as error:
            refused[_reason(str(error), engine)] += 1
            continue
        export_s = process_time() - before
        with TemporaryDirectory() as folder:
            read = _read(task, Path(folder), timeout_s)
        yield Reading(scenario_id, len(scenario.scene.objects), export_s, *read)


def _reason(message: str, engine: Engine) -> str:
    """Why a scenario is refused, without the ids of the scene."""
    reason = _QUOTED.sub("X", message.rpartition("cannot be exported: ")[2])
    if "its goal says" in message:
        reason = message.rpartition("cannot be exported: ")[2]
    return " ".join("X" if word in engine.blueprint.rank else word for word in reason.split(" "))


def _read(task: PddlTask, folder: Path, timeout_s: float) -> tuple[float, float, int, int, int]:
    (folder / "domain.pddl").write_text(task.domain, encoding="utf-8")
    (folder / "problem.pddl").write_text(task.problem, encoding="utf-8")
    translator = (sys.executable, "-m", "fast_downward.translate", "domain.pddl", "problem.pddl")
    began = _children_s()
    try:
        told = _run(folder, *translator, timeout_s=timeout_s)
    except subprocess.TimeoutExpired:
        return float("nan"), float("nan"), 0, 0, 0
    translate_s = _children_s() - began
    counts = {name: int(count) for name, count in _COUNTS.findall(told)}
    _run(folder, _search(), "--search", "astar(blind(), max_time=0)", timeout_s=timeout_s)
    search_s = _children_s() - began - translate_s
    sizes = (counts[name] for name in ("facts", "operators", "axioms"))
    return (translate_s, search_s, *sizes)  # type: ignore[return-value]


def _search() -> str:
    spec = find_spec("up_fast_downward")
    if spec is None:
        raise SystemExit("Fast Downward is not installed: pip install 'earsim[pddl]'")
    return str(Path(spec.origin or "").parent / "downward/builds/release/bin/downward")


def _run(folder: Path, *command: str, timeout_s: float) -> str:
    translated = folder / "output.sas"
    text = translated.read_text(encoding="utf-8") if translated.exists() else ""
    return subprocess.run(
        command, cwd=folder, input=text, capture_output=True, text=True, timeout=timeout_s
    ).stdout


def _children_s() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table(found: Iterable[Reading]) -> Iterator[str]:
    """Medians, and the longest time, by the number of objects."""
    yield (
        f"{'objects':>9} {'scenarios':>9} {'export s':>9} {'translate s':>11} {'longest':>8} "
        f"{'search s':>9} {'facts':>7} {'operators':>9} {'axioms':>7}"
    )
    buckets: dict[int, list[Reading]] = {}
    for each in found:
        buckets.setdefault(each.objects // BUCKET * BUCKET, []).append(each)
    for low, those in sorted(buckets.items()):
        export_s, translate_s, search_s, *sizes = (
            median(column) for column in list(zip(*those, strict=True))[2:]
        )
        longest = max(each.translate_s for each in those)
        facts, operators, axioms = (f"{size:,.0f}" for size in sizes)
        yield (
            f"{low:>4}-{low + BUCKET - 1:<4} {len(those):>9} {export_s:>9.2f} {translate_s:>11.1f} "
            f"{longest:>8.1f} {search_s:>9.2f} {facts:>7} {operators:>9} {axioms:>7}"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    settings = _settings(arguments)
    print(f"x += i & 7 over 10^7 values: {calibration_s():.2f} s of CPU time")
    told: list[Reading] = []
    for suite in settings.suites:
        refused: Counter[str] = Counter()
        found = list(
            readings(
                suite,
                every=settings.every,
                ruleset=settings.ruleset,
                timeout_s=settings.timeout,
                refused=refused,
            )
        )
        print(f"\n== {suite}: {len(found)} exported, {refused.total()} refused\n")
        if found:
            print(*table(found), sep="\n")
        for reason, count in refused.most_common():
            print(f"{count:>9} refused: {reason}")
        told += found
    if settings.json is not None:
        text = json.dumps([each._asdict() for each in told], indent=1)
        settings.json.write_text(text + "\n", encoding="utf-8")


def _settings(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pddl", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"default: {' '.join(SUITES)}")
    parser.add_argument("--ruleset", help="instead of each scenario's own")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth scenario")
    parser.add_argument("--timeout", type=float, default=120, help="seconds of a translation")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every reading here")
    settings = parser.parse_args(arguments)
    settings.suites = settings.suites or list(SUITES)
    return settings


if __name__ == "__main__":
    main()
