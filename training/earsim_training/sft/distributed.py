"""Which of several processes this is, where `accelerate launch` has started several."""

from __future__ import annotations

import os


def is_first() -> bool:
    """Whether this process is the one that tells and writes."""
    return int(os.environ.get("RANK", "0")) == 0


def processes() -> int:
    """How many there are."""
    return int(os.environ.get("WORLD_SIZE", "1"))
