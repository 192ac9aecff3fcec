"""What works: tools and machines that are in order and have the energy they need."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.schema.process import Active
from earsim.world.live import CHARGE
from earsim.world.world import World


def works(world: World, tool: str) -> bool:
    """Whether a thing is in order: not broken, every state that it needs is true, and powered."""
    return next(faults(world, tool), None) is None and has_energy(world, tool)


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
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None:
        return True
    for process in live.processes.get(node, ()):
        if process.discharge is not None and timeline.value(node, CHARGE) <= 0.0:
            return False
        if process.burns is not None and timeline.grams(node, process.burns.substance) <= 0.0:
            return False
    return has_supply(world, node)


def has_supply(world: World, node: str) -> bool:
    """Whether what a thing is plugged into gives power; what is plugged in nowhere needs none."""
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None:
        return True
    for first, second, kind in timeline.links:
        if node in (first, second):
            other = second if node == first else first
            if kind in live.supplies.get(other, ()) and not works(world, other):
                return False
    return True


def is_active(world: World, node: str, process: Active) -> bool:
    """Whether a process of a thing goes on: its switch is set and what it is of works."""
    return is_switched(world, node, process) and works(world, process.of or node)


def is_switched(world: World, node: str, process: Active) -> bool:
    """Whether the states that a process asks for have the values that it asks for."""
    states = world.states[process.of or node]
    return all(states.get(state) is wanted for state, wanted in process.while_.items())
