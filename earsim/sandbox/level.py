"""How well a child is isolated on this machine: tried, not read from a version."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class SandboxLevel(IntEnum):
    """Levels of isolation of model-written code.

    Attributes:
        NONE: nothing; only for who asks for it by name.
        LIMITS: limits of memory, processor, files, processes and time.
        CONFINED: nothing outside the work folder is written or read, no TCP; with limits.
        ISOLATED: no network at all, no other process in reach, by two walls; with limits.
    """

    NONE = 0
    LIMITS = 1
    CONFINED = 2
    ISOLATED = 3


class Isolation(NamedTuple):
    """The level that this machine reaches.

    Attributes:
        level: what was reached.
        means: what isolates, the strongest first.
        missing: what lacks, each with the reason.
    """

    level: SandboxLevel
    means: tuple[str, ...]
    missing: tuple[str, ...]
