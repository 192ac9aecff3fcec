"""Checks of `physical` that many verbs share: knowing, being awake, nearness and access."""

from __future__ import annotations

from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Reads, check
from earsim.world import World
from earsim.world.containment import closed_around
from earsim.world.proximity import within_reach


@check(Reason.IDLE, reads=Reads.GIVER, touches=())
def awake(world: World, agent: str, call: Call) -> Refusal | None:
    """Who has said DONE does nothing more."""
    return Refusal(Reason.IDLE, {"agent": agent}) if world.agents[agent].idle else None


@check(Reason.UNDISCOVERED, reads=Reads.KNOWLEDGE)
def is_known(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent has perceived the target, or was told of it; rooms, doors and agents all know.

    An id that does not exist and one that it does not know are refused alike, so that guessing
    tells nothing.
    """
    return unknown_id(world, agent, call.target)


@check(Reason.UNDISCOVERED, reads=Reads.KNOWLEDGE, touches=("destination",))
def destination_is_known(world: World, agent: str, call: Call) -> Refusal | None:
    """Likewise for where something is to go."""
    return unknown_id(world, agent, call.destination)


def unknown_id(world: World, agent: str, node: str) -> Refusal | None:
    """The objection to an id that the agent does not know, or None."""
    if node in world.known[agent]:
        return None
    blueprint = world.blueprint
    if node in blueprint.rooms or node in blueprint.doors or node in blueprint.bodies:
        return None
    return Refusal(Reason.UNDISCOVERED, {"id": node})


@check(Reason.NOT_GRABBABLE)
def is_object(world: World, agent: str, call: Call) -> Refusal | None:
    """The target is a thing, not a room, a door or an agent."""
    if call.target in world.location:
        return None
    return Refusal(Reason.NOT_GRABBABLE, {"id": call.target})


@check(Reason.NOT_NEAR, Reason.CLOSED_CONTAINER, reads=Reads.REACH)
def in_reach(world: World, agent: str, call: Call) -> Refusal | None:
    """The target is near: the agent's focus, in or on it, or in its hands."""
    return out_of_reach(world, agent, call.target)


def out_of_reach(world: World, agent: str, node: str) -> Refusal | None:
    """The objection to a node that is too far away or shut in, or None."""
    if not within_reach(world, agent, node):
        return Refusal(Reason.NOT_NEAR, {"id": node})
    around = closed_around(world, node)
    if around is None:
        return None
    return Refusal(Reason.CLOSED_CONTAINER, {"id": node, "container": around})


@check(Reason.HANDS_FULL, reads=Reads.GIVER, touches=())
def hands_free(world: World, agent: str, call: Call) -> Refusal | None:
    """One more object fits in the agent's hands."""
    hands = world.blueprint.bodies[agent].hands
    held = len(world.agents[agent].inventory)  # who carries with others takes nothing else
    if held < hands:
        return None
    return Refusal(Reason.HANDS_FULL, {"agent": agent, "held": held, "hands": hands})


@check(
    Reason.ALREADY_HOLDING,
    Reason.HELD_BY_OTHER,
    reads=Reads.THING | Reads.PLACE,
    selective=True,
)
def in_nobodys_hands(world: World, agent: str, call: Call) -> Refusal | None:
    """Nobody here holds or carries the target; who does so elsewhere is not told."""
    place = world.location[call.target]
    if place.holder not in world.agents:
        return None
    if place.holder == agent:
        return Refusal(Reason.ALREADY_HOLDING, {"id": call.target})
    if world.agents[place.holder].room != world.agents[agent].room:
        return None  # it is not near
    return Refusal(Reason.HELD_BY_OTHER, {"id": call.target, "holder": place.holder})
