"""Family `heat`: a thing is warmed or cooled to a range, and is where it belongs in time."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from earsim.dynamics.constants import FILM_WPM2K, SPECIFIC_HEAT_JPKGK
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields, SceneDraft
from earsim_generators.families.errands import draft_with_errands
from earsim_generators.families.lookalikes import (
    LookalikePick,
    in_range,
    is_off,
    pick_of,
    task_about,
)
from earsim_generators.families.outing import Outing
from earsim_generators.families.plates import BodyInAir, hot_plate

_PLACES = {
    "Kitchen": "Worktop",
    "Bakery": "Kneading table",
    "Workshop": "Workbench",
    "Dining room": "Dining table",
    "Pantry": "Pantry shelf",
    "Laundry": "Folding table",
    "Hall": "Side table",
}
_HALF_WIDTH_K = {"easy": 8.0, "medium": 6.0, "hard": 4.0}
_TURN_S = 5.0
"""What a command takes that turns something on or grabs something."""


class _Ware(NamedTuple):
    """Things of one name and material; they differ by a number that does not move."""

    name: str
    material: str
    number: str
    kg_per_mm: float


_HEATED = (
    _Ware("Baking stone", "stone", "diameter_mm", 0.01),
    _Ware("Casting mould", "steel", "diameter_mm", 0.012),
    _Ware("Iron pan", "iron", "diameter_mm", 0.008),
)
_COOLED = (
    _Ware("Steel bowl", "steel", "diameter_mm", 0.01),
    _Ware("Marble slab", "stone", "diameter_mm", 0.01),
    _Ware("Copper tin", "copper", "diameter_mm", 0.009),
)


def heat(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Warm one of three lookalikes on a plate, or cool it in a cold room, and bring it to a table.

    T = Te + (T0 - Te) exp(-t G/C): how long that takes depends on which of them it is, and the
    range is left again, on the plate or in the cold.
    """
    draw = _warm if rng.random() < 0.5 else _cool
    return draw(rng, difficulty, errands)


def _warm(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "home", _PLACES, errands)
    plate_room = rng.choice(draft.rooms)
    plate, power_w = hot_plate(draft, plate_room)
    ware = rng.choice(_HEATED)
    pick, bodies = _wares(draft, ware, {room: draft.ambient_c[room] for room in draft.rooms})
    target = pick.target
    goal_room = draft.other_room(plate_room)
    outing = Outing(draft)
    outing.fetch(target)
    outing.put_on(target, plate)
    outing.say(f"TURN_ON {plate}")
    wanted = float(rng.randrange(70, 161, 5))
    rest = 10.0 * len(draft.way(plate_room, goal_room)) + 2 * _TURN_S
    body = bodies[target]._replace(ambient_c=draft.ambient_c[plate_room])
    hot_c = body._replace(ambient_c=draft.ambient_c[goal_room]).before(wanted, rest)
    outing.wait(body.time_to(hot_c, power_w) - _TURN_S)
    outing.say(f"TURN_OFF {plate}", f"GRAB {target}")
    outing.put_on(target, draft.table(goal_room))
    half = _HALF_WIDTH_K[difficulty] * 1.5
    return draft.document(
        _task(draft, pick, goal_room, (wanted - half, wanted + half), plate),
        outing.commands,
        title="Warm to a range",
    )


def _cool(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "home", _PLACES, errands)
    cold_room = rng.choice(draft.rooms)
    cold_c = draft.ambient_c[cold_room] = float(rng.randint(-6, 1))
    warm_c = float(rng.randint(30, 60))
    warm = [room for room in draft.rooms if room != cold_room]
    pick, bodies = _wares(draft, rng.choice(_COOLED), dict.fromkeys(warm, warm_c))
    target = pick.target
    goal_room = rng.choice(warm)
    # Colder than any other room, so that nothing but the cold room will do.
    wanted = cold_c + rng.randint(6, 8)
    outing = Outing(draft)
    outing.fetch(target)
    outing.put_on(target, draft.table(cold_room))
    rest = 10.0 * len(draft.way(cold_room, goal_room)) + 2 * _TURN_S
    body = bodies[target]._replace(ambient_c=cold_c)
    aim_c = body._replace(ambient_c=draft.ambient_c[goal_room]).before(wanted, rest)
    outing.wait(body.time_to(aim_c) - 2 * _TURN_S)
    outing.say(f"GRAB {target}")
    outing.put_on(target, draft.table(goal_room))
    half = _HALF_WIDTH_K[difficulty] / 2
    return draft.document(
        _task(draft, pick, goal_room, (wanted - half, wanted + half), None),
        outing.commands,
        title="Cool to a range",
    )


def _wares(
    draft: SceneDraft, ware: _Ware, begun_c: dict[str, float]
) -> tuple[LookalikePick, dict[str, BodyInAir]]:
    """Three lookalikes in the rooms that have a temperature for them, and which one is meant."""
    rng = draft.rng
    bodies: dict[str, BodyInAir] = {}
    sizes: dict[str, float] = {}
    for millimetres in rng.sample(range(160, 361, 20), 3):
        room = rng.choice(sorted(begun_c))
        mass_kg = round(millimetres * ware.kg_per_mm, 2)
        area_m2 = round(0.02 + (millimetres / 1000) ** 2, 3)
        thing = draft.item(
            ware.name,
            mass_kg=mass_kg,
            size=(millimetres / 1000, millimetres / 1000, 0.08),
            on=draft.table(room),
            temperature_c=begun_c[room],
            **{ware.number: float(millimetres)},
            processes=[{"heat": {"material": ware.material, "area_m2": area_m2}}],
        )
        capacity = mass_kg * SPECIFIC_HEAT_JPKGK[ware.material]
        loss = area_m2 * FILM_WPM2K["air"]
        bodies[thing] = BodyInAir(begun_c[room], capacity, loss, begun_c[room])
        sizes[thing] = float(millimetres)
    return pick_of(rng, ware.name, ware.number, sizes), bodies


def _task(
    draft: SceneDraft, pick: LookalikePick, room: str, span: tuple[float, float], plate: str | None
) -> Fields:
    table = draft.table(room)
    low, high = (round(bound) for bound in span)
    goal: list[Fields] = [
        {"at": {"object": pick.ref, "on": table}},
        in_range(pick, "temperature_c", low, high),
    ]
    change = f"Cool the {{{pick.name}}}"
    off = ""
    if plate is not None:
        goal.append(is_off(plate))
        change, off = f"Warm the {{{pick.name}}} on the {{{plate}}}", ", with the plate turned off"
    said = (
        f"{change} and bring it to the {{{table}}} in the {{{room}}}. Within {{deadline}} it has "
        f"to be there at between {low} and {high} degrees{off}."
    )
    return task_about(pick, "warm" if plate else "cool", goal, said)
