"""Plays the runs that the page of results tells about, and measures what that takes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks.timing import calibration_s
from earsim.evaluation.metrics.results_group import EAR_BENCH
from earsim.evaluation.store.database import DATABASE, Store

SUITES = ("starter", *EAR_BENCH)
POLICIES = ("oracle", "expert", "random")
SEED = 1
PROCESSES = 2

_TIMES = "times.json"
_FINE = (0, 1)
"""Exit codes: 1 says that something was not measured or not proved, which the tables tell, too."""


class Time(NamedTuple):
    """What playing a suite took, from an empty folder to its last episode.

    Attributes:
        wall_s: start of the program included.
        cpu_s: of all its processes.
        loop_s: CPU seconds of the benchmarks' fixed loop just before, to compare machines by.
    """

    episodes: int
    wall_s: float
    cpu_s: float
    loop_s: float


class Runs:
    """The runs in a folder; parts of EAR-Bench share a run, so that they stand in one row."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.certificates = folder / "certificates"
        self.times: dict[str, Time] = {}
        if (folder / _TIMES).is_file():
            known = json.loads((folder / _TIMES).read_text("utf-8"))
            self.times = {name: Time(**values) for name, values in known.items()}

    @property
    def folders(self) -> tuple[Path, ...]:
        """Of all runs, those of one suite beside each other."""
        return tuple(dict.fromkeys(self._run(p, s) for s in SUITES for p in POLICIES))

    def _run(self, policy: str, suite: str) -> Path:
        part = "ear-bench" if suite in EAR_BENCH else suite
        return self.folder / f"{part}-{policy}"

    def play(self) -> None:
        """Certify and play whatever is missing."""
        for suite in SUITES:
            if suite in EAR_BENCH:  # scenes of our own come with their certificates
                where = ("--out", str(self.certificates), "--jobs", str(PROCESSES))
                _earsim("certify", suite, *where)
            for policy in POLICIES:
                self._play(policy, suite)

    def _play(self, policy: str, suite: str) -> None:
        """Play, and note the time if this was the only go."""
        run, name = self._run(policy, suite), name_of(policy, suite)
        before = set(_episodes(run, f"{policy}-{suite}"))
        loop_s, cpu_s, begun = calibration_s(), _children_s(), perf_counter()
        self._eval(policy, suite)
        wall_s, cpu_s = perf_counter() - begun, _children_s() - cpu_s
        new = set(_episodes(run, f"{policy}-{suite}")) - before
        if not new:
            return
        self.times.pop(name, None)
        if not before:
            self.times[name] = Time(len(new), round(wall_s, 1), round(cpu_s, 1), round(loop_s, 2))
        told = {name: time._asdict() for name, time in self.times.items()}
        (self.folder / _TIMES).write_text(json.dumps(told, indent=2) + "\n", "utf-8")

    def _eval(self, policy: str, suite: str) -> None:
        out = str(self._run(policy, suite))
        where = ("--executor", "processes", "--workers", str(PROCESSES), "--out", out)
        asked = ("--policy", policy, "--suite", suite, "--seed", str(SEED))
        _earsim("eval", *asked, *where)


def name_of(policy: str, suite: str) -> str:
    """What a policy's time on a suite is filed under."""
    return f"{policy} {suite}"


def _episodes(run: Path, cell: str) -> Iterator[tuple[str, float]]:
    """The episodes of a cell, each with when it was played."""
    if (run / DATABASE).is_file():
        with Store.open(run, readonly=True) as store:
            yield from ((row.episode, row.started_at) for row in store.episodes(cell))


def _earsim(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "earsim", *arguments], check=False)
    if done.returncode not in _FINE:
        raise SystemExit(f"earsim {' '.join(arguments)} ended with {done.returncode}")


def _children_s() -> float:
    """CPU seconds of all processes that were started here, directly or not, and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
