"""Family `flow`: a tank is filled by a pump, or let down by its own weight, to a range."""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

from earsim.dynamics import Gravity, outflow, steady
from earsim_generators.families.draft import Fields, SceneDraft, Size
from earsim_generators.families.lookalikes import pick_of
from earsim_generators.families.outing import Outing

_PLACES = {
    "Pump house": "Tool bench",
    "Glasshouse": "Potting table",
    "Yard": "Stone slab",
    "Tank hall": "Steel table",
    "Shed": "Workbench",
    "Farm office": "Desk",
    "Wash house": "Laundry table",
}
_WIDTH = {"easy": 0.2, "medium": 0.12, "hard": 0.07}
"""Width of the range that the content must end in, as a share of the capacity."""

_TURN_S = 5.0
"""What turning a switch or a valve takes; it acts at once."""


class _Tank(NamedTuple):
    """A tank with its control, a pump or a valve.

    Attributes:
        begun_l: What is in it at the start.
    """

    node: str
    control: str
    capacity_l: float
    begun_l: float


def flow(rng: Random, difficulty: str) -> Fields:
    """Fill one of three tanks without running over, or let one down, and end with all shut.

    A pump: V = V0 + q t. An outlet: sqrt V = sqrt V0 - k t/2, which takes the longer the less is
    left. The range is reached long after the walk and left again.
    """
    return _fill(rng, difficulty) if rng.random() < 0.5 else _let_down(rng, difficulty)


def _fill(rng: Random, difficulty: str) -> Fields:
    draft = SceneDraft(rng, difficulty, "farm", _PLACES)
    # In a hard scene the pumps are where nobody sees the tanks.
    together = draft.rooms[0] if difficulty == "hard" else None
    lpm = float(rng.choice((15, 20, 30, 40)))
    well = draft.furniture(
        "Well", draft.rooms[0], mass_kg=800.0, size=(1.2, 1.2, 0.8), source="water"
    )
    tanks = []
    for room, capacity in _places(draft, together):
        begun = float(round(capacity * rng.uniform(0.1, 0.3)))
        tank = _tank(draft, room, capacity, begun)
        law = {"flow": {"from": well, "to": tank, "lpm": lpm, "while": {"is_on": True}}}
        pump = draft.furniture(
            f"Pump for the {draft.room_name(room).lower()}",
            together or room,
            mass_kg=40.0,
            size=(0.6, 0.4, 0.5),
            states={"is_on": False},
            processes=[law],
        )
        tanks.append(_Tank(tank, pump, capacity, begun))
    pick = pick_of(rng, "Water tank", "capacity_l", {t.node: t.capacity_l for t in tanks})
    tank = next(each for each in tanks if each.node == pick.target)
    low, high = _range(draft, tank.capacity_l, rng.uniform(0.5, 0.7))
    law = steady(tank.begun_l, lpm / 60, tank.capacity_l)
    outing = Outing(draft)
    outing.to_room(draft.room_of(tank.node))
    _turned(outing, tank.control, ("TURN_ON", "TURN_OFF"), law.crosses((low + high) / 2, rising=True))
    goal: list[Fields] = [
        {"quantity": {"object": pick.ref, "of": "content_l", "at_least": low, "at_most": high}},
        {"never": {"quantity": {"object": pick.ref, "of": "content_l", "at_least": tank.capacity_l}}},
        *({"has_state": {"object": t.control, "state": "is_on", "equals": False}} for t in tanks),
    ]
    said = (
        f"Within {{deadline}}, pump water into the {{{pick.name}}} until it holds between {low} and "
        f"{high} litres. It must not run over, and every pump is off in the end. Each pump fills "
        f"the tank in the room that it is named after, with {lpm:g} litres a minute."
    )
    return _document(draft, "fill", pick.select, goal, said, outing)


