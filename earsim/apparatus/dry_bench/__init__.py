"""`dry_bench/1`: a desk with a problem on it, whose functions are filled in and tested."""

from __future__ import annotations

from earsim.apparatus.dry_bench.model import DryBench

DRY_BENCH = DryBench()
