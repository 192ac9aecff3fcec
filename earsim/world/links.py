"""Hoses and cables: what is connected to what, and how many more can be."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.world.timeline import Timeline
from earsim.world.world import World


def links(world: World) -> tuple[tuple[str, str, str], ...]:
    """Everything that is connected: two things, in the order of the command, and the kind."""
    return world.remembered.links if world.timeline is None else world.timeline.links


def is_linked(world: World, first: str, second: str) -> bool:
    """Whether two things are connected."""
    timeline = world.timeline
    return timeline is not None and any({first, second} == {*link[:2]} for link in timeline.links)


def fitting_between(world: World, first: str, second: str) -> str | None:
    """The first kind of fitting that joins two things; None where there is none.

    Both have one of it free, and one of the two is a hose or cable, or supplies it.
    """
    live = world.blueprint.live
    for kind in free_fittings(world, first, second):
        assert live is not None, "only live scenes have fittings"
        given = kind in live.supplies.get(first, ()) or kind in live.supplies.get(second, ())
        if given or not live.hoses.isdisjoint((first, second)):
            return kind
    return None


def free_fittings(world: World, first: str, second: str) -> Iterator[str]:
    """The kinds of fitting of which both have one free."""
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None or first == second:
        return
    of_second = live.fittings.get(second, {})
    for kind, ends in live.fittings.get(first, {}).items():
        free = kind in of_second and of_second[kind] > _used(timeline, second, kind)
        if free and ends > _used(timeline, first, kind):
            yield kind


def _used(timeline: Timeline, node: str, kind: str) -> int:
    return sum(node in link[:2] and link[2] == kind for link in timeline.links)


def is_loose(world: World, node: str) -> bool:
    """Whether a thing can be taken along: nothing is joined to it, or one end of a hose."""
    live, timeline = world.blueprint.live, world.timeline
    joined = 0 if timeline is None else sum(node in link[:2] for link in timeline.links)
    if not joined or live is None:
        return True
    return node in live.hoses and joined == 1


def connect(world: World, first: str, second: str) -> str:
    """Join two things that fit; returns the kind of fitting."""
    kind = fitting_between(world, first, second)
    timeline = world.timeline
    assert kind is not None, "checked: they fit together"
    assert timeline is not None, "a scene with fittings has a timeline"
    timeline.links = (*timeline.links, (first, second, kind))
    _show(world, first, second, kind, joined=True)
    return kind


def disconnect(world: World, first: str, second: str) -> None:
    """Part two things that are joined."""
    timeline = world.timeline
    assert timeline is not None, "checked: they are connected"
    link = next(link for link in timeline.links if {first, second} == {*link[:2]})
    timeline.links = tuple([each for each in timeline.links if each != link])
    _show(world, first, second, link[2], joined=False)


def _show(world: World, first: str, second: str, kind: str, *, joined: bool) -> None:
    """States that follow: what is joined to a supply is plugged in, what to anything connected."""
    live, timeline = world.blueprint.live, world.timeline
    assert live is not None, "a scene with fittings has live values"
    assert timeline is not None, "which live in a timeline"
    for node, other in ((first, second), (second, first)):
        states = world.states[node]
        if "is_plugged_in" in states and kind in live.supplies.get(other, ()):
            world.set_state(node, "is_plugged_in", joined)
        if "is_connected" in states:
            still = any(node in link[:2] for link in timeline.links)
            world.set_state(node, "is_connected", still)
        world.touch(node)
