"""CONNECT and DISCONNECT: hoses and cables between things; what is connected stays where it is."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

from earsim.actions.checks import named
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.reach import out_of_reach
from earsim.actions.verb import Call, Facts, Reads, Verb, check
from earsim.world import World
from earsim.world.containment import inside
from earsim.world.hands import in_hand
from earsim.world.links import connect as join
from earsim.world.links import disconnect as part
from earsim.world.links import fitting_between, free_fittings, is_linked, is_loose
from earsim.world.timeline import Timeline

CONNECT = Grammar.of("CONNECT {target} {destination}")
DISCONNECT = Grammar.of("DISCONNECT {target} {destination}")


def _has_fittings(verb: Verb, blueprint: Any) -> bool:
    return blueprint.live is not None and bool(blueprint.live.fittings)


@check(Reason.ALREADY_SO, reads=Reads.THING, touches=("target", "destination"))
def not_connected_yet(world: World, agent: str, call: Call) -> Refusal | None:
    """The two are not connected."""
    if not is_linked(world, call.target, call.destination):
        return None
    mark = f"connected to {call.destination}"
    return Refusal(Reason.ALREADY_SO, {"id": call.target, "mark": mark})


@check(Reason.NOT_CONNECTABLE, reads=Reads.THING, touches=("target", "destination"))
def fits_together(world: World, agent: str, call: Call) -> Refusal | None:
    """Both have a free fitting of one kind, and one of them is a hose or cable, or supplies it."""
    if fitting_between(world, call.target, call.destination) is not None:
        return None
    facts = {"id": call.target, "destination": call.destination}
    missing = next(free_fittings(world, call.target, call.destination), None)
    if missing is not None:
        facts["missing"] = missing
    return Refusal(Reason.NOT_CONNECTABLE, facts)


@check(
    Reason.NOT_NEAR,
    Reason.CLOSED_CONTAINER,
    reads=Reads.REACH,
    touches=("target", "destination"),
)
def one_end_near(world: World, agent: str, call: Call) -> Refusal | None:
    """One of the two is near and not shut in; who stands at it pulls out what goes there."""
    objection = out_of_reach(world, agent, call.target)
    if objection is None or out_of_reach(world, agent, call.destination) is None:
        return None
    return objection


@check(Reason.NOT_CONNECTED, reads=Reads.THING, touches=("target", "destination"))
def is_connected(world: World, agent: str, call: Call) -> Refusal | None:
    """The two are connected."""
    if is_linked(world, call.target, call.destination):
        return None
    return Refusal(Reason.NOT_CONNECTED, {"id": call.target, "destination": call.destination})


def connect(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """They are connected."""
    kind = join(world, call.target, call.destination)
    return {"id": call.target, "to": call.destination, "kind": kind}


def disconnect(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """They are not any more."""
    part(world, call.target, call.destination)
    return {"id": call.target, "to": call.destination}


def _seems_loose(world: World, agent: str, call: Call) -> Refusal | None:
    return _tied(world, agent, call, world.known[agent])


@check(Reason.CONNECTED, reads=Reads.THING, foreseen=_seems_loose, can_object=_has_fittings)
def can_be_taken(world: World, agent: str, call: Call) -> Refusal | None:
    """Nothing of it is connected, but for one end of a hose or cable."""
    return _tied(world, agent, call, None)


def _tied(world: World, agent: str, call: Call, among: Container[str] | None) -> Refusal | None:
    for node in (call.target, *inside(world, call.target)):
        if (among is None or node in among) and not is_loose(world, node):
            return Refusal(Reason.CONNECTED, {"id": call.target} | named(world, agent, joined=node))
    return None


@check(Reason.CONNECTED, reads=Reads.HANDS | Reads.GIVER | Reads.THING, can_object=_has_fittings)
def nothing_ties_the_hands(world: World, agent: str, call: Call) -> Refusal | None:
    """Nothing in the agent's hands, at any depth, is connected where it leaves the room."""
    state = world.agents[agent]
    if call.target not in world.blueprint.rooms or call.target == state.room:
        return None
    timeline = world.timeline
    for held in in_hand(state) if timeline is not None and timeline.links else ():
        for node in (held, *inside(world, held)):
            if timeline is not None and _is_joined(timeline, node):
                return Refusal(Reason.CONNECTED, {"id": held} | named(world, agent, joined=node))
    return None


def _is_joined(timeline: Timeline, node: str) -> bool:
    return any(node in link[:2] for link in timeline.links)


# -- what is listed ------------------------------------------------------------------------------


def connections(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """Every two things near that have fittings, each pair once, in the order of the file."""
    rank, live = world.blueprint.rank, world.blueprint.live
    if live is not None:
        near = sorted([node for node in objects if node in live.fittings], key=rank.__getitem__)
        for place, node in enumerate(near):
            yield from (Call(verb, node, "", other) for other in near[place + 1 :])


def joints(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """What is connected to a thing near, each pair once, as it was connected."""
    near, timeline = set(objects), world.timeline
    for first, second, _ in timeline.links if timeline is not None else ():
        if first in near or second in near:
            yield Call(verb, first, "", second)


# -- sentences -----------------------------------------------------------------------------------


def connected(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You connect Hose to Tank"."""
    return f"You connect {name(facts['id'])} to {name(facts['to'])}."


def disconnected(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You disconnect Hose from Tank"."""
    return f"You disconnect {name(facts['id'])} from {name(facts['to'])}."
