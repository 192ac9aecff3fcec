"""Family `charge`: a battery is charged to a range at a socket that something else needs too."""

from __future__ import annotations

from random import Random

from earsim.dynamics import steady
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields
from earsim_generators.families.errands import draft_with_errands
from earsim_generators.families.lookalikes import pick_of, task_about
from earsim_generators.families.outing import Outing

_PLACES = {
    "Workshop": "Workbench",
    "Site office": "Desk",
    "Garage": "Tool cabinet",
    "Garden shed": "Potting bench",
    "Hall": "Side table",
    "Boiler room": "Steel table",
    "Store room": "Packing table",
}
_WIDTH = {"easy": 15, "medium": 10, "hard": 6}
"""Percent between the least and the most that is allowed."""

_NAMES = ("Battery pack", "Hand lamp", "Two-way radio", "Cordless vacuum")
_TURN_S = 5.0


def charge(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Charge one of three lookalikes to a range and bring it to a table, unplugged.

    c = c0 + r t up to 100 %. The one socket is for something else in the end, and batteries of
    another capacity charge at another rate.
    """
    draft = draft_with_errands(rng, difficulty, "workshop", _PLACES, errands)
    room = rng.choice(draft.rooms)
    name = rng.choice(_NAMES)
    mains: Fields = {"fittings": {"mains": 1}}
    bench = draft.table(room)
    socket = draft.item(
        "Socket block", mass_kg=0.4, size=(0.2, 0.1, 0.1), on=bench, supplies=["mains"], **mains
    )
    other = draft.item(
        rng.choice(("Fan heater", "Soldering station", "Desk lamp")),
        mass_kg=2.5,
        size=(0.25, 0.2, 0.3),
        on=bench,
        states={"is_plugged_in": False},
        **mains,
    )
    capacities: dict[str, float] = {}
    begun: dict[str, float] = {}
    rates: dict[str, float] = {}
    for capacity_wh in rng.sample(range(20, 121, 10), 3):
        charge_percent = float(rng.randint(4, 30))
        percent_ph = float(round(6000 / capacity_wh))  # a charger of 60 W
        thing = draft.item(
            name,
            mass_kg=round(0.4 + capacity_wh / 120, 2),
            size=(0.22, 0.12, 0.1),
            on=draft.table(rng.choice(draft.rooms)),
            capacity_wh=float(capacity_wh),
            charge_percent=charge_percent,
            states={"is_plugged_in": False},
            processes=[{"charge": {"percent_ph": percent_ph, "while": {"is_plugged_in": True}}}],
            **mains,
        )
        capacities[thing], begun[thing] = float(capacity_wh), charge_percent
        rates[thing] = percent_ph
    pick = pick_of(rng, name, "capacity_wh", capacities)
    target = pick.target
    low = rng.randrange(45, 81, 5)
    high = low + _WIDTH[difficulty]
    law = steady(begun[target], rates[target] / 3600, 100.0)
    seconds = law.crosses((low + high) / 2, rising=True)
    assert seconds is not None, "a battery comes to less than 100 %"
    goal_room = draft.other_room(room)
    table = draft.table(goal_room)
    outing = Outing(draft)
    outing.fetch(target)
    outing.to(bench)
    outing.say(f"CONNECT {target} {socket}")
    outing.wait(seconds - _TURN_S)
    outing.say(f"DISCONNECT {target} {socket}")
    outing.say(f"CONNECT {other} {socket}")
    outing.put_on(target, table)
    goal: list[Fields] = [
        {"at": {"object": pick.ref, "on": table}},
        {
            "quantity": {
                "object": pick.ref,
                "of": "charge_percent",
                "at_least": low,
                "at_most": high,
            }
        },
        {"has_state": {"object": pick.ref, "state": "is_plugged_in", "equals": False}},
        {"has_state": {"object": other, "state": "is_plugged_in"}},
    ]
    said = (
        f"Within {{deadline}}, charge the {{{pick.name}}} to between {low} and {high} percent "
        f"and put it on the {{{table}}} in the {{{goal_room}}}. There is one socket, and "
        f"in the end the {{{other}}} is plugged in there."
    )
    return draft.document(
        task_about(pick, "charge", goal, said), outing.commands, title="One socket"
    )
