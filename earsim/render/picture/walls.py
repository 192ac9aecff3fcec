"""How the building is drawn: walls, floors, and the doors and openings in the walls."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from earsim.render.picture.contents import View
from earsim.render.picture.layout import Doorway, FloorPlan
from earsim.render.picture.shapes import Box, Circle, Line, Rect, Shape
from earsim.render.picture.theme import Theme
from earsim.render.picture.typeface import clean


def building(plan: FloorPlan, theme: Theme) -> Iterator[Shape]:
    """Walls and floors, and the ways inside the walls."""
    yield Rect(*plan.outer, theme.wall, radius=round(plan.wall / 2))
    for room, floor in plan.rooms.items():
        yield Rect(*floor, theme.floor, about=room)
    for route in plan.routes:
        for (x1, y1), (x2, y2) in pairwise(route.corners):
            yield Line(round(x1), round(y1), round(x2), round(y2), theme.duct, 2.0)


def openings(plan: FloorPlan, view: View, theme: Theme) -> Iterator[Shape]:
    """Every doorway of the plan as it is now."""
    for doorway in plan.doorways:
        yield from _gap(plan, doorway, theme)
        door = doorway.door
        if door is not None:
            kind = door_kind(view, door)
            said = "not yet discovered" if kind == "unseen" else kind
            name = clean(view.world.blueprint.name(door))
            yield from leaf(doorway, plan.wall, theme, kind, f"{name} ({door}): {said}")


def door_kind(view: View, door: str) -> str:
    """`open`, `closed`, `locked`, or `unseen` for one that the viewer has not come across."""
    if not (view.shows_unknown or door in view.known):
        return "unseen"
    states = view.world.states[door]
    if states.get("is_locked") is True:
        return "locked"
    return "closed" if states.get("is_open") is False else "open"


def _gap(plan: FloorPlan, doorway: Doorway, theme: Theme) -> Iterator[Shape]:
    """A piece of floor where the wall is missing; at the end of a route, on one side of it only."""
    x, y, length, wall = doorway.x, doorway.y, doorway.length, plan.wall + 2
    across = _oriented(doorway, length, wall)
    if doorway.into is not None:
        across = _half(across, plan.rooms[doorway.into], doorway)
    yield Rect(*across, theme.floor)
    if doorway.into is not None:
        yield Circle(x, y, 3.0, theme.duct)


def _half(gap: Box, floor: Box, doorway: Doorway) -> Box:
    if doorway.upright:
        left = gap.x if floor.x < doorway.x else doorway.x
        return Box(left, gap.y, gap.width / 2, gap.height)
    top = gap.y if floor.y < doorway.y else doorway.y
    return Box(gap.x, top, gap.width, gap.height / 2)


def _oriented(doorway: Doorway, along: float, across: float) -> Box:
    """A box around the middle of a doorway, given its sizes along and across the wall."""
    width, height = (across, along) if doorway.upright else (along, across)
    return Box(doorway.x - width / 2, doorway.y - height / 2, width, height)


def leaf(doorway: Doorway, wall: float, theme: Theme, kind: str, hint: str = "") -> Iterator[Shape]:
    """The door itself: across its opening when shut, folded back into two posts when open."""
    about = doorway.door or ""
    if kind == "open":
        for end in (-1, 1):
            post = _oriented(doorway, round(wall / 4) + 1, wall + 4)
            shift = end * (doorway.length / 2 - round(wall / 4) / 2)
            dx, dy = (0, shift) if doorway.upright else (shift, 0)
            yield Rect(*post, theme.door, radius=1.5, about=about, hint=hint).shifted(dx, dy)
        return
    colour = {"locked": theme.locked, "closed": theme.door, "unseen": theme.unseen_edge}[kind]
    bar = _oriented(doorway, doorway.length, round(wall / 2))
    yield Rect(*bar, colour, radius=1.5, about=about, hint=hint)
    if kind == "locked":
        yield from _lock(doorway.x, doorway.y, wall, theme)


def _lock(x: float, y: float, wall: float, theme: Theme) -> Iterator[Shape]:
    """A keyhole on a disc."""
    yield Circle(x, y, wall * 0.62, theme.locked)
    yield Circle(x, y - wall * 0.12, wall * 0.19, theme.floor)
    yield Line(x, y, x, y + wall * 0.32, theme.floor, max(1.5, wall * 0.16))
