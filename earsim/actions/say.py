"""SAY: tell the others something. Heard in the room, or by all, as the scenario says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, check
from earsim.ids import printable
from earsim.world import Message, World
from earsim.world.belief import perceive

MAX_MESSAGE_CHARS = 280

GRAMMAR = Grammar.of("SAY {message}")

_WORD = re.compile(r"\w+")


@check(Reason.TOO_LONG)
def is_short(world: World, agent: str, call: Call) -> Refusal | None:
    """A message has a bounded length."""
    if len(call.target) <= MAX_MESSAGE_CHARS:
        return None
    return Refusal(Reason.TOO_LONG, {"chars": len(call.target), "limit": MAX_MESSAGE_CHARS})


def say(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Add it to the channel, without anything that could break a terminal.

    Who hears the id of an object that the speaker knows can name it from then on, and sees it where
    it is in plain sight.
    """
    heard_by = hearers(world, agent)
    text = printable(call.target)
    world.say(Message(world.clock, agent, text, heard_by))
    if world.beliefs:
        known, things = world.known[agent], world.location
        said = tuple([word for word in _WORD.findall(text) if word in known and word in things])
        for hearer in heard_by:
            world.discover(hearer, said)
        for room in dict.fromkeys([world.agents[hearer].room for hearer in heard_by]):
            perceive(world, room)
    return {"text": text, "heard_by": list(heard_by)}


def hearers(world: World, agent: str) -> tuple[str, ...]:
    """Who hears an agent: those in its room, or all, as the scenario says."""
    room = world.agents[agent].room
    to_all = world.blueprint.channel == "all"
    return tuple(
        [
            other_id
            for other_id, other in world.agents.items()
            if other_id != agent and (to_all or other.room == room)
        ]
    )


def said(facts: Facts, name: Callable[[str], str]) -> str:
    """`You say: hello`."""
    return f"You say: {facts['text']}" + ("" if facts["heard_by"] else " Nobody hears it.")
