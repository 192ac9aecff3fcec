"""Programs against their unit tests: PassAll@k, smooth execution rate, mean execution time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class ProgramRun(NamedTuple):
    """One solution that was executed against the tests of its problem.

    Attributes:
        passed: how many tests it passed.
        tests: how many there are.
        failed_to_run: it raised, or was stopped, instead of giving results.
        seconds: how long it ran; None where it did not end.
    """

    passed: int
    tests: int = 5
    failed_to_run: bool = False
    seconds: float | None = None


def pass_all_at(k: int, runs: Sequence[ProgramRun]) -> float | None:
    """Share of problems with at least k tests passed; None without problems (PassAll@k)."""
    return sum(run.passed >= k for run in runs) / len(runs) if runs else None


def smooth_execution_rate(runs: Sequence[ProgramRun]) -> float | None:
    """Share of runs without an error, right or wrong; None without runs (SER)."""
    return sum(not run.failed_to_run for run in runs) / len(runs) if runs else None


def mean_execution_time(runs: Sequence[ProgramRun]) -> float | None:
    """Mean seconds of the runs that ended; None where none did (AET)."""
    ended = [run.seconds for run in runs if run.seconds is not None]
    return sum(ended) / len(ended) if ended else None
