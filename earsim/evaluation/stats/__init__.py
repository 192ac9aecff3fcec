"""What a suite consists of, counted: its places, its tasks, and what is proved about them."""

from earsim.evaluation.stats.census import Census

__all__ = ["Census"]
