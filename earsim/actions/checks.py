"""Checks that several verbs share. Each may object and must change nothing."""

from __future__ import annotations

from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Reads, check
from earsim.errors import ContainmentCycle
from earsim.world import World
from earsim.world.containment import is_closed


def named(world: World, agent: str, **nodes: str) -> dict[str, str]:
    """Facts of a refusal that name things: those of which the agent knows."""
    return {fact: node for fact, node in nodes.items() if node in world.known[agent]}


@check(Reason.COOP_LOCK, reads=Reads.GIVER, touches=())
def free_of_lock(world: World, agent: str, call: Call) -> Refusal | None:
    """Who carries something together can do nothing else until it is put down (EAR-Bench 3.1)."""
    state = world.agents.get(agent)
    if state is None or state.carrying is None:
        return None
    return Refusal(Reason.COOP_LOCK, {"carrying": state.carrying})


@check(Reason.NO_SUCH_AGENT, touches=())
def issuer_exists(world: World, agent: str, call: Call) -> Refusal | None:
    """The one who gives the command is in the scenario."""
    return None if agent in world.agents else Refusal(Reason.NO_SUCH_AGENT, {"agent": agent})


@check(Reason.NO_SUCH_AGENT, touches=("actors",))
def actors_exist(world: World, agent: str, call: Call) -> Refusal | None:
    """Every agent that a joint command lists is in the scenario."""
    for actor in call.actors:
        if actor not in world.agents:
            return Refusal(Reason.NO_SUCH_AGENT, {"agent": actor})
    return None


@check(Reason.NO_SUCH_OBJECT)
def exists(world: World, agent: str, call: Call) -> Refusal | None:
    """The target is the id of something."""
    target = call.target
    if target in world.location or target in world.blueprint.rank:
        return None
    return Refusal(Reason.NO_SUCH_OBJECT, {"id": target})


@check(Reason.UNDISCOVERED, reads=Reads.KNOWLEDGE)
def discovered(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent knows of the target; rooms and agents are never "discovered" (EAR-Bench 2.5)."""
    if call.target in world.known[agent]:
        return None
    return Refusal(Reason.UNDISCOVERED, {"id": call.target})


@check(Reason.NOWHERE, Reason.WRONG_ROOM, reads=Reads.PLACE)
def in_same_room(world: World, agent: str, call: Call) -> Refusal | None:
    """The target is in the agent's room or hand: EAR-Bench 2.4, the weaker test."""
    state = world.agents[agent]
    target = call.target
    if target in state.inventory:
        return None
    try:
        room = world.room_of(target)
    except ContainmentCycle:
        return Refusal(Reason.NOWHERE, {"id": target})
    if room == state.room:
        return None
    return Refusal(Reason.WRONG_ROOM, {"id": target, "room": room, "your_room": state.room})


@check(Reason.CLOSED_CONTAINER, reads=Reads.THING)
def not_in_closed_container(world: World, agent: str, call: Call) -> Refusal | None:
    """The direct holder is no closed container; what is around that is ignored (EAR-Bench 3.4)."""
    place = world.location[call.target]
    if place.relation == "in" and is_closed(world, place.holder):
        return Refusal(Reason.CLOSED_CONTAINER, {"id": call.target, "container": place.holder})
    return None
