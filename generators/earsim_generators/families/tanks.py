"""Tanks of the family `flow`, with what fills them or lets them down."""

from __future__ import annotations

from typing import Any, NamedTuple

from earsim_generators.families.draft import SceneDraft, Size
from earsim_generators.families.outing import Outing

_WIDTH = {"easy": 0.2, "medium": 0.12, "hard": 0.07}
"""Width of the range that the content must end in, as a share of the capacity."""

_TURN_S = 5.0
"""What turning a switch or a valve takes; it acts at once."""


class Tank(NamedTuple):
    """A tank with its control, a pump or a valve.

    Attributes:
        begun_l: What is in it at the start.
    """

    node: str
    control: str
    capacity_l: float
    begun_l: float


def places_of_tanks(draft: SceneDraft, without: str | None) -> list[tuple[str, float]]:
    """Three rooms, each with the capacity of a tank in it; fewer where there are fewer rooms."""
    rooms = [room for room in draft.rooms if room != without]
    chosen = draft.rng.sample(rooms, min(3, len(rooms)))
    capacities = draft.rng.sample(range(200, 900, 50), len(chosen))
    return [(room, float(capacity)) for room, capacity in zip(chosen, capacities, strict=True)]


def add_tank(draft: SceneDraft, room: str, capacity_l: float, begun_l: float, **fields: Any) -> str:
    """A tank with water in it; its id."""
    return draft.furniture(
        "Water tank",
        room,
        mass_kg=60.0 + capacity_l / 10,
        size=cylinder(capacity_l),
        container={"capacity_l": capacity_l},
        liquids={"water": begun_l},
        **fields,
    )


def cylinder(litres: float) -> Size:
    """Outer size of an upright tank."""
    width = round((litres / 1000) ** (1 / 3) * 1.05 + 0.05, 2)
    return (width, width, round(litres / 1000 / (width - 0.05) ** 2 * 1.3 + 0.05, 2))


def range_of(draft: SceneDraft, capacity_l: float, share: float) -> tuple[int, int]:
    """Whole tens of litres, from a share of the capacity upwards."""
    low = round(capacity_l * share / 10) * 10
    return low, low + max(10, round(capacity_l * _WIDTH[draft.difficulty] / 10) * 10)


def turn(outing: Outing, control: str, verbs: tuple[str, str], seconds: float | None) -> None:
    """Go to a control, turn it, wait until the middle of the range, and turn it back."""
    assert seconds is not None, "the range is between the start and the end of the flow"
    begin, end = verbs
    outing.to(control)
    outing.say(f"{begin} {control}")
    outing.wait(seconds - _TURN_S)
    outing.say(f"{end} {control}")
