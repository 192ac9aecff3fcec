"""POUR, FILL and EMPTY: liquids from one vessel into another. Commands carry no amounts."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.reach import out_of_reach
from earsim.actions.verb import Call, Facts, Reads, Verb, check
from earsim.processes import liquids
from earsim.prose import listing, number
from earsim.world import Blueprint, Location, World
from earsim.world.containment import is_closed, standing_piece
from earsim.world.limits import is_within_load
from earsim.world.live import CONTENT
from earsim.world.loads import mass_on, mass_within
from earsim.world.numbers import is_vessel
from earsim.world.perceived import Weighed
from earsim.world.scope import near_scope

POUR = Grammar.of(
    "POUR {target} INTO {destination} [TO {mark}]",
    shown="POUR {target} INTO {destination} [TO {mark}]",
)
FILL = Grammar.of("FILL {target} FROM {destination}")
EMPTY = Grammar.of("EMPTY {target}")

_LEAST_L = 1e-6
"""What is less than that is not worth pouring."""


def _has_load_limits(verb: Verb, blueprint: Blueprint) -> bool:
    return bool(blueprint.load_limits or blueprint.wheeled)


@check(Reason.NO_VESSEL)
def target_is_vessel(world: World, agent: str, call: Call) -> Refusal | None:
    """The target holds liquids."""
    return None if is_vessel(world, call.target) else Refusal(Reason.NO_VESSEL, {"id": call.target})


@check(Reason.NO_VESSEL, touches=("destination",))
def destination_takes_liquids(world: World, agent: str, call: Call) -> Refusal | None:
    """The destination is a vessel or a drain."""
    if is_vessel(world, call.destination) or _drains(world, call.destination):
        return None
    return Refusal(Reason.NO_VESSEL, {"id": call.destination})


@check(Reason.NO_SOURCE, touches=("destination",))
def destination_is_source(world: World, agent: str, call: Call) -> Refusal | None:
    """The destination, from which is filled, gives liquid without end."""
    live = world.blueprint.live
    if live is not None and call.destination in live.sources:
        return None
    return Refusal(Reason.NO_SOURCE, {"id": call.destination})


@check(Reason.CLOSED_CONTAINER, reads=Reads.THING)
def is_open(world: World, agent: str, call: Call) -> Refusal | None:
    """The vessel is open."""
    return _closed(world, call.target)


@check(Reason.CLOSED_CONTAINER, reads=Reads.THING, touches=("destination",))
def destination_is_open(world: World, agent: str, call: Call) -> Refusal | None:
    """What it goes into is open."""
    return _closed(world, call.destination)


def _closed(world: World, node: str) -> Refusal | None:
    if not is_closed(world, node):
        return None
    return Refusal(Reason.CLOSED_CONTAINER, {"container": node, "destination": node})


@check(Reason.NOTHING_TO_POUR, reads=Reads.THING | Reads.CONTENTS)
def has_liquid(world: World, agent: str, call: Call) -> Refusal | None:
    """There is something in it."""
    if _content_l(world, call.target) > _LEAST_L:
        return None
    return Refusal(Reason.NOTHING_TO_POUR, {"id": call.target})


@check(Reason.NOT_NEAR, Reason.CLOSED_CONTAINER, reads=Reads.REACH, touches=("destination",))
def destination_near(world: World, agent: str, call: Call) -> Refusal | None:
    """The destination is near and not shut in."""
    return out_of_reach(world, agent, call.destination)


@check(Reason.INSIDE_ITSELF, touches=("target", "destination"))
def is_another(world: World, agent: str, call: Call) -> Refusal | None:
    """Nothing is poured into itself."""
    if call.target != call.destination:
        return None
    return Refusal(Reason.INSIDE_ITSELF, {"id": call.target, "destination": call.destination})


@check(Reason.NO_SUCH_MARK, touches=("destination",))
def has_the_mark(world: World, agent: str, call: Call) -> Refusal | None:
    """The destination has the mark to which it is to be filled."""
    if not call.relation or _mark_l(world, call) is not None:
        return None
    return Refusal(Reason.NO_SUCH_MARK, {"id": call.destination, "mark": call.relation})


@check(Reason.VESSEL_FULL, reads=Reads.THING | Reads.CONTENTS, touches=("target", "destination"))
def has_room(world: World, agent: str, call: Call) -> Refusal | None:
    """At least a gram fits into the destination, below the mark if one is named."""
    if _poured_kg(world, call):
        return None
    return Refusal(Reason.VESSEL_FULL, {"id": call.destination, "mark": call.relation})


@check(Reason.VESSEL_FULL, reads=Reads.THING | Reads.CONTENTS, touches=("target", "destination"))
def can_be_filled(world: World, agent: str, call: Call) -> Refusal | None:
    """At least a gram fits into the vessel."""
    if liquids.fillable_g(world, call.target, call.destination):
        return None
    return Refusal(Reason.VESSEL_FULL, {"id": call.target, "mark": ""})


def _poured_kg(world: World, call: Call) -> float:
    grams = liquids.pourable_g(world, call.target, call.destination, _mark_l(world, call))
    return sum(grams.values(), 0.0) / 1000


def _filled_kg(world: World, call: Call) -> float:
    return liquids.fillable_g(world, call.target, call.destination) / 1000


def _seems_to_bear_what_is_poured(world: World, agent: str, call: Call) -> Refusal | None:
    among = Weighed(world, agent)
    return _too_much_on(world, call.destination, _poured_kg(world, call), among)


@check(
    Reason.OVERLOADED,
    reads=Reads.THING | Reads.LOAD,
    touches=("target", "destination"),
    foreseen=_seems_to_bear_what_is_poured,
    can_object=_has_load_limits,
)
def what_is_poured_is_borne(world: World, agent: str, call: Call) -> Refusal | None:
    """What the destination stands on, and the wheels of what the agent rolls, bear it with more."""
    return _too_much_on(world, call.destination, _poured_kg(world, call), None)


def _seems_to_bear_what_is_filled(world: World, agent: str, call: Call) -> Refusal | None:
    return _too_much_on(world, call.target, _filled_kg(world, call), Weighed(world, agent))


@check(
    Reason.OVERLOADED,
    reads=Reads.THING | Reads.LOAD,
    touches=("target", "destination"),
    foreseen=_seems_to_bear_what_is_filled,
    can_object=_has_load_limits,
)
def what_is_filled_is_borne(world: World, agent: str, call: Call) -> Refusal | None:
    """What the vessel stands on, and the wheels of what the agent rolls, bear it with more."""
    return _too_much_on(world, call.target, _filled_kg(world, call), None)


def _too_much_on(
    world: World, vessel: str, kg: float, among: Container[str] | None
) -> Refusal | None:
    """With `among`, beside these things only."""
    if not is_vessel(world, vessel):
        return None
    place = world.location[vessel]
    while place.holder in world.location:
        for limit, load in _limits(world, place, among):
            if not is_within_load(load + kg, limit):
                surface = place.holder
                return _more_than(Reason.OVERLOADED, vessel, kg, limit_kg=limit, surface=surface)
        place = world.location[place.holder]
    return None


def _limits(
    world: World, place: Location, among: Container[str] | None
) -> Iterator[tuple[float, float]]:
    """What a holder bears, on wheels and as a surface, and what it bears now; in kg."""
    holder = place.holder
    wheels = world.blueprint.things[holder].wheels
    if wheels is not None and wheels.max_load_kg is not None and world.is_held(holder):
        yield wheels.max_load_kg, mass_within(world, holder, among)
    limit = world.blueprint.load_limits.get(holder)
    if limit is not None and place.relation == "on":
        yield limit, mass_on(world, holder, among)


@check(Reason.OVERWEIGHT, reads=Reads.LOAD | Reads.HANDS, touches=("target", "destination"))
def can_be_held_full(world: World, agent: str, call: Call) -> Refusal | None:
    """A vessel that is filled in hand is not too heavy for the agent then."""
    held = standing_piece(world, call.target)
    if not world.is_held(held) or held in world.blueprint.wheeled:
        return None
    kg = _filled_kg(world, call)
    load, limit = world.agents[agent].load, world.blueprint.bodies[agent].max_mass_kg
    if is_within_load(load + kg, limit):
        return None
    return _more_than(Reason.OVERWEIGHT, call.target, kg, limit_kg=limit, load_kg=load)


def _more_than(reason: Reason, vessel: str, kg: float, **facts: Any) -> Refusal:
    return Refusal(reason, {"id": vessel, "more_kg": kg, **facts})


def pour(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """All that fits goes over."""
    grams = liquids.pour(world, call.target, call.destination, _mark_l(world, call))
    world.touch(call.destination)
    return {"id": call.target, "to": call.destination, "grams": _rounded(grams)}


def fill(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """It is filled to the brim."""
    grams = liquids.fill(world, call.target, call.destination)
    return {"id": call.target, "from": call.destination, "grams": _rounded(grams)}


def empty(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """All goes into a drain that is near, else on the floor."""
    near = near_scope(world, agent)
    drain = next((node for node in near if _drains(world, node)), None)
    if drain is None:
        return {
            "id": call.target,
            "spilled": True,
            "grams": _rounded(liquids.spill(world, call.target)),
        }
    return {
        "id": call.target,
        "to": drain,
        "grams": _rounded(liquids.pour(world, call.target, drain)),
    }


def _rounded(grams: Mapping[str, float]) -> dict[str, int]:
    return {name: round(amount) for name, amount in grams.items()}


def _drains(world: World, node: str) -> bool:
    live = world.blueprint.live
    return live is not None and node in live.drains


def _content_l(world: World, vessel: str) -> float:
    return 0.0 if world.timeline is None else world.timeline.value(vessel, CONTENT)


def _mark_l(world: World, call: Call) -> float | None:
    live = world.blueprint.live
    marks = () if live is None else live.marks.get(call.destination, ())
    return next((m.at for m in marks if m.name == call.relation and m.of == CONTENT), None)


# -- what is listed ------------------------------------------------------------------------------


def pourings(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """From every vessel in hand into everything near that takes liquids, and up to its marks."""
    near = [node for node in objects if is_vessel(world, node) or _drains(world, node)]
    live = world.blueprint.live
    for vessel in world.agents[agent].inventory:
        for node in near if is_vessel(world, vessel) else ():
            yield Call(verb, vessel, "", node)
            for mark in live.marks.get(node, ()) if live is not None else ():
                if mark.of == CONTENT:
                    yield Call(verb, vessel, mark.name, node)


def fillings(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """Every vessel near, from every source near."""
    live, near = world.blueprint.live, list(objects)
    sources = [node for node in near if live is not None and node in live.sources]
    for vessel in near if sources else ():
        if is_vessel(world, vessel):
            yield from (Call(verb, vessel, "", source) for source in sources)


def emptyings(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """Every vessel in hand."""
    for vessel in world.agents[agent].inventory:
        if is_vessel(world, vessel):
            yield Call(verb, vessel)


# -- sentences -----------------------------------------------------------------------------------


def poured(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You pour 0.35 kg water from Jug into Kettle"."""
    return f"You pour {_told(facts)} from {name(facts['id'])} into {name(facts['to'])}."


def filled(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You fill Jug with 1.5 kg water"."""
    return f"You fill {name(facts['id'])} from {name(facts['from'])}: {_told(facts)} more."


def emptied(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You empty Jug: 0.2 kg water on the floor"."""
    where = "on the floor" if "spilled" in facts else f"into {name(facts['to'])}"
    return f"You empty {name(facts['id'])} {where}: {_told(facts)}."


def _told(facts: Facts) -> str:
    grams = facts["grams"].items()
    return listing(f"{number(amount / 1000)} kg {what.replace('_', ' ')}" for what, amount in grams)
