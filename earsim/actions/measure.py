"""MEASURE: read numbers of a thing with an instrument in hand, or a sense of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, Reads, check
from earsim.prose import listing
from earsim.units import format_field
from earsim.world import World
from earsim.world.channels import channels_shown
from earsim.world.lab import Rig
from earsim.world.numbers import numbers_of
from earsim.world.perceived import instruments, read
from earsim.world.reading import Reading

GRAMMAR = Grammar.of("MEASURE {target} [{property}]")


@check(Reason.NO_SUCH_OBJECT)
def is_thing(world: World, agent: str, call: Call) -> Refusal | None:
    """The target is a thing, not a room, a door or an agent."""
    if call.target in world.location:
        return None
    return Refusal(Reason.NO_SUCH_OBJECT, {"id": call.target})


@check(Reason.NO_INSTRUMENT, reads=Reads.GIVER | Reads.HANDS)
def has_an_instrument(world: World, agent: str, call: Call) -> Refusal | None:
    """Something in hand senses what is asked for, or the agent itself does; a display shows it."""
    if call.target in _rigs(world):
        return None
    senses = instruments(world, agent)
    if senses if not call.destination else call.destination in senses:
        return None
    return Refusal(Reason.NO_INSTRUMENT, {"agent": agent, "property": call.destination})


@check(Reason.NOTHING_TO_MEASURE, surprise=True)
def has_the_number(world: World, agent: str, call: Call) -> Refusal | None:
    """The thing has a number that is sensed."""
    if _measured(world, agent, call):
        return None
    return Refusal(Reason.NOTHING_TO_MEASURE, {"id": call.target, "property": call.destination})


def measure(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """The agent reads the numbers, as its instruments show them; what is on a label stays so."""
    found = _measured(world, agent, call)
    hidden = world.blueprint.hidden.get(call.target, ())
    readings = {n: Reading(value, world.clock) for n, value in found.items() if n in hidden}
    if readings:
        read(world, agent, call.target, readings)
    return {"id": call.target, "readings": found}


def _rigs(world: World) -> Mapping[str, Rig]:
    live = world.blueprint.live
    return {} if live is None else live.rigs


def _measured(world: World, agent: str, call: Call) -> dict[str, float]:
    if call.target in _rigs(world):
        shown = channels_shown(world, call.target)
        return {n: v for n, v in shown.items() if call.destination in ("", n)}
    senses = instruments(world, agent)
    return {
        name: round(value, senses[name])
        for name, value in numbers_of(world, call.target)
        if name in senses and call.destination in ("", name)
    }


def measured(facts: Facts, name: Callable[[str], str]) -> str:
    """`You measure Vaccine box: temperature 4.2 °C`."""
    told = listing(format_field(*reading) for reading in facts["readings"].items())
    return f"You measure {name(facts['id'])}: {told}."
