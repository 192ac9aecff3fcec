"""GIVE: hand something over to who takes it with GRAB in the same decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from earsim.actions import reach
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, Reads, Verb, check, foreseen_objection
from earsim.prose import listing
from earsim.world import World
from earsim.world.hands import hand_over

GRAMMAR = Grammar.of("GIVE {target} {receiver}")


@check(Reason.NO_SUCH_AGENT, touches=("destination",))
def receiver_exists(world: World, agent: str, call: Call) -> Refusal | None:
    """Things are given to agents of the scenario."""
    if call.destination in world.agents:
        return None
    return Refusal(Reason.NO_SUCH_AGENT, {"agent": call.destination})


@check(Reason.ALREADY_HOLDING, touches=("target", "destination"))
def not_to_oneself(world: World, agent: str, call: Call) -> Refusal | None:
    """Nobody gives itself anything."""
    if call.destination != agent:
        return None
    return Refusal(Reason.ALREADY_HOLDING, {"id": call.target})


@check(Reason.NOT_IN_SIGHT, reads=Reads.TEAM, touches=("destination",))
def receiver_is_here(world: World, agent: str, call: Call) -> Refusal | None:
    """Who is to take it is in the same room."""
    if world.agents[call.destination].room == world.agents[agent].room:
        return None
    return Refusal(Reason.NOT_IN_SIGHT, {"id": call.destination})


def _might_be_taken(world: World, agent: str, call: Call) -> Refusal | None:
    if not world.agents[call.destination].idle:
        return None
    return Refusal(Reason.PARTNER_MISSING, {"id": call.target, "receiver": call.destination})


@check(
    Reason.PARTNER_MISSING,
    reads=Reads.TEAM,
    touches=("target", "destination", "actors"),
    foreseen=_might_be_taken,
)
def is_taken(world: World, agent: str, call: Call) -> Refusal | None:
    """The receiver grabs it in the same decision, and can."""
    if call.destination in call.actors:
        return None
    return Refusal(Reason.PARTNER_MISSING, {"id": call.target, "receiver": call.destination})


def hand(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """It goes from one's hands into the other's."""
    lost, gained = hand_over(world, agent, call.destination, call.target)
    return {
        "id": call.target,
        "from": agent,
        "to": call.destination,
        "lost": lost,
        "gained": gained,
    }


# -- what is in a colleague's hands ---------------------------------------------------------------


def held_by_a_colleague(world: World, agent: str, node: str) -> bool:
    """Whether somebody else in the room holds it alone, so that it could be handed over."""
    holder = world.location[node].holder if node in world.location else agent
    other = world.agents.get(holder)
    if other is None or holder == agent or other.idle:
        return False
    return other.room == world.agents[agent].room and node in other.inventory


def _may_be_given(world: World, agent: str, call: Call) -> Refusal | None:
    if held_by_a_colleague(world, agent, call.target):
        return None
    return reach.in_nobodys_hands.test(world, agent, call)


def _may_come_near(world: World, agent: str, call: Call) -> Refusal | None:
    if held_by_a_colleague(world, agent, call.target):
        return None
    return reach.in_reach.test(world, agent, call)


in_nobodys_hands = replace(reach.in_nobodys_hands, foreseen=_may_be_given)
"""For a team: who holds it may give it, so this objects to what is listed only as a surprise."""

in_reach = replace(reach.in_reach, foreseen=_may_come_near)
"""Likewise: what is given need not be near."""


def handovers(world: World, agent: str, verbs: Mapping[str, Verb]) -> Iterator[str]:
    """What an agent could give to, and take from, those who stand in its room."""
    give, grab, state = verbs["GIVE"], verbs["GRAB"], world.agents[agent]
    for other_id, other in world.agents.items():
        if other_id == agent or other.room != state.room:
            continue
        calls = [Call(give, held, destination=other_id) for held in state.inventory]
        calls += [Call(grab, held) for held in other.inventory]
        for call in calls:
            if foreseen_objection(world, agent, call) is None:
                yield call.text()


# -- sentences -------------------------------------------------------------------------------------


def gave(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You give Key to Bo. You can no longer unlock"."""
    lost = facts.get("lost")
    tool = f" You can no longer {listing(lost)}." if lost else ""
    return f"You give {name(facts['id'])} to {name(facts['to'])}.{tool}"
