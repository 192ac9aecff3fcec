"""Family `discharge`: a tool or a lamp whose energy is not enough, so that it is charged first."""

from __future__ import annotations

import math
from random import Random

from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields, SceneDraft, in_words
from earsim_generators.families.errands import draft_with_errands
from earsim_generators.families.lookalikes import is_off, pick_of, task_about
from earsim_generators.families.outing import Outing

_PLACES = {
    "Workshop": "Workbench",
    "Cellar": "Cellar shelf",
    "Yard": "Stone slab",
    "Attic": "Old table",
    "Garage": "Tool cabinet",
    "Store room": "Packing table",
    "Pump house": "Tool bench",
}
_SPARE = {"easy": 0.5, "medium": 0.3, "hard": 0.15}
"""Energy that the walkthrough has in the end, as a share of what the task takes."""

_TURN_S = 5.0


def discharge(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Have a lamp burn without a break, or drill several things, on a battery that is low.

    c = c0 - P t / E while it is on. At the start the energy lasts for a part of the task.
    """
    draw = _lamp if rng.random() < 0.5 else _drill
    return draw(rng, difficulty, errands)


def _socket(draft: SceneDraft) -> str:
    return draft.furniture(
        "Wall socket",
        draft.rng.choice(draft.rooms),
        mass_kg=0.4,
        size=(0.2, 0.1, 0.1),
        fittings={"mains": 1},
        supplies=["mains"],
    )


def _lamp(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "workshop", _PLACES, errands)
    socket = _socket(draft)
    minutes = rng.randrange(15, 41, 5)
    capacities: dict[str, float] = {}
    powers: dict[str, float] = {}
    begun: dict[str, float] = {}
    percent_ph = float(rng.choice((90, 120, 180)))
    for capacity_wh in rng.sample(range(16, 41, 4), 3):
        power_w = float(rng.choice((8, 10, 12)))
        # Enough for a fifth to a half of the time.
        needed = power_w * minutes / 60 / capacity_wh * 100
        charge = float(math.floor(needed * rng.uniform(0.2, 0.5)))
        lamp = draft.item(
            "Work lamp",
            mass_kg=round(0.6 + capacity_wh / 60, 2),
            size=(0.25, 0.12, 0.12),
            on=draft.table(rng.choice(draft.rooms)),
            capacity_wh=float(capacity_wh),
            charge_percent=charge,
            fittings={"mains": 1},
            states={"is_on": False, "is_plugged_in": False},
            processes=[
                {"discharge": {"power_w": power_w, "while": {"is_on": True}}},
                {"charge": {"percent_ph": percent_ph, "while": {"is_plugged_in": True}}},
            ],
        )
        capacities[lamp], powers[lamp], begun[lamp] = float(capacity_wh), power_w, charge
    pick = pick_of(rng, "Work lamp", "capacity_wh", capacities)
    lamp = pick.target
    room = draft.other_room(draft.room_of(socket))
    used = powers[lamp] * minutes / 60 / capacities[lamp] * 100
    charged = min(100.0, used * (1 + _SPARE[difficulty]) + 2)
    outing = Outing(draft)
    outing.fetch(lamp)
    outing.to(socket)
    outing.say(f"CONNECT {lamp} {socket}")
    outing.wait((charged - begun[lamp]) / percent_ph * 3600 - _TURN_S)
    outing.say(f"DISCONNECT {lamp} {socket}")
    outing.to_room(room)
    outing.say(f"TURN_ON {lamp}")
    outing.wait(60 * minutes)
    outing.say(f"TURN_OFF {lamp}")
    shines: list[Fields] = [
        {"inside_room": {"object": pick.ref, "room": room}},
        {"has_state": {"object": pick.ref, "state": "is_on"}},
        is_off(pick.ref, "is_plugged_in"),
    ]
    goal: list[Fields] = [
        {"held_for": {"goal": {"all": shines}, "seconds": 60 * minutes}},
        is_off(pick.ref),
    ]
    said = (
        f"Have the {{{pick.name}}} burn in the {{{room}}} for {in_words(minutes)} without a break, "
        "without a cable, and turn it off then. All that has to be over within {deadline}; its "
        f"battery is low, and there is a socket in the {{{draft.room_of(socket)}}}."
    )
    task = task_about(pick, "shine", goal, said)
    return draft.document(task, outing.commands, title="Lamps with tired batteries")


def _drill(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "workshop", _PLACES, errands)
    socket = _socket(draft)
    count = {"easy": 2, "medium": 3, "hard": 4}[difficulty]
    boards = [
        draft.item(
            f"{wood} board",
            mass_kg=round(rng.uniform(3, 9), 1),
            size=(1.4, 0.2, 0.03),
            on=draft.table(rng.choice(draft.rooms)),
            states={"is_drilled": False},
        )
        for wood in rng.sample(("Ash", "Beech", "Birch", "Cherry", "Larch", "Oak", "Pine"), count)
    ]
    capacity_wh = float(rng.choice((30, 36, 40)))
    power_w = float(rng.choice((320, 360, 400)))
    percent_ph = float(rng.choice((100, 120, 150)))
    # Turned on, it takes that for each board: the time of TURN_ON and of DRILL.
    each = power_w * 2 * _TURN_S / 3600 / capacity_wh * 100
    keep = rng.randrange(20, 51, 5)
    begun = round(each * 0.7, 1)
    drill = draft.item(
        "Cordless drill",
        mass_kg=1.7,
        size=(0.25, 0.08, 0.22),
        on=draft.table(rng.choice(draft.rooms)),
        capacity_wh=capacity_wh,
        charge_percent=begun,
        provides=["drill"],
        needs=["is_on"],
        fittings={"mains": 1},
        states={"is_on": False, "is_plugged_in": False},
        processes=[
            {"discharge": {"power_w": power_w, "while": {"is_on": True}}},
            {"charge": {"percent_ph": percent_ph, "while": {"is_plugged_in": True}}},
        ],
    )
    charged = each * count + keep * (1 + _SPARE[difficulty] / 2)
    outing = Outing(draft)
    outing.fetch(drill)
    outing.to(socket)
    outing.say(f"CONNECT {drill} {socket}")
    outing.wait((charged - begun) / percent_ph * 3600 - _TURN_S)
    outing.say(f"DISCONNECT {drill} {socket}")
    for board in boards:
        outing.to(board)
        outing.say(f"TURN_ON {drill}", f"DRILL {board}", f"TURN_OFF {drill}")
    left: Fields = {"object": drill, "of": "charge_percent"}
    goal: list[Fields] = [
        *({"has_state": {"object": board, "state": "is_drilled"}} for board in boards),
        is_off(drill),
        {"quantity": {**left, "at_least": keep}},
    ]
    named = [f"the {{{board}}}" for board in boards]
    said = (
        f"Drill {', '.join(named[:-1])} and {named[-1]} within {{deadline}}. In the end the "
        f"{{{drill}}} is off and has at least {keep} percent of its charge. It empties fast "
        "while it is on, and its battery is low."
    )
    task = {"id": "drill", "category": "tool_use", "goal": {"all": goal}, "instruction": said}
    return draft.document(task, outing.commands, title="A drill with a tired battery")
