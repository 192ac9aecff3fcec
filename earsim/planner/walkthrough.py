"""The plan of a scenario's author, as decisions."""

from __future__ import annotations

from collections.abc import Mapping

from earsim.engine import Engine
from earsim.planner.timed.replay import proved
from earsim.planner.timed.waits import MARGIN_MS

Decisions = tuple[Mapping[str, str], ...]
"""A command per agent, one mapping per decision."""


def walkthrough_of(engine: Engine) -> Decisions:
    """The walkthrough; what is no mapping is said by the first agent."""
    first = next(iter(engine.blueprint.bodies))
    return tuple(
        [
            dict(entry) if isinstance(entry, Mapping) else {first: entry}
            for entry in engine.scenario.task.walkthrough
        ]
    )


def proved_walkthrough(engine: Engine) -> Decisions | None:
    """The walkthrough up to where the goal holds, if replay with margin proves it.

    None where no number changes by itself, too.
    """
    world = engine.start()
    if world.timeline is None:
        return None
    world.beliefs = {}  # which allow and forbid nothing
    plan = walkthrough_of(engine)
    shown = proved(engine, world, plan)
    if shown is None or shown.margin_ms < MARGIN_MS:
        return None
    return plan[: shown.decisions]
