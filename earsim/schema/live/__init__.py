"""Whether what changes by itself in a scene can be: processes, vessels, fittings, marks.

Each module yields what is wrong of one kind. Works on whatever parts could be read.
"""

from __future__ import annotations

from collections.abc import Iterator

from earsim.schema.live.bodies import body_problems
from earsim.schema.live.fittings import fitting_problems
from earsim.schema.live.flows import flow_problems
from earsim.schema.live.scene import LiveParts, has_live_parts
from earsim.schema.live.stores import store_problems
from earsim.schema.live.switches import switch_problems
from earsim.schema.live.thresholds import threshold_problems
from earsim.schema.live.vessels import vessel_problems
from earsim.schema.model import FieldProblem
from earsim.schema.references import SceneParts

__all__ = ["live_problems"]


def live_problems(parts: SceneParts) -> Iterator[FieldProblem]:
    """Every process, vessel, fitting and mark that refers to what is not there, or cannot be."""
    if has_live_parts(parts):
        live = LiveParts(parts)
        yield from body_problems(live)
        yield from vessel_problems(live)
        yield from flow_problems(live)
        yield from store_problems(live)
        yield from switch_problems(live)
        yield from threshold_problems(live)
        yield from fitting_problems(live)
