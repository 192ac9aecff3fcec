"""A suite that keeps the scenarios it opened last: repeats and other cells come back to them."""

from __future__ import annotations

from functools import lru_cache

from earsim.schema import Category, Scenario
from earsim.suites import Suite

KEPT = 256
"""Scenarios; enough for a suite of scenes, and a few dozen megabytes of EAR-Bench."""


class CachedSuite(Suite):
    """Another suite, read once as long as it is not too large.

    Scenarios never change, so those who play the same one at the same time may share it.
    """

    def __init__(self, suite: Suite) -> None:
        super().__init__(suite.name)
        self._suite = suite
        self._load = lru_cache(KEPT)(suite.load)

    @property
    def ids(self) -> tuple[str, ...]:
        """Those of the suite."""
        return self._suite.ids

    def load(self, id: str) -> Scenario:
        """What the suite says; what cannot be loaded is tried again every time."""
        return self._load(id)

    def category(self, id: str) -> Category:
        """What the suite says, which may know without opening anything."""
        return self._suite.category(id)
