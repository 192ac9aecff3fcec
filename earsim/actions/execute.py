"""EXEC: have a workstation execute a piece of code; it goes on while time passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.apparatus import lab_of, rig_of
from earsim.actions.configure import settings_of
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.run import begun_run
from earsim.actions.verb import Call, Facts, Verb, check
from earsim.apparatus.bodies import pool
from earsim.apparatus.bodies.confinement import DEMAND, has_interpreter, reached
from earsim.apparatus.bodies.model import Workstation
from earsim.apparatus.dry_bench.model import DryBench
from earsim.apparatus.operation import OperationType
from earsim.world import Blueprint, World

GRAMMAR = Grammar.with_text("EXEC {target} {code}")

EXEC_S = 1


def workstations(blueprint: Blueprint) -> tuple[str, ...]:
    """The things of a scene that execute code."""
    live = blueprint.live
    rigs = {} if live is None else live.rigs
    return tuple([node for node, rig in rigs.items() if isinstance(rig.model, Workstation)])


def body_of(world: World, node: str) -> Workstation:
    """The model of a workstation."""
    model = rig_of(world, node).model
    assert isinstance(model, Workstation), "checked: it is a workstation"
    return model


@check(Reason.NOT_WORKSTATION)
def is_workstation(world: World, agent: str, call: Call) -> Refusal | None:
    """The target executes code."""
    if call.target in workstations(world.blueprint):
        return None
    return Refusal(Reason.NOT_WORKSTATION, {"id": call.target})


def _there_are_some(verb: Verb, blueprint: Blueprint) -> bool:
    return bool(workstations(blueprint))


@check(Reason.NEEDS_CODE, can_object=_there_are_some)
def runs_without_code(world: World, agent: str, call: Call) -> Refusal | None:
    """The apparatus is no workstation that runs nothing but code that is given."""
    if call.target not in workstations(world.blueprint):
        return None
    if isinstance(body_of(world, call.target), DryBench):
        return None
    return Refusal(Reason.NEEDS_CODE, {"id": call.target})


@check(Reason.NO_INTERPRETER)
def is_installed(world: World, agent: str, call: Call) -> Refusal | None:
    """This machine has what executes such code."""
    return _not_installed(world, call.target)


def _not_installed(world: World, node: str) -> Refusal | None:
    body = body_of(world, node)
    if pool.POOL.plays or has_interpreter(body.id):
        return None
    return Refusal(Reason.NO_INTERPRETER, {"id": node, "language": body.language})


@check(Reason.NO_SANDBOX)
def is_confined(world: World, agent: str, call: Call) -> Refusal | None:
    """This machine confines foreign code as far as is demanded."""
    return _not_confined(call.target)


def unfit_machine(world: World, node: str) -> Refusal | None:
    """Why this machine executes no code of a workstation, whoever gives it; None if it does."""
    return _not_installed(world, node) or _not_confined(node)


def _not_confined(node: str) -> Refusal | None:
    if pool.POOL.plays:  # nothing is executed
        return None
    found = reached()
    if found.level >= DEMAND.level:
        return None
    facts = {"level": int(found.level), "needed": DEMAND.level, "lacks": list(found.missing)}
    return Refusal(Reason.NO_SANDBOX, {"id": node, **facts})


def _there_are_dry_benches(verb: Verb, blueprint: Blueprint) -> bool:
    live = blueprint.live
    rigs = {} if live is None else live.rigs
    return any(isinstance(rig.model, DryBench) for rig in rigs.values())


@check(Reason.NO_SANDBOX, can_object=_there_are_dry_benches)
def trial_is_confined(world: World, agent: str, call: Call) -> Refusal | None:
    """This machine confines the code that a dry bench tests as far as is demanded."""
    if not isinstance(rig_of(world, call.target).model, DryBench):
        return None
    return is_confined.test(world, agent, call)


def execute(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """The code begins when the seconds of the command are over."""
    settings = settings_of(world, call.target)
    work = lab_of(world).work(call.target)
    piece = body_of(world, call.target).piece(call.details, work, settings)
    return begun_run(world, agent, call, piece, OperationType.EXECUTE_CODE, after_s=EXEC_S)


def begun(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "Workstation executes your code: op_2 is running"."""
    return f"{name(facts['id'])} executes your code: {facts['operation']} is running."
