"""Family `burns`: an engine has to run for long enough on fuel that must be found and poured in."""

from __future__ import annotations

import math
from random import Random

from earsim.dynamics.constants import DENSITY_KGPL
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields, in_words
from earsim_generators.families.errands import draft_with_errands
from earsim_generators.families.lookalikes import is_off
from earsim_generators.families.outing import Outing

_PLACES = {
    "Yard": "Stone slab",
    "Barn": "Hay cart",
    "Tool shed": "Shed shelf",
    "Garage": "Tool cabinet",
    "Workshop": "Workbench",
    "Boat house": "Boat rack",
    "Cellar": "Cellar shelf",
}
_ENGINES = (
    ("Generator", "petrol", 41.0),
    ("Water pump with an engine", "petrol", 28.0),
    ("Spirit heater", "ethanol", 18.0),
    ("Diesel compressor", "diesel", 95.0),
)
_LIQUIDS = ("petrol", "diesel", "ethanol", "oil", "water")


def burns(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Run an engine without a break and leave it off with some fuel, and no other liquid, in it.

    m = m0 - r t: what is in it lasts for a part of that time. One of several cans that look alike
    holds what it burns, and it is put back.
    """
    draft = draft_with_errands(rng, difficulty, "farm", _PLACES, errands)
    engine_name, fuel, mass_kg = rng.choice(_ENGINES)
    room = rng.choice(draft.rooms)
    minutes = rng.randrange(15, 56, 5)
    kgph = rng.choice((0.6, 0.9, 1.2))
    needed_kg = kgph * minutes / 60
    begun_kg = round(needed_kg * rng.uniform(0.05, 0.4), 3)
    left_kg = round(rng.uniform(0.2, 0.6), 1)
    capacity_l = float(math.ceil((needed_kg + left_kg + 1.5) / DENSITY_KGPL[fuel] + 1))
    engine = draft.furniture(
        engine_name,
        room,
        mass_kg=mass_kg,
        size=(0.7, 0.5, 0.55),
        container={"capacity_l": capacity_l},
        liquids={fuel: begun_kg},
        states={"is_on": False},
        processes=[{"burns": {"substance": fuel, "kgph": kgph, "while": {"is_on": True}}}],
    )
    others = rng.sample([each for each in _LIQUIDS if each != fuel], 2 + (difficulty == "hard"))
    cans: dict[str, str] = {}
    for liquid in rng.sample([fuel, *others], len(others) + 1):
        held_kg = needed_kg + left_kg + rng.uniform(0.3, 1.2)
        can = draft.item(
            "Jerrycan",
            mass_kg=1.4,
            size=(0.35, 0.17, 0.3),
            on=draft.table(draft.other_room(room)),
            container={"capacity_l": 10.0},
            liquids={liquid: round(held_kg, 1)},
        )
        cans[liquid] = can
    can = cans[fuel]
    home = draft.table(draft.room_of(can))
    outing = Outing(draft)
    outing.fetch(can)
    outing.to(engine)
    outing.say(f"POUR {can} INTO {engine}")
    outing.put_on(can, home)
    outing.to(engine)
    outing.say(f"TURN_ON {engine}")
    outing.wait(60 * minutes)
    outing.say(f"TURN_OFF {engine}")
    wrong = [liquid for liquid in cans if liquid != fuel]
    runs: Fields = {"has_state": {"object": engine, "state": "is_on"}}
    goal: list[Fields] = [
        {"held_for": {"goal": runs, "seconds": 60 * minutes}},
        is_off(engine),
        {"quantity": {"object": engine, "of": f"{fuel}_kg", "at_least": left_kg}},
        {"at": {"object": can, "on": home}},
        *(
            {"never": {"quantity": {"object": engine, "of": f"{liquid}_kg", "at_least": 0.001}}}
            for liquid in wrong
        ),
    ]
    said = (
        f"The {{{engine}}} has to run for {in_words(minutes)} without a break, within "
        f"{{deadline}}. Then it is off, with at least {left_kg:g} kg of {fuel} left in it. It "
        f"burns {kgph:g} kg of {fuel} an hour and must never get anything else. The jerrycan of "
        f"{fuel} goes back to where it was."
    )
    task = {"id": "run", "category": "direct_command", "goal": {"all": goal}, "instruction": said}
    return draft.document(task, outing.commands, title="Fuel for an engine")
