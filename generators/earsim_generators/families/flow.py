"""Family `flow`: a tank is filled by a pump, or let down by its own weight, to a range."""

from __future__ import annotations

import math
from random import Random

from earsim.dynamics import Gravity, outflow, steady
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields
from earsim_generators.families.errands import draft_with_errands
from earsim_generators.families.lookalikes import in_range, is_off, pick_of, task_about
from earsim_generators.families.outing import Outing
from earsim_generators.families.tanks import (
    Tank,
    add_tank,
    cylinder,
    places_of_tanks,
    range_of,
    turn,
)

_PLACES = {
    "Pump house": "Tool bench",
    "Glasshouse": "Potting table",
    "Yard": "Stone slab",
    "Tank hall": "Steel table",
    "Shed": "Workbench",
    "Farm office": "Desk",
    "Wash house": "Laundry table",
}


def flow(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Fill one of three tanks without running over, or let one down, and end with all shut.

    Where it is not easy, one pump fills what its hose leads to, and the hose has to be found.

    A pump: V = V0 + q t. An outlet: sqrt V = sqrt V0 - k t/2, which takes the longer the less is
    left. The range is reached long after the walk and left again.
    """
    if difficulty != "easy" and rng.random() < 0.5:
        return _fill_by_hose(rng, difficulty, errands)
    draw = _fill if rng.random() < 0.5 else _let_down
    return draw(rng, difficulty, errands)


def _fill(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "farm", _PLACES, errands)
    # In a hard scene the pumps are where nobody sees the tanks.
    together = draft.rooms[0] if difficulty == "hard" else None
    lpm = float(rng.choice((15, 20, 30, 40)))
    well = draft.furniture(
        "Well", draft.rooms[0], mass_kg=800.0, size=(1.2, 1.2, 0.8), source="water"
    )
    tanks = []
    for room, capacity in places_of_tanks(draft, together):
        begun = float(round(capacity * rng.uniform(0.1, 0.3)))
        tank = add_tank(draft, room, capacity, begun)
        process = {"flow": {"from": well, "to": tank, "lpm": lpm, "while": {"is_on": True}}}
        pump = draft.furniture(
            f"Pump for the {draft.room_name(room).lower()}",
            together or room,
            mass_kg=40.0,
            size=(0.6, 0.4, 0.5),
            states={"is_on": False},
            processes=[process],
        )
        tanks.append(Tank(tank, pump, capacity, begun))
    pick = pick_of(rng, "Water tank", "capacity_l", {t.node: t.capacity_l for t in tanks})
    meant = next(each for each in tanks if each.node == pick.target)
    low, high = range_of(draft, meant.capacity_l, rng.uniform(0.5, 0.7))
    law = steady(meant.begun_l, lpm / 60, meant.capacity_l)
    outing = Outing(draft)
    outing.to_room(draft.room_of(meant.node))
    turn(outing, meant.control, ("TURN_ON", "TURN_OFF"), law.crosses((low + high) / 2, rising=True))
    goal: list[Fields] = [
        in_range(pick, "content_l", low, high),
        {
            "never": {
                "quantity": {"object": pick.ref, "of": "content_l", "at_least": meant.capacity_l}
            }
        },
        *(is_off(t.control) for t in tanks),
    ]
    said = (
        f"Within {{deadline}}, pump water into the {{{pick.name}}} until it holds between {low} "
        f"and {high} litres. It must not run over, and every pump is off in the end. "
        "Each pump fills the tank in the room that it is named after, with "
        f"{lpm:g} litres a minute."
    )
    return draft.document(
        task_about(pick, "fill", goal, said), outing.commands, title="Water tanks"
    )


def _fill_by_hose(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "farm", _PLACES, errands)
    room = rng.choice(draft.rooms)
    lpm = float(rng.choice((15, 20, 30, 40)))
    well = draft.furniture("Well", room, mass_kg=800.0, size=(1.2, 1.2, 0.8), source="water")
    pump = draft.furniture(
        "Well pump",
        room,
        mass_kg=40.0,
        size=(0.6, 0.4, 0.5),
        fittings={"hose": 1},
        states={"is_on": False},
        processes=[{"flow": {"from": well, "lpm": lpm, "while": {"is_on": True}}}],
    )
    hose = draft.item(
        "Hose",
        mass_kg=2.4,
        size=(0.5, 0.5, 0.2),
        on=draft.table(draft.other_room(room)),
        fittings={"hose": 2},
    )
    tanks = []
    for capacity in map(float, rng.sample(range(200, 900, 50), 3)):
        begun = float(round(capacity * rng.uniform(0.1, 0.3)))
        tank = add_tank(draft, room, capacity, begun, fittings={"hose": 1})
        tanks.append(Tank(tank, pump, capacity, begun))
    pick = pick_of(rng, "Water tank", "capacity_l", {t.node: t.capacity_l for t in tanks})
    meant = next(each for each in tanks if each.node == pick.target)
    low, high = range_of(draft, meant.capacity_l, rng.uniform(0.5, 0.7))
    law = steady(meant.begun_l, lpm / 60, meant.capacity_l)
    outing = Outing(draft)
    outing.fetch(hose)
    outing.to(pump)
    outing.say(f"CONNECT {hose} {pump}")
    outing.to(meant.node)
    outing.say(f"CONNECT {hose} {meant.node}", f"RELEASE {hose}")
    turn(outing, pump, ("TURN_ON", "TURN_OFF"), law.crosses((low + high) / 2, rising=True))
    others = [each for each in tanks if each.node != meant.node]
    goal: list[Fields] = [
        in_range(pick, "content_l", low, high),
        is_off(pump),
        *(
            {"quantity": {"object": t.node, "of": "content_l", "at_most": t.begun_l + 1}}
            for t in others
        ),
    ]
    said = (
        f"Within {{deadline}}, pump water into the {{{pick.name}}} until it holds between {low} "
        f"and {high} litres, and nothing into the others; in the end the {{{pump}}} is off. "
        f"It gives {lpm:g} litres a minute to what its hose leads to, and the hose lies about "
        "somewhere."
    )
    return draft.document(
        task_about(pick, "fill", goal, said), outing.commands, title="Water tanks"
    )


def _let_down(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "farm", _PLACES, errands)
    tanks = []
    ks: dict[str, float] = {}
    for room, capacity in places_of_tanks(draft, None):
        begun = float(round(capacity * rng.uniform(0.8, 0.95)))
        tank = add_tank(draft, room, capacity, begun)
        drain = draft.furniture("Drain", room, mass_kg=20.0, size=(0.4, 0.4, 0.1), drains=True)
        hole_m2 = rng.choice((0.0001, 0.0002, 0.0003))
        area_m2 = round(cylinder(capacity)[0] ** 2 * 0.7, 2)
        hole: Fields = {"from": tank, "to": drain, "hole_m2": hole_m2, "area_m2": area_m2}
        valve = draft.furniture(
            f"Outlet valve in the {draft.room_name(room).lower()}",
            room,
            mass_kg=3.0,
            size=(0.2, 0.15, 0.2),
            states={"is_open": False},
            processes=[{"flow": {**hole, "while": {"is_open": True}}}],
        )
        tanks.append(Tank(tank, valve, capacity, begun))
        # V = A h in litres: the same law with k sqrt(1000 A).
        ks[tank] = outflow(hole_m2, area_m2) * math.sqrt(1000 * area_m2)
    pick = pick_of(rng, "Water tank", "capacity_l", {t.node: t.capacity_l for t in tanks})
    meant = next(each for each in tanks if each.node == pick.target)
    low, high = range_of(draft, meant.capacity_l, rng.uniform(0.2, 0.4))
    law = Gravity(meant.begun_l, ks[meant.node])
    outing = Outing(draft)
    turn(outing, meant.control, ("OPEN", "CLOSE"), law.crosses((low + high) / 2, rising=False))
    goal: list[Fields] = [
        in_range(pick, "content_l", low, high),
        *(is_off(t.control, "is_open") for t in tanks),
    ]
    said = (
        f"Let the {{{pick.name}}} down until it holds between {low} and {high} litres, and shut "
        "its outlet valve again, within {deadline}. The outlet runs more slowly as the level "
        "falls, and every valve is shut in the end."
    )
    return draft.document(
        task_about(pick, "let_down", goal, said), outing.commands, title="Water tanks"
    )
