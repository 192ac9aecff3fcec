"""What a suite consists of, counted: its places, its tasks, and what is proved about them."""

from earsim.datasets.statistics.suite_statistics import SuiteStatistics

__all__ = ["SuiteStatistics"]
