"""What cannot be about the pool of a wet bench, or about a protocol that a goal asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from earsim.apparatus.amounts import AMOUNT_UNITS
from earsim.apparatus.parameter import Parameter, SettingProblem
from earsim.apparatus.wet_bench.pool import ACTION, is_time, parameter_named, read_value
from earsim.errors import did_you_mean, near_misses
from earsim.schema.apparatus import Apparatus
from earsim.schema.goal import PerformedFact
from earsim.schema.model import FieldProblem
from earsim.schema.scene import Scene
from earsim.schema.wet_bench import (
    ActionNeeds,
    ActionParameter,
    ActionPool,
    ActionThing,
    BenchAction,
)
from earsim.world.pools import parameter, state_of

Loc = tuple[str | int, ...]

_BENCH = "wet_bench/1"
_FEW = 12


def pool_problems(spec: Apparatus) -> Iterator[FieldProblem]:
    """What is wrong in a pool by itself; places are relative to the apparatus."""
    if (spec.pool is None) is (spec.model == _BENCH):
        reason = f"{spec.model} {'without' if spec.pool is None else 'with'} a pool of actions"
        yield FieldProblem(("pool",), reason, f"a pool for {_BENCH}, and for no other model")
    if spec.pool is None:
        return
    ids = [each.id for each in spec.pool.materials]
    for place, material in enumerate(spec.pool.materials):
        loc: Loc = ("pool", "materials", place)
        if material.id in ids[:place]:
            yield FieldProblem((*loc, "id"), f"the material {material.id!r} is there twice")
        for name, value in material.states.items():
            if not isinstance(value, str | int | float):
                there = (*loc, "states", name)
                yield FieldProblem(there, "no value", "a word, a number or a truth value")
    names = [action.name for action in spec.pool.actions]
    for place, action in enumerate(spec.pool.actions):
        loc = ("pool", "actions", place)
        if action.name in names[:place]:
            yield FieldProblem((*loc, "name"), f"the action {action.name!r} is there twice")
        yield from _outputs(spec.pool, action, loc)
        yield from _parameters(action, loc)
        yield from _gives(spec.pool, action, loc)


def _outputs(pool: ActionPool, action: BenchAction, loc: Loc) -> Iterator[FieldProblem]:
    materials = states_of(pool)
    for id, states in action.outputs.items():
        there = (*loc, "outputs", id)
        if id not in materials:
            yield _unknown(there, "material", id, materials)
            continue
        known = materials[id]
        for name, value in (states or {}).items():
            given = parameter_named(value)
            parameters = {each.name: each for each in action.parameters}
            if given is None:
                yield from _state((*there, name), name, value, known)
            elif given not in parameters:
                yield _unknown((*there, name), "parameter", given, parameters)
            else:
                sample = "" if parameters[given].choices else 0.0
                yield from _state((*there, name), name, sample, known)


def _gives(pool: ActionPool, action: BenchAction, loc: Loc) -> Iterator[FieldProblem]:
    names = [each.name for each in action.gives]
    known = states_of(pool)
    for place, told in enumerate(action.gives):
        there = (*loc, "gives", place)
        if told.name == ACTION or told.name in names[:place]:
            yield FieldProblem((*there, "name"), f"the name {told.name!r} is taken", "another name")
        if (told.factor is None) is (told.equals is None):
            yield FieldProblem(there, "a value and a factor, or neither", "'equals' or 'factor'")
        elif told.factor is None and (told.times or told.over):
            yield FieldProblem(there, "states without a factor", "'factor', 1 for none")
        elif not isinstance(told.equals, str | int | float | None):
            yield FieldProblem((*there, "equals"), "no value", "a number, a word or a truth value")
        for reference in (*told.times, *told.over):
            material, state = state_of(reference)
            if material not in known:
                yield _unknown(there, "material", material, known)
            else:
                yield from _state(there, state, 0.0, known[material])


def states_of(pool: ActionPool) -> dict[str, Mapping[str, Any]]:
    """The states of every material, by its id."""
    return {each.id: each.states for each in pool.materials}


def _state(loc: Loc, name: str, value: Any, known: Mapping[str, Any]) -> Iterator[FieldProblem]:
    if name not in known:
        yield _unknown(loc, "state", name, known)
    elif _kind(value) != _kind(known[name]):
        reason = f"{value!r} is a {_kind(value)}, and {name!r} is a {_kind(known[name])}"
        yield FieldProblem(loc, reason, f"a {_kind(known[name])}")


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "truth value"
    return "number" if isinstance(value, int | float) else "word"


def _parameters(action: BenchAction, loc: Loc) -> Iterator[FieldProblem]:
    names = [each.name for each in action.parameters]
    for place, each in enumerate(action.parameters):
        there = (*loc, "parameters", place)
        if each.name in names[:place] or each.name == ACTION:
            reason = f"the name {each.name!r} is taken"
            yield FieldProblem((*there, "name"), reason, "another name")
        yield from _parameter(each, there)
    if isinstance(action.seconds, str):
        units = {each.name: each for each in action.parameters}
        asked = units.get(action.seconds)
        if asked is None:
            yield _unknown((*loc, "seconds"), "parameter", action.seconds, units)
        elif not is_time(asked.unit) or asked.bounds is None or asked.bounds[0] < 0:
            reason = f"{action.seconds!r} tells no time"
            yield FieldProblem((*loc, "seconds"), reason, "a parameter in s, min or h, from 0 on")


def _parameter(spec: ActionParameter, loc: Loc) -> Iterator[FieldProblem]:
    if spec.unit and spec.unit not in AMOUNT_UNITS:
        yield _unknown((*loc, "unit"), "unit", spec.unit, AMOUNT_UNITS)
    elif bool(spec.choices) is (spec.bounds is not None):
        yield FieldProblem(loc, "neither words nor bounds, or both", "'choices' or 'bounds'")
    elif spec.choices and (spec.unit or spec.integer):
        yield FieldProblem(loc, "words have no unit and are not whole", "'choices' alone")
    elif spec.bounds is not None and spec.bounds[0] > spec.bounds[1]:
        low, high = spec.bounds
        yield FieldProblem((*loc, "bounds"), f"no value lies in {low:g} to {high:g}")
    elif spec.usual is not None:
        yield from _value((*loc, "usual"), parameter(spec), spec.usual)


def _value(loc: Loc, known: Parameter, value: Any) -> Iterator[FieldProblem]:
    """A value of a file: a number, or a text that a command could have."""
    read = read_value(known, str(value))
    if isinstance(read, SettingProblem):
        expected = f"one of {', '.join(known.choices)}" if known.choices else _bounds(known)
        yield FieldProblem(loc, f"{value!r} is no value of {known.name!r}", expected)


def _bounds(known: Parameter) -> str:
    return f"{known.low:g} to {known.high:g}{' ' + known.unit if known.unit else ''}"


# -- in the scene ----------------------------------------------------------------------------------


def pool_references(scene: Scene, spec: Apparatus) -> Iterator[FieldProblem]:
    """What a pool names and the scene does not have; places are relative to the apparatus."""
    if spec.pool is None:
        return
    things = {thing.id: thing for thing in scene.objects}
    given = {
        ability for thing in scene.objects for ability in (*thing.provides, *thing.also_provides)
    }
    materials = states_of(spec.pool)
    for place, action in enumerate(spec.pool.actions):
        loc: Loc = ("pool", "actions", place)
        for id, wanted in action.inputs.items():
            known: dict[str, Any] = {}
            if id in things:
                known |= things[id].states
            if id in materials:
                known |= materials[id]
            elif id not in things:
                everything = (*materials, *things)
                yield _unknown((*loc, "inputs", id), "material or object", id, everything)
                continue
            for name, value in wanted.items():
                yield from _state((*loc, "inputs", id, name), name, value, known)
        needs = action.needs or ActionNeeds()
        if needs.ability is not None and needs.ability not in given:
            reason = f"no object provides {needs.ability!r}"
            there = (*loc, "needs", "ability")
            yield FieldProblem(there, reason, _near(needs.ability, given))
        for number, thing in enumerate(needs.things):
            yield from _thing(thing, (*loc, "needs", "things", number), things)


def _thing(spec: ActionThing, loc: Loc, things: Mapping[str, Any]) -> Iterator[FieldProblem]:
    if spec.object not in things:
        yield _unknown((*loc, "object"), "object", spec.object, things)
    elif (spec.of is None) is not (spec.at_least is None and spec.at_most is None):
        yield FieldProblem(loc, "a number without bounds, or bounds of none", "'of' and a bound")
    elif spec.at_least is not None and spec.at_most is not None and spec.at_least > spec.at_most:
        yield FieldProblem(loc, f"no value lies in {spec.at_least:g} to {spec.at_most:g}")


# -- protocols -------------------------------------------------------------------------------------


def protocol_problems(
    fact: PerformedFact, specs: Mapping[str, Apparatus], loc: Loc
) -> Iterator[FieldProblem]:
    """What a reference protocol names and the bench does not have."""
    benches = {node: spec.pool for node, spec in specs.items() if spec.pool is not None}
    pool = benches.get(fact.apparatus)
    if pool is None:
        yield _unknown((*loc, "apparatus"), "bench", fact.apparatus, benches)
        return
    actions = {action.name: action for action in pool.actions}
    for place, step in enumerate(fact.protocol):
        there = (*loc, "protocol", place)
        if step.action not in actions:
            yield _unknown((*there, "action"), "action", step.action, actions)
            continue
        known = {each.name: each for each in actions[step.action].parameters}
        for name, value in step.parameters.items():
            if name not in known:
                yield _unknown((*there, "parameters", name), "parameter", name, known)
            else:
                yield from _value((*there, "parameters", name), parameter(known[name]), value)


def _unknown(loc: Loc, kind: str, name: str, known: Iterable[str]) -> FieldProblem:
    known = list(known)
    hint = _near(name, known) or f"one of: {', '.join(known[:_FEW]) or 'none'}"
    return FieldProblem(loc, f"unknown {kind} {name!r}", hint)


def _near(name: str, known: Collection[str]) -> str:
    return did_you_mean(near_misses(name, known))
