"""What works: tools and machines that are in order and have the energy they need."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.schema.process import Active
from earsim.world.live import CHARGE, LiveScene
from earsim.world.timeline import Timeline
from earsim.world.world import World

PLUG = "is_plugged_in"
_NOBODY: frozenset[str] = frozenset()


def works(world: World, tool: str) -> bool:
    """Whether a thing is in order: not broken, every state that it needs is true, and powered."""
    return _works(world, tool, _NOBODY)


def _works(world: World, tool: str, asking: frozenset[str]) -> bool:
    return next(faults(world, tool), None) is None and _has_energy(world, tool, asking)


def faults(world: World, tool: str) -> Iterator[str]:
    """The states that keep a tool from working, each to be changed."""
    states = world.states[tool]
    if states.get("is_broken") is True:
        yield "is_broken"
    for state in world.blueprint.things[tool].needs:
        if states.get(state) is not True:
            yield state


def has_energy(world: World, node: str) -> bool:
    """Whether a battery, fuel and mains last, of whatever of these a thing runs on."""
    return _has_energy(world, node, _NOBODY)


def _has_energy(world: World, node: str, asking: frozenset[str]) -> bool:
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None:
        return True
    for process in live.processes.get(node, ()):
        if process.discharge is not None and timeline.value(node, CHARGE) <= 0.0:
            return False
        if process.burns is not None and timeline.grams(node, process.burns.substance) <= 0.0:
            return False
    return _has_supply(world, node, asking)


def has_supply(world: World, node: str) -> bool:
    """Whether what a thing is plugged into gives power; what is plugged in nowhere needs none.

    What gives power without a plug of its own draws none from anything. Power comes from such a
    thing in the end: leads that are plugged into each other alone have none to give.
    """
    return _has_supply(world, node, _NOBODY)


def _has_supply(world: World, node: str, asking: frozenset[str]) -> bool:
    """`asking`: what wants power of this thing, on whose power it does not count itself."""
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None or not timeline.links:
        return True
    if node in live.supplies and PLUG not in world.blueprint.things[node].needs:
        return True
    giving = list(_linked_supplies(live, timeline, node))
    asking |= {node}
    free = [other for other in giving if other not in asking]
    return not giving or any(_works(world, other, asking) for other in free)


def _linked_supplies(live: LiveScene, timeline: Timeline, node: str) -> Iterator[str]:
    for first, second, kind in timeline.links:
        other = second if node == first else first
        if node in (first, second) and kind in live.supplies.get(other, ()):
            yield other


def is_active(world: World, node: str, process: Active) -> bool:
    """Whether a process of a thing goes on: its switch is set and what it is of works."""
    return is_switched(world, node, process) and works(world, process.of or node)


def is_switched(world: World, node: str, process: Active) -> bool:
    """Whether the states that a process asks for have the values that it asks for."""
    states = world.states[process.of or node]
    return all(states.get(state) is wanted for state, wanted in process.while_.items())
