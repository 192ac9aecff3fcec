"""`python -m benchmarks.resets [SUITE ...]`: resets over whole suites, the first time and again.

A scenario that was played before is kept packed, so the first reset reads and checks a file and
later ones do not. Every scenario of a suite is reset to once a pass, in the order of the suite.
"""

from __future__ import annotations

import argparse
import resource
from time import perf_counter

from benchmarks.timing import calibration_s
from earsim.envs import OmniEAREnv

_PASSES = ("first pass", "second pass")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.resets", description=__doc__)
    parser.add_argument("suites", nargs="*", default=["starter", "earsim-bench"], metavar="SUITE")
    options = parser.parse_args()
    print(f"x += i & 7 over 10^7 values: {calibration_s():.2f} s of CPU time\n")
    print(f"{'suite':20} {'':12} {'resets':>7} {'median ms':>10} {'99 % ms':>8}")
    for suite in options.suites:
        env = OmniEAREnv(suite=suite)
        for name in _PASSES:
            found = sorted(_times_ms(env))
            middle, late = found[len(found) // 2], found[len(found) * 99 // 100]
            print(f"{suite:20} {name:12} {len(found):7,} {middle:10.2f} {late:8.2f}")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nmemory of the process at most: {peak_mb:,.0f} MB")


def _times_ms(env: OmniEAREnv) -> list[float]:
    found = []
    for scenario in env.source.ids:
        begun = perf_counter()
        env.reset(options={"scenario": scenario})
        found.append((perf_counter() - begun) * 1000)
    return found


if __name__ == "__main__":
    main()
