"""Checks that verbs about apparatus share."""

from __future__ import annotations

from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Reads, check
from earsim.apparatus.lookup import LookUpModel
from earsim.world import World
from earsim.world.containment import inside
from earsim.world.lab import Lab, LabRun, Rig
from earsim.world.power import works


def rig_of(world: World, node: str) -> Rig:
    """The simulation behind a thing that is an apparatus."""
    live = world.blueprint.live
    assert live is not None, "checked: it is an apparatus"
    return live.rigs[node]


def lookup_of(world: World, node: str) -> LookUpModel | None:
    """The library or the figures that a thing is; None of any other thing."""
    live = world.blueprint.live
    return None if live is None else live.lookups.get(node)


def lab_of(world: World) -> Lab:
    """The apparatus of a world that has some."""
    timeline = world.timeline
    assert timeline is not None, "a scene with apparatus has a timeline"
    assert timeline.lab is not None, "and live values of them"
    return timeline.lab


def put_lab(world: World, lab: Lab) -> None:
    """Let apparatus be like that from now on."""
    assert world.timeline is not None, "a scene with apparatus has a timeline"
    world.timeline.lab = lab


def running(world: World, node: str) -> LabRun | None:
    """The run that goes on at an apparatus."""
    return lab_of(world).running(node)


@check(Reason.NOT_APPARATUS)
def is_apparatus(world: World, agent: str, call: Call) -> Refusal | None:
    """A simulation stands behind the target."""
    live = world.blueprint.live
    if live is not None and call.target in live.rigs:
        return None
    return Refusal(Reason.NOT_APPARATUS, {"id": call.target})


@check(Reason.NO_POWER, reads=Reads.THING)
def has_power(world: World, agent: str, call: Call) -> Refusal | None:
    """The apparatus is in order: what it needs is true, and it has power."""
    if works(world, call.target):
        return None
    return Refusal(Reason.NO_POWER, {"id": call.target})


@check(Reason.NO_ABILITY, reads=Reads.GIVER)
def is_allowed(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent has the tool or key in hand that the apparatus takes."""
    ability = rig_of(world, call.target).needs.ability
    if ability is None or ability in world.agents[agent].abilities:
        return None
    return Refusal(Reason.NO_ABILITY, {"id": call.target, "ability": ability, "agent": agent})


@check(Reason.BUSY, reads=Reads.THING)
def is_idle(world: World, agent: str, call: Call) -> Refusal | None:
    """No run goes on there."""
    run = running(world, call.target)
    if run is None:
        return None
    return Refusal(Reason.BUSY, {"id": call.target, "operation": run.operation.id})


@check(Reason.NOT_LOADED, reads=Reads.THING | Reads.CONTENTS)
def is_loaded(world: World, agent: str, call: Call) -> Refusal | None:
    """What the apparatus takes is in or on it."""
    loaded = rig_of(world, call.target).needs.loaded
    if loaded is None or any(node == loaded for node in inside(world, call.target)):
        return None
    known = {"load": loaded} if loaded in world.known[agent] else {}
    return Refusal(Reason.NOT_LOADED, {"id": call.target, **known})
