"""Apparatus of a scene, compiled, and what cannot be about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from earsim.apparatus.dry_bench.model import DryBench
from earsim.apparatus.lookup import LookUpModel
from earsim.apparatus.model import Model
from earsim.apparatus.parameter import Parameter, SettingProblem, defaults
from earsim.apparatus.registry import MODELS
from earsim.apparatus.wet_bench.model import WetBench
from earsim.apparatus.wet_bench.pool import ACTION
from earsim.errors import UsageError, did_you_mean, near_misses
from earsim.schema import Scene, Task
from earsim.schema.apparatus import Apparatus, ApparatusNeeds, ApparatusPrice
from earsim.schema.goal import MeasuredFact, OperationFact, PerformedFact, SubmittedFact
from earsim.schema.goal_tree import momentary_leaves
from earsim.schema.model import FieldProblem
from earsim.schema.references import unknown
from earsim.world.bench_problems import pool_problems, pool_references, protocol_problems
from earsim.world.desks import desk_problems, problem_of
from earsim.world.lab import Rig
from earsim.world.lookups import lookup_model, lookup_problems
from earsim.world.pools import compiled

_FEW = 12
"""How many names a message lists."""


def rig(node: str, spec: Apparatus) -> Rig:
    """Compile an apparatus.

    Raises:
        UsageError: There is no such model, or something in it that is not of the model.
        MissingExtra: The model needs something that is not installed.
    """
    for problem in _problems(spec):
        where = ".".join(map(str, problem.loc))
        hint = f"; {problem.expected}" if problem.expected else ""
        raise UsageError(f"apparatus {node!r}, {where}: {problem.reason}{hint}")
    model = MODELS[spec.model]
    if spec.pool is not None:
        assert isinstance(model, WetBench), "checked: no other model has a pool"
        model = model.of(compiled(spec.pool))
    model = lookup_model(spec) or model
    if spec.desk is not None:
        assert isinstance(model, DryBench), "checked: no other model has a desk"
        model = model.of(problem_of(spec.desk))
    narrowed = [
        p.narrowed(*spec.bounds[p.name]) if p.name in spec.bounds else p
        for p in model.parameters
        if not spec.tunable or p.name in spec.tunable
    ]
    return Rig(
        model=model,
        parameters=tuple(narrowed),
        settings={**defaults(model.parameters), **spec.settings},
        levels=spec.levels,
        needs=spec.needs or ApparatusNeeds(),
        price=spec.price or ApparatusPrice(),
        show=spec.show,
    )


def rig_problems(scene: Scene) -> Iterator[FieldProblem]:
    """Everything about the apparatus of a scene that cannot be, by its place in the file."""
    things = {thing.id for thing in scene.objects}
    given = {
        ability for thing in scene.objects for ability in (*thing.provides, *thing.also_provides)
    }
    for index, thing in enumerate(scene.objects):
        if thing.apparatus is None:
            continue
        loc = ("objects", index, "apparatus")
        for problem in _problems(thing.apparatus):
            yield problem._replace(loc=(*loc, *problem.loc))
        for problem in pool_references(scene, thing.apparatus):
            yield problem._replace(loc=(*loc, *problem.loc))
        needs = thing.apparatus.needs or ApparatusNeeds()
        if needs.loaded is not None and needs.loaded not in things:
            yield FieldProblem((*loc, "needs", "loaded"), *unknown("object", needs.loaded, things))
        if needs.loaded == thing.id:
            yield FieldProblem((*loc, "needs", "loaded"), "it cannot be in or on itself")
        if needs.ability is not None and needs.ability not in given:
            reason = f"no object provides {needs.ability!r}"
            yield FieldProblem((*loc, "needs", "ability"), reason, _near(needs.ability, given))


def task_problems(scene: Scene, task: Task) -> Iterator[FieldProblem]:
    """What a task wants of apparatus that they do not have, by its place in the task."""
    specs = {thing.id: thing.apparatus for thing in scene.objects if thing.apparatus is not None}
    for leaf in momentary_leaves(task.goal):
        fact, loc = leaf.fact, ("task", "goal")
        if isinstance(fact, MeasuredFact | OperationFact):
            if fact.apparatus not in specs:
                yield FieldProblem(loc, *unknown("apparatus", fact.apparatus, specs))
            elif specs[fact.apparatus].model in MODELS:
                yield from _fact(loc, fact, specs[fact.apparatus])
        elif isinstance(fact, PerformedFact):
            yield from protocol_problems(fact, specs, loc)
        elif isinstance(fact, SubmittedFact) and not specs:
            reason = f"an answer to {fact.name!r}, and there is no apparatus, so no SUBMIT"
            yield FieldProblem(loc, reason, "an apparatus")
    for account in task.limits:
        if not _costs(account, specs.values()):
            reason = f"a limit of {account}, and no apparatus costs any"
            yield FieldProblem(("task", "limits", account), reason, "a price, or no such limit")


def _fact(
    loc: tuple[str | int, ...], fact: MeasuredFact | OperationFact, spec: Apparatus
) -> Iterator[FieldProblem]:
    """Results, settings and events that the model does not have."""
    model = MODELS[spec.model]
    if isinstance(fact, MeasuredFact):
        names = _results(spec)
        if fact.result not in names:
            yield _unknown(loc, "result", fact.result, names)
        return
    lookup = lookup_model(spec)
    if lookup is not None:
        yield from _asked(loc, lookup, fact.settings)
    parameters = _narrowed(spec, {p.name: p for p in model.parameters})
    for name, value in fact.settings.items() if lookup is None else ():
        if name not in parameters:
            yield _unknown(loc, "setting", name, parameters)
        yield from _value(loc, parameters.get(name), value)
    if fact.warned is not None and fact.warned not in model.events:
        yield _unknown(loc, "event", fact.warned, model.events)


def _asked(
    loc: tuple[str | int, ...], model: LookUpModel, asked: Mapping[str, Any]
) -> Iterator[FieldProblem]:
    """What a goal wants looked up where it is not, or by an operation that there is not."""
    named = asked.get(ACTION)
    if named is not None and named not in model.actions:
        yield _unknown(loc, "operation", str(named), model.actions)
        return
    actions = [model.actions[named]] if named is not None else list(model.actions.values())
    parameters = {each.name: each for action in actions for each in action.parameters}
    found = {name: value for name, value in asked.items() if name != ACTION}
    wrong = list[FieldProblem]()
    for name, value in found.items():
        if name not in parameters:
            wrong.append(_unknown(loc, "setting", name, parameters))
        wrong += _value(loc, parameters.get(name), value)
    yield from wrong
    for action in () if wrong else actions:
        settings = {ACTION: action.name, **{p.name: p.default for p in action.parameters}, **found}
        problem = model.problem(settings) if action.required <= found.keys() else None
        if problem is not None:
            value = problem.facts["value"]
            yield FieldProblem(loc, f"{value!r} is {_WORDS[problem.reason]}", "what is there")


def _results(spec: Apparatus) -> list[str]:
    """The results that a run can have."""
    found = [each.name for each in MODELS[spec.model].quantities]
    if spec.pool is not None:
        found += [told.name for action in spec.pool.actions for told in action.gives]
    return found


def _costs(account: str, specs: Iterable[Apparatus]) -> bool:
    """Whether runs of some apparatus can cost something of an account."""
    for spec in specs:
        price = spec.price or ApparatusPrice()
        if account in ("runs", "clock_s"):
            return True
        if account == "eur" and (
            price.eur_per_run
            or price.eur_per_h
            or price.eur_per_mflop
            or any(price.eur_per.values())
        ):
            return True
        if account == "kwh" and price.kwh_per_h:
            return True
        if account == "flop" and spec.model in MODELS and MODELS[spec.model].rate is not None:
            return True
    return False


def _problems(spec: Apparatus) -> Iterator[FieldProblem]:
    """What is wrong of an apparatus by itself; places are relative to it."""
    if spec.model not in MODELS:
        yield FieldProblem(("model",), *unknown("model", spec.model, MODELS))
        return
    yield from pool_problems(spec)
    yield from desk_problems(spec)
    yield from lookup_problems(spec)
    model = MODELS[spec.model]
    parameters = {p.name: p for p in model.parameters}
    for field in ("settings", "bounds", "levels"):
        for name in getattr(spec, field):
            if name not in parameters:
                yield _unknown((field, name), "setting", name, parameters)
    for place, name in enumerate(spec.tunable):
        if name not in parameters:
            yield _unknown(("tunable", place), "setting", name, parameters)
    yield from _shown(spec, model)
    yield from _bounds(spec, parameters)
    for name, value in spec.settings.items():
        yield from _value(("settings", name), parameters.get(name), value)
    for name, values in spec.levels.items():
        narrow = _narrowed(spec, parameters).get(name)
        for place, value in enumerate(values):
            yield from _value(("levels", name, place), narrow, value)


def _shown(spec: Apparatus, model: Model) -> Iterator[FieldProblem]:
    channels = [channel.name for channel in model.channels]
    for place, name in enumerate(spec.show):
        if name not in channels:
            yield _unknown(("show", place), "channel", name, channels)


def _bounds(spec: Apparatus, parameters: Mapping[str, Parameter]) -> Iterator[FieldProblem]:
    for name, (low, high) in spec.bounds.items():
        parameter = parameters.get(name)
        if parameter is None:
            continue
        if parameter.choices:
            yield FieldProblem(("bounds", name), f"{name!r} takes words and has no bounds")
        elif max(low, parameter.low) > min(high, parameter.high):
            expected = f"within {parameter.low:g} to {parameter.high:g}"
            yield FieldProblem(("bounds", name), f"no value lies in {low:g} to {high:g}", expected)
        elif low < parameter.low or high > parameter.high:
            expected = f"within {parameter.low:g} to {parameter.high:g}"
            reason = f"{low:g} to {high:g} are more than {spec.model} takes"
            yield FieldProblem(("bounds", name), reason, expected)


def _narrowed(spec: Apparatus, parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    return {
        name: p.narrowed(*spec.bounds[name]) if name in spec.bounds else p
        for name, p in parameters.items()
    }


def _value(
    loc: tuple[str | int, ...], parameter: Parameter | None, value: Any
) -> Iterator[FieldProblem]:
    problem = None if parameter is None else parameter.check(value)
    if isinstance(problem, SettingProblem):
        yield FieldProblem(loc, f"{value!r} is {_WORDS[problem.reason]}", _expected(problem.facts))


_WORDS = {"bad_value": "no value of it", "out_of_bounds": "out of bounds"}


def _expected(facts: Mapping[str, Any]) -> str:
    if "choices" in facts:
        return f"one of {', '.join(facts['choices'])}"
    if "low" in facts:
        return f"{facts['low']:g} to {facts['high']:g}"
    return f"a {facts['kind']}"


def _unknown(
    loc: tuple[str | int, ...], kind: str, name: str, known: Iterable[str]
) -> FieldProblem:
    known = list(known)
    hint = _near(name, known) or f"one of: {', '.join(known[:_FEW])}"
    return FieldProblem(loc, f"unknown {kind} {name!r}", hint)


def _near(name: str, known: Iterable[str]) -> str:
    return did_you_mean(near_misses(name, known))
