"""Everybody looks at every number after every decision: what views of numbers are defined by.

Slow and plain, beside `earsim.processes.sight`, which looks only at what may show something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from earsim.world import World
from earsim.world.belief import perceive, view
from earsim.world.channels import channels_shown
from earsim.world.containment import is_closed
from earsim.world.hands import in_hand
from earsim.world.live import DISPLAY, shown
from earsim.world.numbers import numbers_of
from earsim.world.perception import is_in_sight
from earsim.world.reading import Reading, SeenNow
from earsim.world.timeline import Timeline


def look_at_everything(world: World, timeline: Timeline) -> None:
    """In place of `earsim.processes.sight.see_numbers`; every change is one of the world."""
    if world.beliefs and timeline.events:
        for room in {agent.room: None for agent in world.agents.values()}:
            perceive(world, room)
    viewers = [[agent] for agent in world.agents] if world.beliefs else [list(world.agents)]
    views = {}
    for agents in viewers:
        picture, viewer = view(world, agents[0]), agents[0] if world.beliefs else ""
        views[viewer] = {n for n in world.blueprint.gauges if _sees(world, agents, n)}
        for node in world.blueprint.gauges:
            old = dict(picture.readings.get(node, {}))
            now = dict(_told(world, agents, node)) if node in views[viewer] else {}
            if node in views[viewer] or node in timeline.in_view.get(viewer, ()):
                _take_note(world, picture, node, old, now, timeline.seen_at)
    for node in [n for n in timeline.unseen if any(n in seen for seen in views.values())]:
        del timeline.unseen[node]
        world.touch(node)
    timeline.in_view = {viewer: frozenset(seen) for viewer, seen in views.items()}
    timeline.seen_at = world.clock


def _sees(world: World, agents: list[str], node: str) -> bool:
    return any(node in world.known[a] for a in agents) and any(
        is_in_sight(world, world.agents[a].room, node) for a in agents
    )


def _told(world: World, agents: list[str], node: str) -> Iterator[tuple[str, float]]:
    gauges = world.blueprint.gauges[node]
    if DISPLAY in gauges:
        yield from channels_shown(world, node).items()
    held = any(node in in_hand(world.agents[a]) for a in agents)
    for name, value in numbers_of(world, node):
        inside = name == "content_l" or name.endswith("_kg")
        if name == "mass_kg":
            if held and not world.contents.get(node):
                yield name, shown(name, value)
        elif name in gauges and not (inside and is_closed(world, node)):
            yield name, shown(name, value)


def _take_note(
    world: World,
    picture: World,
    node: str,
    old: dict[str, Reading],
    now: dict[str, float],
    seen_at: int,
) -> None:
    found = dict(old)
    for name, reading in old.items():
        if isinstance(reading, SeenNow) and name not in now:
            found[name] = Reading(reading.value, seen_at)
    live = world.blueprint.live
    if now and not is_closed(world, node) and node in live.vessels:
        for name in [f"{s}_kg" for s in live.substances if f"{s}_kg" not in now]:
            found.pop(name, None)
    for name, value in now.items():
        before = found.get(name)
        if not isinstance(before, SeenNow) or before.value != value:
            found[name] = SeenNow(value, world.clock)
    if found != old or [type(r) for r in found.values()] != [type(old.get(n)) for n in found]:
        picture.readings[node] = found
        picture.touch(node)
        world.touch(node)
