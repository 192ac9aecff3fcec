"""Pools of wet benches, compiled from their files."""

from __future__ import annotations

from earsim.apparatus.parameter import Parameter, Value
from earsim.apparatus.wet_bench.pool import Action, BenchPool, Equipment, Material, StateProduct
from earsim.schema.wet_bench import (
    ActionNeeds,
    ActionParameter,
    ActionPool,
    BenchAction,
    ToldResult,
)


def compiled(spec: ActionPool) -> BenchPool:
    """A pool as the model has it; nothing is wrong in it."""
    materials = {each.id: Material(each.exists, each.states) for each in spec.materials}
    return BenchPool(materials, {action.name: _action(action) for action in spec.actions})


def _action(spec: BenchAction) -> Action:
    needs = spec.needs or ActionNeeds()
    return Action(
        name=spec.name,
        says=spec.says,
        inputs=spec.inputs,
        outputs=spec.outputs,
        parameters=tuple(map(parameter, spec.parameters)),
        required=frozenset(each.name for each in spec.parameters if each.usual is None),
        seconds=spec.seconds,
        ability=needs.ability or "",
        people=needs.people,
        things=tuple(
            Equipment(
                each.object,
                each.of or "",
                float("-inf") if each.at_least is None else each.at_least,
                float("inf") if each.at_most is None else each.at_most,
            )
            for each in needs.things
        ),
        gives={each.name: _told(each) for each in spec.gives},
    )


def _told(spec: ToldResult) -> Value | StateProduct:
    if spec.factor is None:
        value: Value = spec.equals
        return value
    return StateProduct(
        spec.factor, tuple(map(state_of, spec.times)), tuple(map(state_of, spec.over))
    )


def state_of(reference: str) -> tuple[str, str]:
    """``flask.sample_ml`` as its material and its state."""
    material, _, state = reference.partition(".")
    return material, state


def parameter(spec: ActionParameter) -> Parameter:
    """A parameter of an action; one that has to be given has a default all the same, unused."""
    low, high = spec.bounds or (float("-inf"), float("inf"))
    default = spec.usual
    if default is None:
        default = spec.choices[0] if spec.choices else low
    return Parameter(
        spec.name,
        spec.says,
        default,
        unit=spec.unit,
        low=low,
        high=high,
        integer=spec.integer,
        choices=spec.choices,
    )
