"""CPU time of a process from its start: to what is imported, and to the first observation."""

from __future__ import annotations

import resource
import subprocess
import sys

from benchmarks.goals import Figure

_FIRST = """
import gymnasium, earsim
gymnasium.make("OmniEAR-v0", scenario="old_exchange/headset_behind_glass").reset()
"""


def starts(*, runs: int) -> list[Figure]:
    """Figures of cold starts, each in processes of their own; the files are in the disk cache."""
    programs = (
        ("python", "", None),
        ("import gymnasium, pydantic", "import gymnasium, pydantic", None),
        ("import earsim", "import earsim", 0.25),
        ("first observation", _FIRST, 0.6),
    )
    return [
        Figure(name, min(_cpu_s(program) for _ in range(runs)), "s", goal, at_most=True)
        for name, program, goal in programs
    ]


def _cpu_s(program: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
