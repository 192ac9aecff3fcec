"""`python -m benchmarks.eval_throughput`: many episodes at once, against a server that only waits.

The scripted server runs in a process of its own and answers every request with a command after a
fixed time. With 64 episodes in flight and 200 ms per answer, 320 answers a second are all there can
be; what is missing to that is what the runner, the client, the world and the database take. The
rate is over the whole run, its start and its last episode included. Memory is the greatest that a
fresh process ever had, with 256 episodes in flight.
"""

from __future__ import annotations

import multiprocessing
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks.goals import Figure
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.database import Store

LATENCY_S = 0.2
DECISIONS = 20
SUITE = "starter"
SAMPLED = 16
"""Of so many episodes, the calls of one are looked at."""

_KB_PER_MAXRSS = 1 / 1024 if sys.platform == "darwin" else 1


class Run(NamedTuple):
    """What one run took.

    Attributes:
        wall_s: from the first scenario loaded to the last episode written.
        cpu_s: of the process that evaluates.
        answer_ms: how long the client waited for an answer, the median of a sample of calls.
        peak_mb: the most memory it ever had.
    """

    calls: int
    wall_s: float
    cpu_s: float
    answer_ms: float
    peak_mb: float


def main() -> None:
    """Measure everything and print it."""
    for style in ("chat", "paper"):
        for figure in figures(style):
            goal = "" if figure.goal is None else f" (goal {figure.goal:,})"
            print(f"{figure.name}: {figure.value:,.1f} {figure.unit}{goal}", flush=True)


def figures(style: str) -> Iterator[Figure]:
    """The figures of a prompt style."""
    steady = measured(style, in_flight=64, repeats=8, limit=64)
    ideal = 64 / LATENCY_S
    share = 100 * steady.calls / steady.wall_s / ideal
    yield Figure(f"{style}: of the ideal rate, 64 in flight", share, "%", 97)
    yield Figure(f"{style}: calls per CPU second", steady.calls / steady.cpu_s, "calls/s", None)
    yield Figure(f"{style}: median wait for an answer", steady.answer_ms, "ms", None)
    wide = measured(style, in_flight=256, repeats=8, limit=64)
    yield Figure(f"{style}: peak memory, 256 in flight", wide.peak_mb, "MB", 300, at_most=True)


def measured(style: str, *, in_flight: int, repeats: int, limit: int) -> Run:
    """A run in a fresh process."""
    with _server() as url, tempfile.TemporaryDirectory() as folder:
        context = multiprocessing.get_context("spawn")
        with context.Pool(1) as pool:
            return pool.apply(_run, (url, folder, style, in_flight, repeats, limit))


def _run(url: str, folder: str, style: str, in_flight: int, repeats: int, limit: int) -> Run:
    model = {"policy": "centralized", "options": {"model": "scripted", "base_url": url}}
    model["options"] |= {"concurrency": in_flight}  # type: ignore[operator]
    sweep = Sweep.model_validate(
        {
            "models": [model],
            "suites": [SUITE],
            "styles": [style],
            "repeats": repeats,
            "limit": limit,
            "budget": DECISIONS,
            "in_flight": in_flight,
        }
    )
    evaluation = Evaluation(sweep, Path(folder) / "run")
    begun, cpu = perf_counter(), process_time()
    rows = list(evaluation.run())
    wall_s, cpu_s = perf_counter() - begun, process_time() - cpu
    assert {row.termination for row in rows} == {"budget"}, "an episode ended early"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KB_PER_MAXRSS / 1024
    with Store.open(evaluation.folder, readonly=True) as store:
        sample = [list(store.calls(row.episode)) for row in rows[::SAMPLED]]
    calls = len(sample[0]) * len(rows)
    answer_ms = median(call.latency_ms for found in sample for call in found)
    return Run(calls, wall_s, cpu_s, answer_ms, peak)


@contextmanager
def _server() -> Iterator[str]:
    command = [sys.executable, "-m", "earsim_agents.scripted_server", "--say", "Action: WAIT"]
    command += ["--latency-ms", str(1000 * LATENCY_S)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
