"""A protocol drawn from a procedure: its steps, what the bench offers, and how it is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Final, NamedTuple

from earsim.apparatus.amounts import UnitAmount, converted
from earsim.apparatus.parameter import Settings
from earsim.apparatus.wet_bench.pool import ACTION, BenchPool
from earsim.planner.laboratory.told_protocol import is_met, told_protocol
from earsim.schema.wet_bench import ActionPool
from earsim.units import format_number
from earsim.world.pools import compiled
from earsim_generators.families.draft import Fields
from earsim_generators.families.wet.procedure import Procedure, ProcedureStep, StepParameter

_LARGER: Final = {"min": "h", "s": "min", "uL": "mL"}
"""Units in which a number may be told that the bench has in another one."""


class ProtocolDemands(NamedTuple):
    """What a difficulty means for a protocol.

    Attributes:
        distractors: Steps that the bench offers beside those of the protocol, at most.
        swaps: Pairs of steps that are told in the other order.
        untold: Steps that are not told, for the state of a material gives them away.
        converts: Whether numbers are told in units that are not those of the bench.
    """

    distractors: int
    swaps: int
    untold: int
    converts: bool


class DrawnStep(NamedTuple):
    """A step with its numbers, in the units of the bench."""

    step: ProcedureStep
    values: Mapping[str, float]

    @property
    def settings(self) -> Settings:
        """As the bench has them."""
        return {ACTION: self.step.action, **self.values}


class DrawnProtocol(NamedTuple):
    """A protocol.

    Attributes:
        procedure: From which it was drawn.
        steps: The reference, in order.
        told: Its steps in the order of the text; what is not told is not among them.
        text: The sentences that tell it.
        pool: What the bench offers, as a file gives it.
        answer: What the last step tells.
    """

    procedure: Procedure
    steps: Sequence[DrawnStep]
    told: Sequence[DrawnStep]
    text: str
    pool: Fields
    answer: float

    @property
    def supplies(self) -> frozenset[str]:
        """Ids of the supplies that its steps take."""
        known = {each.id for each in self.procedure.supplies}
        return frozenset(id for each in self.steps for id in each.step.takes if id in known)


def draw_protocol(
    rng: Random, procedure: Procedure, demands: ProtocolDemands
) -> DrawnProtocol | None:
    """A protocol; None where the numbers drawn leave no place for what is demanded.

    A swap is of two neighbours that the bench would perform in either order: that the text was
    read is all that gives the right one away. A text is good only where `told_protocol` finds the
    reference in it, so that nothing has to be known that is not said.
    """
    steps = [_drawn(rng, each) for each in procedure.steps if rng.random() < each.share]
    spoiling = rng.sample(
        procedure.distractors, min(demands.distractors, len(procedure.distractors))
    )
    answer = _result(rng, procedure)
    fields = _pool(rng, procedure, [each.step for each in steps], spoiling, answer)
    pool = compiled(ActionPool.model_validate(fields))
    untold = _picked(rng, list(_given_away(pool, steps)), demands.untold)
    either = [place for place in _either_way(pool, steps) if not {place, place + 1} & {*untold}]
    swaps = _picked(rng, either, demands.swaps, apart=2)
    if len(untold) < demands.untold or len(swaps) < demands.swaps:
        return None
    told = [each for place, each in enumerate(steps) if place not in untold]
    places = [place - sum(each < place for each in untold) for place in swaps]
    text = _told(rng, told, places, converts=demands.converts)
    if told_protocol(text, pool) != [each.settings for each in steps]:
        return None
    for place in places:
        told[place], told[place + 1] = told[place + 1], told[place]
    return DrawnProtocol(procedure, steps, told, text, fields, answer)


def _drawn(rng: Random, step: ProcedureStep) -> DrawnStep:
    return DrawnStep(step, {each.name: float(rng.choice(each.values)) for each in step.parameters})


def _result(rng: Random, procedure: Procedure) -> float:
    low, high = procedure.outcome.low, procedure.outcome.high
    return float(f"{rng.uniform(low, high):.3g}")


def _picked(rng: Random, places: Sequence[int], most: int, *, apart: int = 1) -> list[int]:
    """Some of these places, in order and so far apart."""
    found: list[int] = []
    for place in rng.sample(places, len(places)):
        if len(found) < most and all(abs(place - each) >= apart for each in found):
            found.append(place)
    return sorted(found)


# -- what states of materials say ------------------------------------------------------------------


def _given_away(pool: BenchPool, steps: Sequence[DrawnStep]) -> Iterator[int]:
    """Places of steps without numbers that a later one cannot do without."""
    for place, each in enumerate(steps[:-1]):
        without = [*steps[:place], *steps[place + 1 :]]
        if not each.step.parameters and not is_possible(pool, without):
            yield place


def _either_way(pool: BenchPool, steps: Sequence[DrawnStep]) -> Iterator[int]:
    """Places of steps that the bench would perform after the next one as well."""
    for place, (first, then) in enumerate(pairwise(steps)):
        swapped = [*steps[:place], then, first, *steps[place + 2 :]]
        told = first != then and first.step.parameters and then.step.parameters
        if told and is_possible(pool, swapped):
            yield place


def is_possible(pool: BenchPool, steps: Sequence[DrawnStep]) -> bool:
    """Whether a bench would perform these steps in this order, once all supplies are there."""
    contents = pool.contents(())
    for each in steps:
        if not is_met(pool, contents, pool.actions[each.step.action]):
            return False
        contents = pool.after(contents, each.settings)
    return True


# -- the bench -------------------------------------------------------------------------------------


def _pool(
    rng: Random,
    procedure: Procedure,
    steps: Sequence[ProcedureStep],
    spoiling: Sequence[ProcedureStep],
    answer: float,
) -> Fields:
    """Materials and actions; the order of actions says nothing."""
    actions = {each.action: each for each in (*steps, *spoiling)}
    return {
        "materials": [
            {"id": id, "exists": id not in procedure.made, "states": dict(states)}
            for id, states in procedure.materials.items()
        ],
        "actions": [
            _action(procedure, actions[name], answer)
            for name in rng.sample(sorted(actions), len(actions))
        ],
    }


def _action(procedure: Procedure, step: ProcedureStep, answer: float) -> Fields:
    made: Fields = {
        "name": step.action,
        "inputs": {id: dict(states) for id, states in step.takes.items()},
        "outputs": {id: None if s is None else dict(s) for id, s in step.makes.items()},
        "parameters": [
            {"name": each.name, "unit": each.unit, "bounds": list(map(float, each.bounds))}
            for each in step.parameters
        ],
        "seconds": step.seconds,
    }
    if step.uses:
        made["needs"] = {"things": [{"object": instrument_id(step.uses)}]}
    if step.gives:
        made["gives"] = [{"name": procedure.outcome.result, "equals": answer}]
    return made


def instrument_id(name: str) -> str:
    """Its id in the scene."""
    return name.lower().replace(" ", "_")


# -- the text --------------------------------------------------------------------------------------


def _told(rng: Random, steps: Sequence[DrawnStep], swaps: Sequence[int], *, converts: bool) -> str:
    said = [_clause(rng, each, converts=converts) for each in steps]
    sentences, place = [], 0
    while place < len(said):
        if place in swaps:
            first, then = said[place], said[place + 1]
            form = rng.choice(_SWAPPED)
            sentences.append(_upper(form.format(first=first, then=then, Then=_upper(then))))
            place += 2
        else:
            sentences.append(f"{_upper(said[place])}.")
            place += 1
    return " ".join(sentences)


_SWAPPED: Final = (
    "before you {then}, {first}.",
    "{then}, but only after you {first}.",
    "{then}. But first {first}.",
)
"""How two steps are told the later of which is named first or has its numbers first."""


def _clause(rng: Random, drawn: DrawnStep, *, converts: bool) -> str:
    told = [
        each.says.format(_amount(rng, each, drawn.values[each.name], converts=converts))
        for each in drawn.step.parameters
    ]
    return " ".join((drawn.step.words, *told))


def _amount(rng: Random, parameter: StepParameter, value: float, *, converts: bool) -> str:
    larger = _LARGER.get(parameter.unit)
    if converts and larger is not None and rng.random() < 0.5:
        found = converted(UnitAmount(value, parameter.unit), larger)
        if found is not None and (larger == "mL" or (4 * found).is_integer()):
            return f"{format_number(found)} {larger}"
    return f"{format_number(value)} {parameter.unit}".rstrip()


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def step_fields(drawn: DrawnStep) -> dict[str, Any]:
    """A step as a goal gives it."""
    made: dict[str, Any] = {"action": drawn.step.action}
    return {**made, "parameters": dict(drawn.values)} if drawn.values else made
