"""What the display of an apparatus shows: the channels of its newest reading."""

from __future__ import annotations

from collections.abc import Mapping

from earsim.apparatus.bodies.lines import display
from earsim.apparatus.bodies.transcript import Piece
from earsim.world.world import World


def channels_shown(world: World, node: str) -> Mapping[str, float]:
    """The newest reading of the run that goes on, or of the last one; empty without any.

    Of a workstation the newest number of every name that its code has told.
    """
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None or timeline.lab is None:
        return {}
    rig, run = live.rigs[node], timeline.lab.last(node)
    if run is not None and isinstance(run.state, Piece):
        return display(run.state.lines)
    if run is None or not run.samples:
        return {}
    names = [channel.name for channel in rig.model.channels_of(run.settings)]
    values = zip(names, run.samples[-1].values, strict=True)
    return {name: value for name, value in values if not rig.show or name in rig.show}
