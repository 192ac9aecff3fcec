"""Keys of states for duplicate detection: everything but the clock, talk and beliefs.

Beliefs decide what agents are told, never what they may do. Where numbers change by themselves,
`moment_key` adds them as they are, what is remembered of conditions over time, and the clock.
"""

from __future__ import annotations

from collections.abc import Hashable

from earsim.world import World


def state_key(world: World) -> Hashable:
    """Equal for two worlds of one blueprint if and only if every command fares alike in both.

    That is so as long as no number changes by itself.
    """
    blueprint = world.blueprint
    start, first = blueprint.location, blueprint.states
    moved = tuple(
        [
            (node, place)
            for node, place in world.location.items()
            if place is not start[node] and place != start[node]
        ]
    )
    changed = tuple(
        [
            (node, name, value)
            for node, now in world.states.items()
            if now is not first[node]
            for name, value in now.items()
            if value != first[node][name]
        ]
    )
    agents = tuple(
        [
            (
                a.room,
                a.inventory if len(a.inventory) < 2 else tuple(sorted(a.inventory)),
                a.near,
                a.focus,
                round(a.load, 9),
                a.carrying,
                a.idle,
            )
            for a in world.agents.values()
        ]
    )
    altered = tuple(
        sorted(
            (node, name, value)
            for node, now in world.altered.items()
            for name, value in now.items()
            if value != blueprint.things[node].attributes[name]
        )
    )
    marks = tuple(sorted((node, tuple(sorted(now))) for node, now in world.jointly.items() if now))
    key = (agents, moved, changed, tuple(world.known.values()), marks, altered)
    timeline = world.timeline
    return key if timeline is None else (*key, timeline.links, timeline.gone)


def moment_key(world: World) -> Hashable:
    """Equal for two worlds in which everything goes on alike, the passing of time included."""
    timeline = world.timeline
    if timeline is None:
        return state_key(world)
    values = tuple([(key, round(timeline.value(*key), _DIGITS)) for key in timeline.laws])
    key = (state_key(world), values, tuple(timeline.monitors.items()), world.clock)
    lab = timeline.lab
    if lab is None:
        return key
    settings = tuple([(node, *sorted(each.items())) for node, each in lab.settings.items()])
    runs = tuple([(run.operation.id, run.operation.status) for run in lab.runs.values()])
    return (*key, settings, runs, tuple(lab.answers.items()), tuple(lab.tries.items()))


_DIGITS = 6
