"""`python -m benchmarks.resets [SUITE ...]`: resets over whole suites, the first time and again.

The first reset reads and checks a file, later ones find what was kept of it. Every scenario of a
suite is reset to once a pass, in the order of the suite.

`--cache` measures all of it twice, each time in a process of its own, with a cache on disk
(`EARSIM_CACHE_DIR`): the first process finds an empty one and fills it, the second finds it full.

`--generate 10000` measures a suite of so many scenarios, made in a temporary folder before. They
are of the kind that is made fastest (two minutes for 10,000): two rooms, direct commands.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.timing import calibration_s
from earsim.envs import OmniEAREnv
from earsim.suites.scenario_cache import CACHE_VARIABLE

_FAST = ("--preset", "small", "--rooms", "2", "--category", "direct_command")
_PASSES = ("first pass", "second pass")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.resets", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="starter and earsim-bench")
    parser.add_argument("--generate", type=int, default=0, metavar="N", help="of a suite of N too")
    parser.add_argument("--cache", action="store_true", help="twice, with a cache on disk")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        suites = list(options.suites)
        if options.generate:
            suites.append(_generated(Path(folder), options.generate))
        if options.cache:
            _measure_with_cache(Path(folder) / "cache", suites)
        else:
            _measure(suites or ["starter", "earsim-bench"])


def _generated(folder: Path, count: int) -> str:
    """The path of a suite, made in a process of its own, whose memory is not counted."""
    path = folder / "generated"
    command = (sys.executable, "-m", "earsim", "generate", "--n", str(count), "--out", str(path))
    subprocess.run([*command, *_FAST], check=True, stdout=subprocess.DEVNULL)
    return str(path)


def _measure_with_cache(folder: Path, suites: list[str]) -> None:
    command = (sys.executable, "-m", "benchmarks.resets", *suites)
    for found in ("empty", "full"):
        print(f"with a cache that is {found} at first", flush=True)
        subprocess.run(command, check=True, env={**os.environ, CACHE_VARIABLE: str(folder)})
        size_mb = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
        print(f"cache on disk: {size_mb:.1f} MB\n", flush=True)


def _measure(suites: list[str]) -> None:
    print(f"x += i & 7 over 10^7 values: {calibration_s():.2f} s of CPU time\n")
    print(f"{'suite':20} {'':12} {'resets':>7} {'median ms':>10} {'99 % ms':>8}")
    for suite in suites:
        env = OmniEAREnv(suite=suite)
        for name in _PASSES:
            found = sorted(_times_ms(env))
            middle, late = found[len(found) // 2], found[len(found) * 99 // 100]
            print(
                f"{Path(suite).name[:20]:20} {name:12} {len(found):7,} {middle:10.2f} {late:8.2f}"
            )
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nmemory of the process at most: {peak_mb:,.0f} MB")


def _times_ms(env: OmniEAREnv) -> list[float]:
    found = []
    for scenario in env.source.ids:
        begun = process_time()
        env.reset(options={"scenario": scenario})
        found.append((process_time() - begun) * 1000)
    return found


if __name__ == "__main__":
    main()
