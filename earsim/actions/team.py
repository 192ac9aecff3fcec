"""What the joint verbs of `physical` share: their grammar, and who may take part.

A joint command comes in two equal forms. It names all partners (`CORP_GRAB ada,bo crate`), or each
partner gives it without names in the same decision (`CORP_GRAB crate`), and the decision fills
them in.
"""

from __future__ import annotations

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.reach import awake, hands_free, out_of_reach
from earsim.actions.verb import Call, Reads, check
from earsim.joint import joint
from earsim.world import World


def target_grammar(verb: str) -> Grammar:
    """`CORP_GRAB ada,bo crate`; a rendezvous names nobody."""
    return Grammar.of(joint(verb) + " [{actors}] {target}")


def place_grammar(verb: str) -> Grammar:
    """`CORP_PLACE ada,bo crate on table`."""
    return Grammar.of(joint(verb) + " [{actors}] {target} {relation} {destination}")


@check(
    Reason.PARTNER_MISSING,
    Reason.NO_SUCH_AGENT,
    Reason.INITIATOR_NOT_LISTED,
    Reason.TOO_FEW_PARTNERS,
    touches=("actors",),
)
def are_a_team(world: World, agent: str, call: Call) -> Refusal | None:
    """At least two different agents take part, the one who gives the command among them."""
    if not call.actors:
        return Refusal(Reason.PARTNER_MISSING, {"agent": agent})
    for actor in call.actors:
        if actor not in world.agents:
            return Refusal(Reason.NO_SUCH_AGENT, {"agent": actor})
    if agent not in call.actors:
        return Refusal(Reason.INITIATOR_NOT_LISTED, {"agent": agent, "actors": list(call.actors)})
    if len(set(call.actors)) < max(2, len(call.actors)):
        return Refusal(Reason.TOO_FEW_PARTNERS, {"actors": list(call.actors)})
    return None


@check(Reason.PARTNER_BUSY, reads=Reads.TEAM, touches=("actors",))
def all_awake(world: World, agent: str, call: Call) -> Refusal | None:
    """Nobody taking part has said DONE."""
    for actor in call.actors:
        refusal = awake.test(world, actor, call)
        if refusal is not None:
            return Refusal(Reason.PARTNER_BUSY, {"agent": actor, "idle": True})
    return None


@check(Reason.PARTNER_BUSY, reads=Reads.TEAM, touches=("actors",))
def all_unburdened(world: World, agent: str, call: Call) -> Refusal | None:
    """Nobody taking part carries something with others already."""
    for actor in call.actors:
        carrying = world.agents[actor].carrying
        if carrying is not None:
            return Refusal(Reason.PARTNER_BUSY, {"agent": actor, "carrying": carrying})
    return None


@check(
    Reason.NOT_NEAR,
    Reason.PARTNER_FAR,
    Reason.CLOSED_CONTAINER,
    reads=Reads.REACH | Reads.TEAM,
    touches=("target", "actors"),
)
def all_near(world: World, agent: str, call: Call) -> Refusal | None:
    """Everybody taking part stands at the target, and no lid is over it."""
    return _too_far(world, agent, call.actors, call.target)


@check(
    Reason.NOT_NEAR,
    Reason.PARTNER_FAR,
    Reason.CLOSED_CONTAINER,
    reads=Reads.REACH | Reads.TEAM,
    touches=("destination", "actors"),
)
def all_near_destination(world: World, agent: str, call: Call) -> Refusal | None:
    """Everybody taking part stands at the destination, and no lid is over it."""
    return _too_far(world, agent, call.actors, call.destination)


def _too_far(world: World, agent: str, actors: tuple[str, ...], node: str) -> Refusal | None:
    for actor in actors:
        refusal = out_of_reach(world, actor, node)
        if refusal is None:
            continue
        if refusal.reason is not Reason.NOT_NEAR:
            return refusal
        reason = Reason.NOT_NEAR if actor == agent else Reason.PARTNER_FAR
        return Refusal(reason, {"agent": actor, "id": node})
    return None


@check(Reason.HANDS_FULL, reads=Reads.TEAM, touches=("actors",))
def each_a_hand(world: World, agent: str, call: Call) -> Refusal | None:
    """Everybody taking part has one hand free."""
    for actor in call.actors:
        refusal = hands_free.test(world, actor, call)
        if refusal is not None:
            return refusal._replace(facts={**refusal.facts, "actors": list(call.actors)})
    return None


@check(
    Reason.COOP_NOT_CARRYING, Reason.PARTNER_MISSING, reads=Reads.TEAM, touches=("target", "actors")
)
def exactly_the_carriers(world: World, agent: str, call: Call) -> Refusal | None:
    """Those named are those who carry the target, none more and none less."""
    carriers = world.carriers.get(call.target, ())
    for actor in call.actors:
        if actor not in carriers:
            return Refusal(Reason.COOP_NOT_CARRYING, {"id": call.target, "agent": actor})
    for actor in carriers:
        if actor not in call.actors:
            return Refusal(Reason.PARTNER_MISSING, {"agent": actor, "id": call.target})
    return None
