"""How fast scenarios are made: accepted ones per second of one core, what is rejected and why.

`python -m benchmarks.generate --n 2000` measures the preset `standard` with its 44 objects in this
process. The certificates are made on the way; nothing is written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.timing import calibration_s
from earsim_generators import Generated, GenerationSettings
from earsim_generators.difficulty import Measures, band_of
from earsim_generators.suites.run import GenerationRun, RunCounts

_QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


class Sheet:
    """What is noted of scenarios while they pass; its size does not grow with their number."""

    def __init__(self) -> None:
        self.lengths: Counter[int] = Counter()
        self.bounds: Counter[int] = Counter()
        self.candidates: Counter[int] = Counter()
        self.kinds: Counter[str] = Counter()
        self.measures = {name: Counter[float]() for name in Measures._fields}

    def note(self, made: Generated) -> None:
        """Note one."""
        certificate = json.loads(made.certificate_line)
        solution = certificate["solution"]
        self.lengths[made.measures.length] += 1
        self.bounds[solution["bound"]] += 1
        self.kinds["proved least"] += solution.get("least", False)
        self.kinds["label proved by the goal's mark"] += certificate["label"] == "proved_by_mark"
        self.kinds[f"band {band_of(made.measures)}"] += 1
        if made.measures.lookalikes:
            self.candidates[made.measures.lookalikes] += 1
        for name, counts in self.measures.items():
            counts[getattr(made.measures, name)] += 1


def measure(settings: GenerationSettings) -> dict[str, Any]:
    """Generate in this process, and say what it took."""
    assert settings.n is not None, "a benchmark ends"
    run, sheet = GenerationRun(settings), Sheet()
    next(GenerationRun(settings).made(None, 1))  # domains are read once, whatever is made of them
    began = process_time()
    early = 0.0
    for count, made in enumerate(run.made(None, settings.n), start=1):
        sheet.note(made)
        if count == max(1, settings.n // 10):
            early = memory_mb()
    seconds = process_time() - began
    counts = run.counts[None]
    return {
        "scenarios": settings.n,
        "scenes": counts.scenes,
        "cpu_s": round(seconds, 2),
        "accepted_per_s": round(settings.n / seconds, 1),
        "rejected_share": round(counts.rejection_share, 4),
        "rejected": _reasons(counts),
        "length": quantiles(sheet.lengths),
        "proved_bound": quantiles(sheet.bounds),
        **{name: quantiles(counts) for name, counts in sheet.measures.items() if name != "length"},
        "candidates": dict(sorted(sheet.candidates.items())),
        "of_these": dict(sorted(sheet.kinds.items())),
        "memory_mb_at_a_tenth": early,
        "memory_mb_at_the_end": memory_mb(),
    }


def quantiles(counts: Counter[Any]) -> dict[str, float]:
    """Numbers below which so many of those counted lie."""
    numbers = sorted(counts.elements())
    return {f"{q:g}": numbers[round(q * (len(numbers) - 1))] for q in _QUANTILES}


def memory_mb() -> float:
    """Memory of this process now; where the system does not tell, the most it has been."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024
    import resource

    per_mb = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / per_mb


def _reasons(counts: RunCounts) -> dict[str, float]:
    reasons: Counter[str] = Counter()
    for (_, reason), count in counts.rejected.items():
        reasons[reason.value] += count
    return {reason: round(count / counts.proposed, 4) for reason, count in reasons.most_common()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generate", description=__doc__)
    parser.add_argument("--n", type=int, default=1400, help="scenarios")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", default="standard")
    parser.add_argument("--difficulty", nargs="*", default=(), help="bands; any by default")
    parser.add_argument("--tasks-per-scene", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    options = parser.parse_args()
    calibration = calibration_s()
    settings = GenerationSettings(
        n=options.n,
        seed=options.seed,
        preset=options.preset,
        bands=tuple(options.difficulty),
        tasks_per_scene=options.tasks_per_scene,
    )
    found = {"calibration_s": round(calibration, 3), **measure(settings)}
    found["calibration_after_s"] = round(calibration_s(), 3)
    for name, value in found.items():
        print(f"{name:24} {value}")
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
