"""A bench where materials are worked on by actions that a scene declares."""

from earsim.apparatus.wet_bench.model import WetBench

WET_BENCH = WetBench()
"""The model without a pool; `WetBench.of` gives it one."""
