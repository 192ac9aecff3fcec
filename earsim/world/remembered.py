"""How things are set up, as far as a picture of the world tells: hoses, settings, runs.

The live world holds them in its timeline. A belief has none; it remembers them as last seen.
"""

from __future__ import annotations

from earsim.apparatus.parameter import Settings
from earsim.world.links import links
from earsim.world.world import RunSeen, World


def settings_shown(picture: World, node: str) -> Settings:
    """What an apparatus is set to, in this picture."""
    live, timeline = picture.blueprint.live, picture.timeline
    assert live is not None, "a scene with apparatus has live values"
    lab = None if timeline is None else timeline.lab
    changed = picture.remembered.settings if lab is None else lab.settings
    return changed.get(node) or live.rigs[node].settings


def run_shown(picture: World, node: str) -> RunSeen | None:
    """The last run of an apparatus; in the live world, while somebody sees the apparatus."""
    timeline = picture.timeline
    if timeline is None or timeline.lab is None:
        return picture.remembered.runs.get(node)
    if not any(node in nodes for nodes in timeline.in_view.values()):
        return None
    return _last_run(picture, node)


def _last_run(world: World, node: str) -> RunSeen | None:
    timeline = world.timeline
    run = None if timeline is None or timeline.lab is None else timeline.lab.last(node)
    if run is None:
        return None
    percent = None
    if run.ended_ms is None and run.fraction is not None:
        percent = round(run.fraction * 100, 1)
    return RunSeen(run.operation.id, run.operation.status.value, percent)


def remember(belief: World, world: World, node: str) -> bool:
    """Bring what a belief remembers of one thing up to date; whether that is something else now.

    What one has seen later than the other who tells of it stays as one saw it.

    Args:
        belief: that remembers.
        world: the live world, or the belief of somebody who tells.
        node: the thing.
    """
    live = world.blueprint.live
    if live is None or not (node in live.rigs or node in live.fittings):
        return False
    old = new = belief.remembered
    seen = world.remembered.seen.get(node, -1) if world.timeline is None else world.clock
    if seen <= old.seen.get(node, -1) and world.timeline is None:
        return False
    new = new._replace(seen={**old.seen, node: seen})
    joined = [link for link in links(world) if node in link[:2]]
    before = [link for link in old.links if node in link[:2]]
    if joined != before:
        apart = [link for link in old.links if node not in link[:2]]
        new = new._replace(links=(*apart, *joined))
        for end in {end: None for link in (*before, *joined) for end in link[:2]}:
            if end in belief.location:  # the other end tells of it too
                belief.touch(end)
    if node in live.rigs:
        settings = settings_shown(world, node)
        if settings != settings_shown(belief, node):
            new = new._replace(settings={**new.settings, node: settings})
        run = world.remembered.runs.get(node) if world.timeline is None else _last_run(world, node)
        if run is not None and run != old.runs.get(node):
            new = new._replace(runs={**new.runs, node: run})
    belief.remembered = new
    return new[:3] != old[:3]
