"""What agents see of live numbers: those in view as they are, others as they were last seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from earsim.processes.looks import (
    FAR_MS,
    Look,
    Seen,
    around,
    numbers_shown,
)
from earsim.world.belief import perceive, view
from earsim.world.channels import channels_shown
from earsim.world.containment import is_closed
from earsim.world.hands import in_hand
from earsim.world.live import CONTENT, DISPLAY, shown
from earsim.world.numbers import numbers_of
from earsim.world.perceived import MASS
from earsim.world.perception import is_in_sight
from earsim.world.reading import Reading, SeenNow
from earsim.world.remembered import remember
from earsim.world.timeline import Timeline
from earsim.world.world import World

SHARED = ""
"""The viewer that stands for all, where knowledge is shared."""


def see_numbers(world: World, timeline: Timeline) -> None:
    """Everybody takes note of the live numbers in view, and of what is out of view since."""
    if world.beliefs and timeline.events:
        for room in dict.fromkeys([agent.room for agent in world.agents.values()]):
            perceive(world, room)
    if world.beliefs:
        views = {a: _see(world, timeline, a, [a]) for a in world.agents}
        if views != timeline.in_view:
            timeline.in_view = views
        if timeline.lab is not None:
            _see_runs(world, views)
    else:
        look: Look | None = timeline.looks.get(SHARED)
        if look is None or not look.holds(world, timeline):
            all_see = _look_around(world, timeline, SHARED, [*world.agents], look)
            if all_see is not timeline.in_view.get(SHARED):
                timeline.in_view = {SHARED: all_see}
    if timeline.unseen:
        _see_what_changed(world, timeline)
    timeline.seen_at = world.clock


def _see_runs(world: World, views: Mapping[str, frozenset[str]]) -> None:
    """Whoever has an apparatus in view sees how far its run is."""
    live = world.blueprint.live
    for rig in live.rigs if live is not None else ():
        for agent_id, in_view in views.items():
            picture = view(world, agent_id)
            if rig in in_view and remember(picture, world, rig):
                picture.touch(rig)
                world.touch(rig)


def _see_what_changed(world: World, timeline: Timeline) -> None:
    """What changed out of sight and is in view again is seen as it is."""
    views = timeline.in_view.values()
    for node in [n for n in timeline.unseen if any(n in seen for seen in views)]:
        del timeline.unseen[node]
        world.touch(node)


def _see(world: World, timeline: Timeline, viewer: str, agents: list[str]) -> frozenset[str]:
    """What is in view of a viewer, who looks only where anything may be otherwise."""
    before: Look | None = timeline.looks.get(viewer)
    if before is not None and before.holds(world, timeline):
        return timeline.in_view[viewer]
    return _look_around(world, timeline, viewer, agents, before)


def _look_around(
    world: World, timeline: Timeline, viewer: str, agents: list[str], before: Look | None
) -> frozenset[str]:
    """Look at everything that may be otherwise than before; returns what is in view."""
    in_view = timeline.in_view.get(viewer, _NOTHING)
    changed, here = world.changed, around(world)
    seen: dict[str, Seen] = {}
    turned = [*world.blueprint.gauges]
    if before is not None:
        turned, stale = before.turned(world, timeline, here), before.stale(timeline)
        seen = dict(before.seen) if turned or stale else before.seen
        for node in stale:
            if node not in turned:
                seen[node] = _look_again(world, timeline, agents, node, seen[node])
    for node in turned:
        if _is_in_view(world, agents, node):
            seen[node] = _look_at(world, timeline, agents, node)
            continue
        seen.pop(node, None)
        if node in in_view:
            _look_away(view(world, agents[0]), node, timeline.seen_at)
    if world.changed != changed:
        here = around(world)
    until_ms = min([each.until_ms for each in seen.values()], default=FAR_MS)
    timeline.looks[viewer] = Look(
        world.changed, here, timeline.anchors, timeline.lab, seen, until_ms
    )
    return in_view if seen.keys() == in_view else frozenset(seen)


_NOTHING: frozenset[str] = frozenset()


def _look_at(world: World, timeline: Timeline, agents: list[str], node: str) -> Seen:
    """Look at a thing of which anything may have changed."""
    shows = dict(_shown(world, node, held=_is_held(world, agents, node)))
    _look(world, view(world, agents[0]), node, shows, seen_at=timeline.seen_at)
    return Seen.of(list(numbers_shown(timeline, node, shows)))


def _look_again(
    world: World, timeline: Timeline, agents: list[str], node: str, before: Seen
) -> Seen:
    """Look at a thing of which nothing has changed but perhaps numbers."""
    laws, now_ms = timeline.laws, timeline.now_ms
    numbers, new = [], {}
    for each in before.numbers:
        number, shows = each.renewed(now_ms)
        numbers.append(number)
        if laws.get(each.key) is not each.anchored or (shows is not None and each.name == MASS):
            return _look_at(world, timeline, agents, node)  # it may show other numbers now
        if shows is not None:
            new[each.name] = shows
    if new:
        picture = view(world, agents[0])
        old = picture.readings[node]
        found = {n: SeenNow(v, world.clock) for n, v in new.items() if v != old[n].value}
        if found:
            picture.show(node, {**old, **found})
    return Seen.of(numbers)


def _is_in_view(world: World, agents: list[str], node: str) -> bool:
    if not any(node in world.known[agent_id] for agent_id in agents):
        return False
    rooms = {world.agents[agent_id].room for agent_id in agents}
    return any(is_in_sight(world, room, node) for room in rooms)


def _is_held(world: World, agents: list[str], node: str) -> bool:
    return any(node in in_hand(world.agents[agent_id]) for agent_id in agents)


def _look(
    world: World, picture: World, node: str, readings: Mapping[str, float], *, seen_at: int
) -> None:
    old = picture.readings.get(node, {})
    new: dict[str, Reading] = {
        name: SeenNow(value, world.clock)
        for name, value in readings.items()
        if name not in old or old[name].value != value or not isinstance(old[name], SeenNow)
    }
    hidden = [n for n, r in old.items() if isinstance(r, SeenNow) and n not in readings]
    gone = _seen_to_be_gone(world, node, old, readings)
    if not new and not hidden and not gone:
        return
    past = {n: Reading(old[n].value, seen_at) for n in hidden if n not in gone}
    kept = {n: r for n, r in old.items() if n not in hidden and n not in gone}
    picture.readings[node] = {**kept, **past, **new}
    picture.touch(node)
    if picture is not world:
        world.touch(node)


def _seen_to_be_gone(
    world: World, node: str, old: Mapping[str, Reading], readings: Mapping[str, float]
) -> frozenset[str]:
    """What is no longer in a vessel that is open."""
    if is_closed(world, node):
        return frozenset()
    live = world.blueprint.live
    substances = () if live is None or node not in live.vessels else live.substances
    names = [f"{substance}_kg" for substance in substances]
    return frozenset([name for name in names if name in old and name not in readings])


def shows_itself(world: World, agent_id: str, node: str, name: str) -> bool:
    """Whether an agent sees a number of a thing as it is at this moment."""
    agent = world.agents[agent_id]
    if node not in world.blueprint.gauges or not is_in_sight(world, agent.room, node):
        return False
    return any(name == shown for shown, _ in _shown(world, node, held=node in in_hand(agent)))


def _shown(world: World, node: str, *, held: bool) -> Iterator[tuple[str, float]]:
    """The numbers of a thing that show themselves now; of a closed vessel none of its contents."""
    gauges = world.blueprint.gauges[node]
    if DISPLAY in gauges:
        yield from channels_shown(world, node).items()
    open_vessel = not is_closed(world, node)
    for name, value in numbers_of(world, node):
        if name == MASS:
            if held and not world.contents.get(node):
                yield name, shown(name, value)
        elif name in gauges and (open_vessel or not (name == CONTENT or name.endswith("_kg"))):
            yield name, shown(name, value)


def _look_away(picture: World, node: str, clock: int) -> None:
    """What was seen is remembered with the time at which it was."""
    old: Mapping[str, Reading] = picture.readings.get(node, {})
    past = {n: Reading(r.value, clock) for n, r in old.items() if isinstance(r, SeenNow)}
    if past:
        picture.read(node, past)
