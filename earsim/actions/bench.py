"""RUN at a wet bench or a library: which action, with which parameters, and what it takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from earsim.actions.apparatus import lab_of, lookup_of, rig_of
from earsim.actions.configure import given, settings_of
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Reads, Verb, check
from earsim.apparatus.dry_bench.model import DryBench
from earsim.apparatus.parameter import SettingProblem, Settings
from earsim.apparatus.wet_bench.pool import ACTION, Action
from earsim.errors import near_misses
from earsim.world import Blueprint, World
from earsim.world.benches import Lack, bench_of, contents, lacking, unfit
from earsim.world.power import works

RUN_ACTION = Grammar.of(
    "RUN {target} [{operation}] [{settings}]", shown="RUN {target} [{operation}] [{settings}]"
)

_REASONS = {reason.value: reason for reason in Reason}


def has_benches(verb: Verb, blueprint: Blueprint) -> bool:
    """Whether a scene has a wet bench."""
    return blueprint.live is not None and bool(blueprint.live.benches)


def has_actions(verb: Verb, blueprint: Blueprint) -> bool:
    """Whether `RUN` names an action anywhere in a scene."""
    return blueprint.live is not None and bool(blueprint.live.actions)


def actions_at(world: World, node: str) -> Mapping[str, Action] | None:
    """The actions that `RUN` names at a thing; None where it names none."""
    live = world.blueprint.live
    return None if live is None else live.actions.get(node)


def action_of(world: World, call: Call) -> Action | None:
    """The action that a command names; None where there is no such."""
    return (actions_at(world, call.target) or {}).get(call.destination)


def settings_for(world: World, call: Call) -> Settings:
    """What a run has: the settings of the apparatus, or the action and its parameters."""
    action = action_of(world, call)
    if action is None:
        return settings_of(world, call.target)
    read = action.read(given(call.details))
    assert not isinstance(read, SettingProblem), "checked: the action can be performed so"
    return {ACTION: action.name, **read}


def start_of(world: World, call: Call, settings: Settings) -> Any:
    """The first state of a run; of a bench, among the materials that there are."""
    bench = bench_of(world, call.target)
    if bench is not None:
        return bench.begin(settings, contents(world, call.target))
    model = rig_of(world, call.target).model
    if isinstance(model, DryBench):
        files = lab_of(world).files.get(call.target, ())
        return model.trial([saved.file for saved in files], settings)
    return model.start(settings)


# -- checks ----------------------------------------------------------------------------------------


@check(
    Reason.UNKNOWN_ACTION,
    Reason.INCOMPLETE,
    Reason.UNKNOWN_SETTING,
    Reason.BAD_VALUE,
    Reason.OUT_OF_BOUNDS,
    can_object=has_actions,
)
def is_an_action(world: World, agent: str, call: Call) -> Refusal | None:
    """A bench has the action, and every parameter gets a value within its bounds."""
    actions = actions_at(world, call.target)
    if actions is None:
        if not call.destination and not call.details:
            return None
        facts = {"name": call.destination or call.details, "near": [], "known": []}
        return Refusal(Reason.UNKNOWN_ACTION, {"id": call.target, **facts})
    if not call.destination:
        return Refusal(Reason.INCOMPLETE, {"id": call.target, "missing": [ACTION], "action": None})
    action = actions.get(call.destination)
    if action is None:
        near = list(near_misses(call.destination, actions))
        facts = {"name": call.destination, "near": near, "known": list(actions)}
        return Refusal(Reason.UNKNOWN_ACTION, {"id": call.target, **facts})
    return _parameters(world, call, action)


def _parameters(world: World, call: Call, action: Action) -> Refusal | None:
    read = action.read(given(call.details))
    if isinstance(read, SettingProblem):
        return Refusal(_REASONS[read.reason], {"id": call.target, **read.facts})
    missing = [p.name for p in action.parameters if p.name not in read]
    if not missing:
        return _looked_up(world, call, {ACTION: action.name, **read})
    facts = {"missing": missing, "action": action.name}
    return Refusal(Reason.INCOMPLETE, {"id": call.target, **facts})


def _looked_up(world: World, call: Call, settings: Settings) -> Refusal | None:
    """A library or a collection of figures does not have what is asked of it."""
    lookup = lookup_of(world, call.target)
    problem = None if lookup is None else lookup.problem(settings)
    if problem is None:
        return None
    return Refusal(_REASONS[problem.reason], {"id": call.target, **problem.facts})


@check(Reason.NO_ABILITY, reads=Reads.GIVER, touches=("target",))
def may_run(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent has the tool or key in hand that the apparatus, or the action there, takes."""
    action = action_of(world, call)
    own = action.ability if action is not None else ""
    ability = own or rig_of(world, call.target).needs.ability
    if ability is None or ability in world.agents[agent].abilities:
        return None
    return Refusal(Reason.NO_ABILITY, {"id": call.target, "ability": ability, "agent": agent})


@check(Reason.MISSING_INPUT, reads=Reads.THING | Reads.CONTENTS, can_object=has_benches)
def has_inputs(world: World, agent: str, call: Call) -> Refusal | None:
    """Every material that the action takes is there, in the state that it takes it in."""
    action = action_of(world, call)
    if action is None or bench_of(world, call.target) is None:
        return None
    return _missing(call, action, next(lacking(world, call.target, action), None))


@check(
    Reason.MISSING_INPUT,
    Reason.NO_POWER,
    reads=Reads.THING | Reads.CONTENTS,
    can_object=has_benches,
)
def has_things(world: World, agent: str, call: Call) -> Refusal | None:
    """The instruments that the action takes are in the room, in order, and as it takes them."""
    action = action_of(world, call)
    if action is None:
        return None
    away = [lack for lack in unfit(world, call.target, action) if lack.has is None]
    if away:
        return _missing(call, action, away[0])
    for thing in action.things:
        if not works(world, thing.object):
            return Refusal(Reason.NO_POWER, {"id": thing.object})
    return _missing(call, action, next(unfit(world, call.target, action), None))


def _missing(call: Call, action: Action, lack: Lack | None) -> Refusal | None:
    if lack is None:
        return None
    facts = {"action": action.name, "input": lack.input, "wanted": dict(lack.wanted)}
    has = None if lack.has is None else dict(lack.has)
    return Refusal(Reason.MISSING_INPUT, {"id": call.target, **facts, "has": has})


# -- what is listed --------------------------------------------------------------------------------


def runs(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterator[Call]:
    """Every apparatus near; where `RUN` names an action, those that need no value given."""
    live = world.blueprint.live
    for node in objects:
        if live is None or node not in live.rigs:
            continue
        actions = actions_at(world, node)
        if actions is None:
            yield Call(verb, node)
        else:
            for action in actions.values():
                if not action.required:
                    yield Call(verb, node, destination=action.name)
