"""What every goal compiles to: a question to the world that has a yes or a no.

Predicates are partial applications of functions of modules, so that they can be pickled.
"""

from __future__ import annotations

from collections.abc import Callable

from earsim.world import World

Predicate = Callable[[World], bool]
