"""Family `flow`: a pump fills one of several tanks up to a line, and is switched off in time."""

from __future__ import annotations

from random import Random

from earsim_generators.families.draft import Fields, SceneDraft
from earsim_generators.families.outing import Outing

_PLACES = {
    "Pump house": "Tool bench",
    "Glasshouse": "Potting table",
    "Yard": "Stone slab",
    "Tank hall": "Steel table",
    "Shed": "Shelf",
    "Office": "Desk",
}
_WIDTH = {"easy": 0.2, "medium": 0.12, "hard": 0.07}
"""Width of the range that the content must end in, as a share of the capacity."""


def flow(rng: Random, difficulty: str) -> Fields:
    """Fill the tank that a word picks to a range, without running over, and end with the pump off.

    V = V0 + q t: the range is reached long after the walk, and left again before the tank is full.
    """
    draft = SceneDraft(rng, difficulty, "farm", _PLACES)
    hall, start = rng.choice(draft.rooms), rng.choice(draft.rooms)
    well = draft.furniture(
        "Well", hall, mass_kg=800.0, size=(1.2, 1.2, 0.8), source="water", temperature_c=11.0
    )
    sizes = sorted(rng.sample(range(20, 90), 3))
    order = rng.sample(range(3), 3)
    lpm = float(rng.choice((15, 20, 30, 40)))
    pumps: list[str] = []
    tanks: list[str] = []
    contents: list[float] = []
    for rank in order:
        capacity, begun = sizes[rank] * 10.0, rng.uniform(0.1, 0.3)
        contents.append(round(capacity * begun))
        tanks.append(
            draft.furniture(
                "Water tank",
                rng.choice(draft.rooms),
                mass_kg=60.0 + capacity / 10,
                size=_cylinder(capacity),
                container={"capacity_l": capacity},
                liquids={"water": contents[-1]},
            )
        )
        process = {"flow": {"from": well, "to": tanks[-1], "lpm": lpm, "while": {"is_on": True}}}
        pumps.append(
            draft.furniture(
                f"Pump {'ABC'[len(pumps)]}",
                draft.room_of(tanks[-1]),
                mass_kg=40.0,
                size=(0.6, 0.4, 0.5),
                states={"is_on": False},
                processes=[process],
            )
        )
    wanted = rng.choice((0, 2))
    index = order.index(wanted)
    capacity = sizes[wanted] * 10.0
    low = round(capacity * rng.uniform(0.5, 0.7) / 5) * 5
    high = low + max(10, round(capacity * _WIDTH[difficulty] / 5) * 5)
    walk = Outing(draft, start)
    walk.to(pumps[index])
    walk.say(f"TURN_ON {pumps[index]}")
    walk.wait(((low + high) / 2 - contents[index]) / lpm * 60 - 3)
    walk.say(f"TURN_OFF {pumps[index]}")
    largest = "largest" if wanted == 2 else "smallest"
    task = {
        "id": "fill",
        "category": "attribute_reasoning",
        "agents": [{"id": "kofi", "name": "Kofi", "in": start, "max_mass_kg": 25.0, "hands": 2}],
        "select": {"tank": {largest: "capacity_l", "among": {"name": "Water tank"}}},
        "goal": {
            "all": [
                {
                    "quantity": {
                        "object": "$tank",
                        "of": "content_l",
                        "at_least": low,
                        "at_most": high,
                    }
                },
                *({"has_state": {"object": p, "state": "is_on", "equals": False}} for p in pumps),
                {
                    "never": {
                        "quantity": {"object": "$tank", "of": "content_l", "at_least": capacity}
                    }
                },
            ]
        },
        "instruction": (
            f"Within {{deadline}}, pump water into the {{tank}} until it holds between {low} and "
            f"{high} litres. It must not run over, and every pump is off in the end. "
            f"A pump gives {lpm:g} litres a minute."
        ),
    }
    return draft.document(task, walk.commands, title="Water tanks")


def _cylinder(litres: float) -> tuple[float, float, float]:
    """Outer size of an upright tank."""
    width = round((litres / 1000) ** (1 / 3) * 1.05 + 0.05, 2)
    return (width, width, round(litres / 1000 / (width - 0.05) ** 2 * 1.3 + 0.05, 2))