def _let_down(rng: Random, difficulty: str) -> Fields:
    draft = SceneDraft(rng, difficulty, "farm", _PLACES)
    tanks = []
    ks: dict[str, float] = {}
    for room, capacity in _places(draft, None):
        begun = float(round(capacity * rng.uniform(0.8, 0.95)))
        tank = _tank(draft, room, capacity, begun)
        drain = draft.furniture("Drain", room, mass_kg=20.0, size=(0.4, 0.4, 0.1), drains=True)
        hole_m2 = rng.choice((0.0001, 0.0002, 0.0003))
        area_m2 = round(_cylinder(capacity)[0] ** 2 * 0.7, 2)
        hole: Fields = {"from": tank, "to": drain, "hole_m2": hole_m2, "area_m2": area_m2}
        valve = draft.furniture(
            f"Outlet valve in the {draft.room_name(room).lower()}",
            room,
            mass_kg=3.0,
            size=(0.2, 0.15, 0.2),
            states={"is_open": False},
            processes=[{"flow": {**hole, "while": {"is_open": True}}}],
        )
        tanks.append(_Tank(tank, valve, capacity, begun))
        # V = A h in litres: the same law with k sqrt(1000 A).
        ks[tank] = outflow(hole_m2, area_m2) * math.sqrt(1000 * area_m2)
    pick = pick_of(rng, "Water tank", "capacity_l", {t.node: t.capacity_l for t in tanks})
    tank = next(each for each in tanks if each.node == pick.target)
    low, high = _range(draft, tank.capacity_l, rng.uniform(0.2, 0.4))
    law = Gravity(tank.begun_l, ks[tank.node])
    outing = Outing(draft)
    _turned(outing, tank.control, ("OPEN", "CLOSE"), law.crosses((low + high) / 2, rising=False))
    goal: list[Fields] = [
        {"quantity": {"object": pick.ref, "of": "content_l", "at_least": low, "at_most": high}},
        *({"has_state": {"object": t.control, "state": "is_open", "equals": False}} for t in tanks),
    ]
    said = (
        f"Let the {{{pick.name}}} down until it holds between {low} and {high} litres, and shut its "
        "outlet valve again, within {deadline}. The outlet runs more slowly as the level falls, and "
        "every valve is shut in the end."
    )
    return _document(draft, "let_down", pick.select, goal, said, outing)


def _places(draft: SceneDraft, without: str | None) -> list[tuple[str, float]]:
    """Three rooms, each with the capacity of a tank in it; fewer where there are fewer rooms."""
    rooms = [room for room in draft.rooms if room != without]
    chosen = draft.rng.sample(rooms, min(3, len(rooms)))
    capacities = draft.rng.sample(range(200, 900, 50), len(chosen))
    return [(room, float(capacity)) for room, capacity in zip(chosen, capacities, strict=True)]


def _tank(draft: SceneDraft, room: str, capacity_l: float, begun_l: float) -> str:
    return draft.furniture(
        "Water tank",
        room,
        mass_kg=60.0 + capacity_l / 10,
        size=_cylinder(capacity_l),
        container={"capacity_l": capacity_l},
        liquids={"water": begun_l},
    )


def _cylinder(litres: float) -> Size:
    """Outer size of an upright tank."""
    width = round((litres / 1000) ** (1 / 3) * 1.05 + 0.05, 2)
    return (width, width, round(litres / 1000 / (width - 0.05) ** 2 * 1.3 + 0.05, 2))


def _range(draft: SceneDraft, capacity_l: float, share: float) -> tuple[int, int]:
    """Whole tens of litres, from a share of the capacity upwards."""
    low = round(capacity_l * share / 10) * 10
    return low, low + max(10, round(capacity_l * _WIDTH[draft.difficulty] / 10) * 10)


def _turned(
    outing: Outing, control: str, verbs: tuple[str, str], seconds: float | None
) -> None:
    """Go to a control, turn it, wait until the middle of the range, and turn it back."""
    assert seconds is not None, "the range is between the start and the end of the flow"
    begin, end = verbs
    outing.to(control)
    outing.say(f"{begin} {control}")
    outing.wait(seconds - _TURN_S)
    outing.say(f"{end} {control}")


def _document(
    draft: SceneDraft, name: str, select: Fields, goal: list[Fields], said: str, outing: Outing
) -> Fields:
    task = {
        "id": name,
        "category": "attribute_reasoning",
        "select": select,
        "goal": {"all": goal},
        "instruction": said,
    }
    return draft.document(task, outing.commands, title="Water tanks")
