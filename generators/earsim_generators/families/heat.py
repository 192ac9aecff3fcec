"""Family `heat`: a thing is warmed or cooled to a range, and is where it belongs in time."""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

from earsim.dynamics import Constant, one_body
from earsim.dynamics.constants import FILM_WPM2K, SPECIFIC_HEAT_JPKGK
from earsim_generators.families.draft import Fields, SceneDraft
from earsim_generators.families.lookalikes import Pick, pick_of
from earsim_generators.families.outing import Outing

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


class _Body(NamedTuple):
    """Heat capacity in J/K and conductance to air in W/K."""

    capacity_jpk: float
    loss_wpk: float

    def time_to(self, start: float, goal: float, ambient: float, power_w: float = 0.0) -> float:
        """Seconds until it comes to a temperature; infinite if it does not."""
        air = [(self.loss_wpk, Constant(ambient))]
        law = one_body(start, self.capacity_jpk, air, power_w)
        found = law.crosses(goal, rising=goal > start)
        return math.inf if found is None else found

    def before(self, goal: float, ambient: float, seconds: float) -> float:
        """The temperature from which it comes to a goal in so many seconds without power."""
        return ambient + (goal - ambient) * math.exp(self.loss_wpk / self.capacity_jpk * seconds)


def heat(rng: Random, difficulty: str) -> Fields:
    """Warm one of three lookalikes on a plate, or cool it in a cold room, and bring it to a table.

    T = Te + (T0 - Te) exp(-t G/C): how long that takes depends on which of them it is, and the
    range is left again, on the plate or in the cold.
    """
    return _warm(rng, difficulty) if rng.random() < 0.5 else _cool(rng, difficulty)


def _warm(rng: Random, difficulty: str) -> Fields:
    draft = SceneDraft(rng, difficulty, "home", _PLACES)
    plate_room = rng.choice(draft.rooms)
    power_w = float(rng.randrange(500, 1501, 100))
    plate = draft.furniture(
        "Hot plate",
        plate_room,
        mass_kg=4.0,
        size=(0.5, 0.5, 0.15),
        states={"is_on": False},
        processes=[{"heats": {"power_w": power_w, "to": "on", "while": {"is_on": True}}}],
    )
    ware = rng.choice(_HEATED)
    pick, bodies = _wares(draft, ware, {room: draft.ambient_c[room] for room in draft.rooms})
    target, body = pick.target, bodies[pick.target]
    goal_room = draft.other_room(plate_room)
    outing = Outing(draft)
    outing.fetch(target)
    outing.put_on(target, plate)
    outing.say(f"TURN_ON {plate}")
    ambient = draft.ambient_c[plate_room]
    wanted = float(rng.randrange(70, 161, 5))
    rest = 10.0 * len(draft.way(plate_room, goal_room)) + 2 * _TURN_S
    hot = body.before(wanted, draft.ambient_c[goal_room], rest)
    begun = draft.ambient_c[draft.room_of(target)]
    outing.wait(body.time_to(begun, hot, ambient, power_w) - _TURN_S)
    outing.say(f"TURN_OFF {plate}", f"GRAB {target}")
    outing.put_on(target, draft.table(goal_room))
    half = _HALF_WIDTH_K[difficulty] * 1.5
    return draft.document(
        _task(draft, pick, goal_room, (wanted - half, wanted + half), plate),
        outing.commands,
        title="Warm to a range",
    )


def _cool(rng: Random, difficulty: str) -> Fields:
    draft = SceneDraft(rng, difficulty, "home", _PLACES)
    cold_room = rng.choice(draft.rooms)
    cold_c = draft.ambient_c[cold_room] = float(rng.randint(-6, 1))
    warm_c = float(rng.randint(30, 60))
    warm = [room for room in draft.rooms if room != cold_room]
    pick, bodies = _wares(draft, rng.choice(_COOLED), dict.fromkeys(warm, warm_c))
    target, body = pick.target, bodies[pick.target]
    goal_room = rng.choice(warm)
    # Colder than any other room, so that nothing but the cold room will do.
    wanted = cold_c + rng.randint(6, 8)
    outing = Outing(draft)
    outing.fetch(target)
    outing.put_on(target, draft.table(cold_room))
    rest = 10.0 * len(draft.way(cold_room, goal_room)) + 2 * _TURN_S
    aim = body.before(wanted, draft.ambient_c[goal_room], rest)
    outing.wait(body.time_to(warm_c, aim, cold_c) - 2 * _TURN_S)
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
) -> tuple[Pick, dict[str, _Body]]:
    """Three lookalikes in the rooms that have a temperature for them, and which one is meant."""
    rng = draft.rng
    bodies: dict[str, _Body] = {}
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
        bodies[thing] = _Body(capacity, area_m2 * FILM_WPM2K["air"])
        sizes[thing] = float(millimetres)
    return pick_of(rng, ware.name, ware.number, sizes), bodies


def _task(
    draft: SceneDraft, pick: Pick, room: str, span: tuple[float, float], plate: str | None
) -> Fields:
    table = draft.table(room)
    low, high = (round(bound) for bound in span)
    goal: list[Fields] = [
        {"at": {"object": pick.ref, "on": table}},
        {"quantity": {"object": pick.ref, "of": "temperature_c", "at_least": low, "at_most": high}},
    ]
    change = "Cool {thing} down"
    off = ""
    if plate is not None:
        goal.append({"has_state": {"object": plate, "state": "is_on", "equals": False}})
        change, off = f"Warm {{thing}} on the {{{plate}}}", ", with the plate turned off"
    said = change.replace("{thing}", f"the {{{pick.name}}}")
    return {
        "id": "warm" if plate else "cool",
        "category": "attribute_reasoning",
        "select": pick.select,
        "goal": {"all": goal},
        "instruction": (
            f"{said} and bring it to the {{{table}}} in the {{{room}}}. Within {{deadline}} it has "
            f"to be there at between {low} and {high} degrees{off}."
        ),
    }
