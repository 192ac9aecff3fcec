"""Family `drying`: a wet thing dries in the air to a range of moisture, and is covered again."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from earsim.dynamics import drying as drying_law
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields
from earsim_generators.families.errands import draft_with_errands
from earsim_generators.families.lookalikes import is_off, pick_of, task_about
from earsim_generators.families.outing import Outing

_PLACES = {
    "Studio": "Ware board",
    "Glaze room": "Glazing table",
    "Drying loft": "Drying rack",
    "Shop": "Counter",
    "Kiln room": "Kiln shelf",
    "Yard": "Stone slab",
    "Office": "Desk",
}
_WIDTH = {"easy": 0.04, "medium": 0.025, "hard": 0.015}
"""Width of the range, in kg of water per kg of dry matter."""

_TURN_S = 5.0


class _Wet(NamedTuple):
    """Things of one name; a millimetre of thickness makes them dry more slowly."""

    name: str
    moisture: float
    critical: float
    equilibrium: float
    size_m: float


_WET = (
    _Wet("Floor tile", 0.26, 0.2, 0.02, 0.2),
    _Wet("Roof tile", 0.24, 0.19, 0.02, 0.3),
    _Wet("Clay slab", 0.28, 0.2, 0.03, 0.25),
    _Wet("Plaster panel", 0.3, 0.18, 0.01, 0.28),
)


def drying(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Uncover one of three lookalikes until its moisture is in a range, and cover it again.

    X falls steadily down to the critical moisture, then ever more slowly. The others stay covered.
    """
    draft = draft_with_errands(rng, difficulty, "pottery", _PLACES, errands)
    wet = rng.choice(_WET)
    thicknesses: dict[str, float] = {}
    rates: dict[str, float] = {}
    begun: dict[str, float] = {}
    for thickness_mm in rng.sample(range(10, 31, 4), 3):
        rate_ph = round(3.0 / thickness_mm, 3)
        moisture = round(wet.moisture + rng.uniform(-0.01, 0.02), 3)
        law = {"critical_ratio": wet.critical, "equilibrium_ratio": wet.equilibrium}
        thing = draft.item(
            wet.name,
            mass_kg=round(wet.size_m**2 * thickness_mm * 1.9, 2),
            size=(wet.size_m, wet.size_m, thickness_mm / 1000),
            on=draft.table(rng.choice(draft.rooms)),
            thickness_mm=float(thickness_mm),
            moisture_ratio=moisture,
            states={"is_covered": True},
            processes=[{"drying": {**law, "rate_ph": rate_ph, "while": {"is_covered": False}}}],
        )
        thicknesses[thing], rates[thing], begun[thing] = float(thickness_mm), rate_ph, moisture
    pick = pick_of(rng, wet.name, "thickness_mm", thicknesses)
    target = pick.target
    high = round(rng.uniform(0.1, 0.17), 3)
    low = round(high - _WIDTH[difficulty], 3)
    law_of = drying_law(
        begun[target],
        critical=wet.critical,
        equilibrium=wet.equilibrium,
        rate=rates[target] / 3600,
    )
    seconds = law_of.crosses((low + high) / 2, rising=False)
    assert seconds is not None, "it dries beyond the range"
    room = draft.other_room(draft.room_of(target))
    table = draft.table(room)
    outing = Outing(draft)
    outing.to(target)
    outing.say(f"UNCOVER {target}")
    outing.wait(seconds - _TURN_S)
    outing.say(f"COVER {target}", f"GRAB {target}")
    outing.put_on(target, table)
    rest = [node for node in thicknesses if node != target]
    goal: list[Fields] = [
        {
            "quantity": {
                "object": pick.ref,
                "of": "moisture_ratio",
                "at_least": low,
                "at_most": high,
            }
        },
        {"has_state": {"object": pick.ref, "state": "is_covered"}},
        {"at": {"object": pick.ref, "on": table}},
        *({"never": is_off(node, "is_covered")} for node in rest),
    ]
    said = (
        f"Dry the {{{pick.name}}} to a moisture between {low:g} and {high:g}: it dries while it is "
        f"uncovered. Within {{deadline}} it is covered again and on the {{{table}}} in the "
        f"{{{room}}}. Others of that name are never uncovered."
    )
    return draft.document(task_about(pick, "dry", goal, said), outing.commands, title="Wet clay")
