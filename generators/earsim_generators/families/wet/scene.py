"""A scene with a wet bench: what a protocol takes lies elsewhere, some of it frozen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from earsim.apparatus.amounts import UnitAmount, converted
from earsim.units import format_number
from earsim_generators.families.draft import Fields, SceneDraft
from earsim_generators.families.outing import Outing
from earsim_generators.families.wet.procedure import Supply
from earsim_generators.families.wet.protocol import (
    DrawnProtocol,
    DrawnStep,
    instrument_id,
    step_fields,
)

_PLACES: Final = {
    "Laboratory": "Side table",
    "Weighing room": "Stone table",
    "Office": "Desk",
    "Corridor": "Trolley",
    "Store room": "Packing table",
    "Washing-up room": "Steel table",
    "Seminar room": "Long table",
}
_LONGEST_WAIT_S: Final = 3600
_ABILITY: Final = "pipette"
_LATENT_J: Final = 70.0
"""Heat that a frozen tube takes to thaw."""


class SceneDemands(NamedTuple):
    """What a difficulty means for what is missing at the bench.

    Attributes:
        missing: Supplies of the protocol that lie elsewhere, at most.
        frozen: Whether what is kept frozen is, and has to thaw.
        shut: Whether the others lie in a closed cabinet.
        pipettes: Whether a tool has to be in hand.
        told: Whether the instruction tells in which room they are.
    """

    missing: int
    frozen: bool
    shut: bool
    pipettes: bool
    told: bool


_MOST: Final = 9
_LEVELS: Final = {
    "easy": SceneDemands(1, frozen=False, shut=False, pipettes=False, told=True),
    "medium": SceneDemands(2, frozen=True, shut=False, pipettes=False, told=True),
    "hard": SceneDemands(_MOST, frozen=True, shut=True, pipettes=True, told=False),
}


class _Placed(NamedTuple):
    """A supply that lies elsewhere.

    Attributes:
        supply: Which.
        box: The closed container that it lies in; None where it lies open.
        is_cold: Whether it has to thaw.
    """

    supply: Supply
    box: str | None
    is_cold: bool


def bench_scene(rng: Random, difficulty: str, protocol: DrawnProtocol) -> Fields:
    """The scene, with the protocol as its task."""
    level, procedure = _LEVELS[difficulty], protocol.procedure
    draft = SceneDraft(rng, difficulty, "laboratory", dict(_PLACES))
    room = rng.choice(draft.rooms)
    bench = draft.furniture(
        procedure.bench,
        room,
        mass_kg=120.0,
        size=(2.4, 0.8, 0.9),
        apparatus={
            "model": "wet_bench/1",
            "pool": protocol.pool,
            **({"needs": {"ability": _ABILITY}} if level.pipettes else {}),
        },
    )
    instruments = [_instrument(draft, name, room) for name in procedure.instruments]
    placed = _supplies(draft, level, protocol, bench)
    pipettes = _pipettes(draft, draft.other_room(room)) if level.pipettes else None
    used = {instrument_id(each.step.uses) for each in protocol.steps if each.step.uses}
    walkthrough = _walkthrough(
        draft, bench, placed, pipettes, [each for each in instruments if each in used], protocol
    )
    task: Fields = {
        "id": procedure.name,
        "category": "tool_use" if level.pipettes else "direct_command",
        "workflow": {"family": "wet_experiment", "domain": procedure.domain},
        "goal": {"all": _goal(protocol, bench)},
        "instruction": " ".join(_said(draft, level, placed, pipettes, protocol, bench)),
    }
    return draft.document(task, walkthrough, title=procedure.title)


def _goal(protocol: DrawnProtocol, bench: str) -> list[Fields]:
    steps = [step_fields(each) for each in protocol.steps]
    return [
        {"performed": {"apparatus": bench, "protocol": steps}},
        {"submitted": {"name": protocol.procedure.outcome.name, "equals": protocol.answer}},
    ]


def _instrument(draft: SceneDraft, name: str, room: str) -> str:
    return draft.furniture(
        name,
        room,
        mass_kg=30.0,
        size=(0.5, 0.5, 0.4),
        states={"is_on": False},
        needs=["is_on"],
    )


# -- supplies --------------------------------------------------------------------------------------


def _supplies(
    draft: SceneDraft, level: SceneDemands, protocol: DrawnProtocol, bench: str
) -> list[_Placed]:
    """Put every supply of the procedure somewhere; those of the protocol that are elsewhere.

    What only spoils a protocol lies beside what it takes.
    """
    taken = [each for each in protocol.procedure.supplies if each.id in protocol.supplies]
    cold = [each for each in taken if each.is_frozen and level.frozen]
    others = [each for each in taken if each not in cold]
    missing = [*cold, *draft.rng.sample(others, len(others))][: level.missing]
    room = draft.other_room(draft.room_of(bench))
    freezer = _freezer(draft, room) if set(cold) & set(missing) else None
    cabinet = _cabinet(draft, draft.other_room(draft.room_of(bench))) if level.shut else None
    table = draft.table(room)
    found = []
    for supply in protocol.procedure.supplies:
        is_missing = supply in missing
        is_cold = is_missing and supply in cold
        box = freezer if is_cold else cabinet
        away: Fields = {"on": table} if box is None else {"in": box}
        is_away = is_missing or supply not in taken
        _bottle(draft, supply, is_cold=is_cold, **(away if is_away else {"on": bench}))
        if is_missing:
            found.append(_Placed(supply, box, is_cold))
    return found


def _bottle(draft: SceneDraft, supply: Supply, *, is_cold: bool, **where: str) -> None:
    side = 0.01 if supply.mass_kg < 0.05 else 0.07
    frozen: Fields = {"states": {"is_thawed": True}} if supply.is_frozen else {}
    if is_cold:
        frozen = {
            "temperature_c": -18.0,
            "states": {"is_thawed": False},
            "processes": [
                {"heat": {"heat_capacity_jpk": 4.0, "conductance_wpk": 0.02}},
                {"phase": {"at_c": 0.0, "latent_j": _LATENT_J}},
                {"state": {"name": "is_thawed", "of": "melted_percent", "at_least": 100.0}},
            ],
        }
    size = (side, side, 4 * side if supply.mass_kg < 0.05 else 2 * side)
    draft.item(supply.name, mass_kg=supply.mass_kg, size=size, **frozen, **where)


def _freezer(draft: SceneDraft, room: str) -> str:
    return draft.furniture(
        "Freezer",
        room,
        mass_kg=42.0,
        size=(0.9, 0.6, 0.85),
        temperature_c=-18.0,
        container={"capacity_l": 190.0},
        states={"is_open": False, "is_on": True, "is_cooling": True},
        processes=[
            {"compartment": {"air_jpk": 12000.0, "wall_wpk": 1.3, "open_wpk": 12.0}},
            {"heats": {"power_w": -120.0, "while": {"is_on": True, "is_cooling": True}}},
            {"crossing": {"of": "temperature_c", "at_most": -20.0, "sets": {"is_cooling": False}}},
            {"crossing": {"of": "temperature_c", "at_least": -17.0, "sets": {"is_cooling": True}}},
        ],
    )


def _cabinet(draft: SceneDraft, room: str) -> str:
    return draft.furniture(
        "Cabinet",
        room,
        mass_kg=45.0,
        size=(0.9, 0.5, 1.4),
        container={"capacity_l": 300.0},
        states={"is_open": False},
    )


def _pipettes(draft: SceneDraft, room: str) -> str:
    return draft.item(
        "Pipette set",
        mass_kg=0.4,
        size=(0.25, 0.1, 0.1),
        on=draft.table(room),
        also_provides=[_ABILITY],
    )


def _said(
    draft: SceneDraft,
    level: SceneDemands,
    placed: Sequence[_Placed],
    pipettes: str | None,
    protocol: DrawnProtocol,
    bench: str,
) -> Iterator[str]:
    outcome = protocol.procedure.outcome
    yield protocol.procedure.aim.format(bench=f"{{{bench}}}")
    yield protocol.text
    yield f"Tell {outcome.asks}: SUBMIT {outcome.name}=NUMBER."
    yield "Nothing else, and nothing more often than it is told."
    for supply, _, _ in placed if level.told else ():
        yield f"The {{{supply.id}}} is in the {{{draft.room_of(supply.id)}}}."
    if placed and not level.told:
        yield "What it takes and is not at the bench is somewhere else."
    if pipettes is not None:
        yield f"The bench is worked with the {{{pipettes}}} in hand."


# -- the walkthrough -------------------------------------------------------------------------------


def _walkthrough(
    draft: SceneDraft,
    bench: str,
    placed: Sequence[_Placed],
    pipettes: str | None,
    instruments: Sequence[str],
    protocol: DrawnProtocol,
) -> list[str]:
    outing, opened = Outing(draft), set[str]()
    for supply, box, _ in placed:
        outing.to(box or supply.id)
        if box is not None and box not in opened:
            outing.say(f"OPEN {box}")
            opened.add(box)
        outing.say(f"GRAB {supply.id}")
        outing.put_on(supply.id, bench)
    if pipettes is not None:
        outing.fetch(pipettes)
    for instrument in instruments:
        outing.to(instrument, draft.room_of(bench))
        outing.say(f"TURN_ON {instrument}")
    outing.to(bench)
    cold = [each.supply.id for each in placed if each.is_cold]
    if cold:  # all thaw alike, and the last one left the freezer last
        outing.say(f"WAIT UNTIL {cold[-1]} is_thawed")
    for step in protocol.steps:
        outing.say(_command(bench, step), *[f"WAIT UNTIL {bench} done"] * _waits(step))
    outing.say(f"READ {bench}")
    outing.say(f"SUBMIT {protocol.procedure.outcome.name}={format_number(protocol.answer)}")
    return outing.commands


def _command(bench: str, drawn: DrawnStep) -> str:
    named = [f"{name}={format_number(value)}" for name, value in drawn.values.items()]
    return " ".join(("RUN", bench, drawn.step.action, *named))


def _waits(drawn: DrawnStep) -> int:
    """How often one waits for the end of a step; a wait has a greatest length."""
    step = drawn.step
    if not isinstance(step.seconds, str):
        return 1
    unit = next(each.unit for each in step.parameters if each.name == step.seconds)
    found = converted(UnitAmount(drawn.values[step.seconds], unit), "s")
    assert found is not None, "it is a time"
    return max(1, math.ceil(found / _LONGEST_WAIT_S))
