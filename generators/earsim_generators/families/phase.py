"""Family `phase`: a block is melted as far as is asked, or a pot boiled down, and no further."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from earsim.dynamics.constants import FILM_WPM2K, SPECIFIC_HEAT_JPKGK
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields
from earsim_generators.families.errands import draft_with_errands
from earsim_generators.families.lookalikes import in_range, is_off, pick_of, task_about
from earsim_generators.families.outing import Outing
from earsim_generators.families.plates import BodyInAir, hot_plate, seconds_on

_PLACES = {
    "Kitchen": "Worktop",
    "Candle shop": "Counter",
    "Studio": "Drawing table",
    "Foundry": "Casting table",
    "Cellar": "Cellar shelf",
    "Store room": "Packing table",
    "Laboratory": "Lab bench",
}
_WIDTH = {"easy": 24, "medium": 16, "hard": 10}
"""Percent that may be melted more than the least."""

_TURN_S = 5.0
_VAPOUR_JPKG = 2.257e6


class _Stuff(NamedTuple):
    """What blocks are made of: a handbook's melting points, estimates of latent heats."""

    name: str
    material: str
    at_c: float
    latent_jpkg: float


_MELTING = (
    _Stuff("Block of candle wax", "wax", 58.0, 200_000.0),
    _Stuff("Block of ice", "ice", 0.0, 334_000.0),
    _Stuff("Block of cooking fat", "oil", 42.0, 130_000.0),
)


def phase(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Melt a part of one of three lookalikes, or boil a part of a pot away, and stop in time.

    While it melts or boils the temperature stays: what shows how far it has come is a share that
    grows, and the heat that takes depends on the mass.
    """
    draw = _melt if rng.random() < 0.6 else _boil_down
    return draw(rng, difficulty, errands)


def _melt(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "workshop", _PLACES, errands)
    room = rng.choice(draft.rooms)
    stuff = rng.choice(_MELTING)
    plate, power_w = hot_plate(draft, room)
    cold = stuff.at_c <= 0
    begun_c = -12.0 if cold else None
    values: dict[str, float] = {}
    shares: dict[str, tuple[float, float]] = {}
    for length_mm in rng.sample(range(120, 321, 20), 3):
        mass_kg = round(0.006 * length_mm, 2)
        area_m2 = round(0.02 + 0.0003 * length_mm, 3)
        place = rng.choice(draft.rooms)
        latent_j = float(round(mass_kg * stuff.latent_jpkg))
        thing = draft.item(
            stuff.name,
            mass_kg=mass_kg,
            size=(length_mm / 1000, 0.1, 0.1),
            length_mm=float(length_mm),
            on=draft.table(place),
            temperature_c=begun_c if begun_c is not None else draft.ambient_c[place],
            processes=[
                {"heat": {"material": stuff.material, "area_m2": area_m2}},
                {"phase": {"at_c": stuff.at_c, "latent_j": latent_j}},
            ],
        )
        values[thing] = float(length_mm)
        shares[thing] = (mass_kg * SPECIFIC_HEAT_JPKGK[stuff.material], area_m2 * FILM_WPM2K["air"])
    pick = pick_of(rng, stuff.name, "length_mm", values)
    low = rng.randrange(30, 71, 5)
    high = low + _WIDTH[difficulty]
    capacity, loss = shares[pick.target]
    latent = round(0.006 * values[pick.target], 2) * stuff.latent_jpkg
    begun = begun_c if begun_c is not None else draft.ambient_c[draft.room_of(pick.target)]
    body = BodyInAir(begun, capacity, loss, draft.ambient_c[room])
    seconds = seconds_on(body, power_w, stuff.at_c, latent * (low + high) / 200)
    outing = Outing(draft)
    outing.fetch(pick.target)
    outing.put_on(pick.target, plate)
    outing.say(f"TURN_ON {plate}")
    outing.wait(seconds - _TURN_S)
    outing.say(f"TURN_OFF {plate}")
    goal: list[Fields] = [
        {"at": {"object": pick.ref, "on": plate}},
        {
            "quantity": {
                "object": pick.ref,
                "of": "melted_percent",
                "at_least": low,
                "at_most": high,
            }
        },
        is_off(plate),
    ]
    said = (
        f"Melt between {low} and {high} percent of the {{{pick.name}}} on the {{{plate}}}. Within "
        "{deadline} the plate is off again, and what has been melted still stands on it."
    )
    return draft.document(
        task_about(pick, "melt", goal, said), outing.commands, title="Melt in part"
    )


def _boil_down(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "home", _PLACES, errands)
    room = rng.choice(draft.rooms)
    plate, power_w = hot_plate(draft, room)
    values: dict[str, float] = {}
    laws: dict[str, tuple[float, float, float, float]] = {}
    for capacity_l in rng.sample((2.0, 2.5, 3.0, 3.5, 4.0, 4.5), 3):
        begun_l = round(capacity_l * rng.uniform(0.5, 0.7), 1)
        mass_kg = round(0.5 * capacity_l, 2)
        area_m2 = round(0.03 + 0.012 * capacity_l, 3)
        side = round((capacity_l / 700) ** (1 / 3), 2) + 0.03
        begun_c = float(rng.randint(15, 30))
        pot = draft.item(
            "Stock pot",
            mass_kg=mass_kg,
            size=(side, side, side),
            on=draft.table(rng.choice(draft.rooms)),
            temperature_c=begun_c,
            container={"capacity_l": capacity_l},
            liquids={"water": begun_l},
            processes=[
                {"heat": {"material": "steel", "area_m2": area_m2}},
                {"boils": {"substance": "water"}},
            ],
        )
        values[pot] = capacity_l
        capacity = mass_kg * SPECIFIC_HEAT_JPKGK["steel"] + begun_l * SPECIFIC_HEAT_JPKGK["water"]
        laws[pot] = (begun_l, begun_c, capacity, area_m2 * FILM_WPM2K["air"])
    pick = pick_of(rng, "Stock pot", "capacity_l", values)
    begun_l, begun_c, capacity, loss = laws[pick.target]
    width = _WIDTH[difficulty] / 100
    high = round(begun_l * rng.uniform(0.6, 0.75), 2)
    low = round(high - begun_l * width, 2)
    vapour_j = (begun_l - (low + high) / 2) * _VAPOUR_JPKG
    body = BodyInAir(begun_c, capacity, loss, draft.ambient_c[room])
    seconds = seconds_on(body, power_w, 100.0, vapour_j)
    outing = Outing(draft)
    outing.fetch(pick.target)
    outing.put_on(pick.target, plate)
    outing.say(f"TURN_ON {plate}")
    outing.wait(seconds - _TURN_S)
    outing.say(f"TURN_OFF {plate}")
    goal: list[Fields] = [
        in_range(pick, "content_l", low, high),
        {"never": {"quantity": {"object": pick.ref, "of": "content_l", "at_most": low / 2}}},
        {"quantity": {"object": pick.ref, "of": "temperature_c", "at_least": 80}},
        is_off(plate),
    ]
    said = (
        f"Boil the water in the {{{pick.name}}} down on the {{{plate}}} until between {low:g} and "
        f"{high:g} litres are left. Within {{deadline}} the plate is off again and the pot still "
        "at 80 degrees or more."
    )
    return draft.document(
        task_about(pick, "boil_down", goal, said), outing.commands, title="Boil down"
    )
