"""CPU time of a piece of work, and of a fixed loop to compare machines by."""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from time import process_time

CALIBRATION_VALUES = 10**7


def calibration_s(values: int = CALIBRATION_VALUES) -> float:
    """CPU seconds of the loop `x += i & 7`; about 0.58 on the machine the goals were set for."""
    start = process_time()
    x = 0
    for i in range(values):
        x += i & 7
    return (process_time() - start) * CALIBRATION_VALUES / values


def cpu_s(work: Callable[[], object], *, before: Callable[[], object], runs: int) -> float:
    """The median of the CPU seconds that some work takes; `before` prepares each run untimed."""
    found = []
    for _ in range(runs):
        before()
        gc.collect()
        start = process_time()
        work()
        found.append(process_time() - start)
    return median(found)
