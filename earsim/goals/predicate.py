"""What every goal compiles to: a question to the world that has a yes or a no."""

from __future__ import annotations

from collections.abc import Callable

from earsim.world import World

Predicate = Callable[[World], bool]
