"""The floor plan of a blueprint: where its rooms lie and where one passes between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from earsim.render.picture.routes import route
from earsim.render.picture.shapes import Box
from earsim.render.picture.treemap import RoomRequest, contact, search
from earsim.world import Blueprint

_AREA_SHARE = 0.45
"""How far floor areas decide over room sizes; the rest is the space that the contents need."""


class Doorway(NamedTuple):
    """A place in a wall where one passes; several make up a passage between rooms far apart.

    Attributes:
        x: middle of the opening.
        y: middle of the opening.
        length: pixels along the wall.
        upright: whether the wall runs from top to bottom.
        door: id of the door in it, or None for an open passage.
        rooms: the rooms it joins.
        into: the one room it opens to, where it is the end of a route.
    """

    x: float
    y: float
    length: float
    upright: bool
    door: str | None
    rooms: tuple[str, str]
    into: str | None = None


class Corridor(NamedTuple):
    """A way through the walls between two rooms that do not touch: its corners, in order."""

    corners: tuple[tuple[float, float], ...]
    rooms: tuple[str, str]


@dataclass(frozen=True, slots=True)
class FloorPlan:
    """Everything about a picture that no command changes; `rooms` are floors, without walls."""

    outer: Box
    wall: float
    rooms: dict[str, Box]
    doorways: tuple[Doorway, ...]
    routes: tuple[Corridor, ...]


def lay_out(blueprint: Blueprint, area: Box, scale: float) -> FloorPlan:
    """The plan of a blueprint within `area`; the same for the same arguments, always."""
    wall = round(11 * scale)
    inner = area.inset(wall / 2)
    ids = list(blueprint.rooms)
    links = list(_links(blueprint))
    wish = RoomRequest(
        weights=tuple(_weights(blueprint)),
        links=tuple(sorted({(ids.index(link.one), ids.index(link.other)) for link in links})),
        area=inner,
        doorway=64 * scale,
        least=150 * scale,
    )
    cells = dict(zip(ids, search(wish), strict=True))
    doorways, routes = _passages(cells, links, wall, scale)
    floors = {room: _floor(cell, wall) for room, cell in cells.items()}
    return FloorPlan(area, wall, floors, doorways, routes)


class _Link(NamedTuple):
    one: str
    other: str
    door: str | None


def _links(blueprint: Blueprint) -> Iterator[_Link]:
    """Every passage once, its rooms in file order."""
    rank = blueprint.rank
    for room, passages in blueprint.passages.items():
        for passage in passages:
            if rank[room] < rank[passage.room]:
                yield _Link(room, passage.room, passage.door)


def _weights(blueprint: Blueprint) -> list[float]:
    """Shares of the plan: by floor area and by what must be written in a room.

    Areas count by their square root: a pantry of 4 m2 beside a garden of 180 m2 needs labels too.
    """
    needs = {room: 12.0 + _need(blueprint, room) for room in blueprint.rooms}
    mean_need = sum(needs.values()) / len(needs)
    roots = [room.area_m2**0.5 for room in blueprint.rooms.values() if room.area_m2]
    mean_root = sum(roots) / len(roots) if roots else 0.0
    weights = []
    for room_id, room in blueprint.rooms.items():
        need = needs[room_id] / mean_need
        if not room.area_m2:
            weights.append(need)
            continue
        root = room.area_m2**0.5 / mean_root
        weights.append(max(0.35, _AREA_SHARE * root + (1 - _AREA_SHARE) * need))
    return weights


def _need(blueprint: Blueprint, holder: str) -> float:
    """Roughly the space that everything in a holder takes, in characters with their margins."""
    return sum(
        (len(blueprint.things[child].name) + 4) / 6 + _need(blueprint, child)
        for child in blueprint.contents.get(holder, ())
    )


def _floor(cell: Box, wall: float) -> Box:
    """A cell without its half of the walls, on whole pixels so that edges are sharp."""
    left, top = round(cell.x + wall / 2), round(cell.y + wall / 2)
    right, bottom = round(cell.right - wall / 2), round(cell.bottom - wall / 2)
    return Box(left, top, max(1, right - left), max(1, bottom - top))


def _passages(
    cells: dict[str, Box], links: list[_Link], wall: float, scale: float
) -> tuple[tuple[Doorway, ...], tuple[Corridor, ...]]:
    """Doorways in shared walls; far rooms are joined by a route with one at each end."""
    by_pair: dict[tuple[str, str], list[_Link]] = {}
    for link in links:
        by_pair.setdefault((link.one, link.other), []).append(link)
    least = 22 * scale + wall
    far = [pair for pair in by_pair if contact(cells[pair[0]], cells[pair[1]]) < least]
    doorways: list[Doorway] = []
    for pair, together in by_pair.items():
        if pair not in far:
            doorways += _in_wall(cells[pair[0]], cells[pair[1]], together, wall, scale)
    routes: list[Corridor] = []
    for pair in far:
        taken = [(doorway.x, doorway.y) for doorway in doorways]
        one, other = (cells[room] for room in pair)
        corners = route(list(cells.values()), one, other, taken, 44 * scale)
        routes.append(Corridor(corners, pair))
        doorways += _at_end(corners, pair[0], by_pair[pair], scale)
        doorways += _at_end(corners[::-1], pair[1], by_pair[pair], scale)
    return tuple(doorways), tuple(routes)


def _in_wall(
    one: Box, other: Box, links: list[_Link], wall: float, scale: float
) -> Iterator[Doorway]:
    """The doorways of two rooms that touch, spread evenly over the wall between them."""
    left, right = max(one.x, other.x), min(one.right, other.right)
    top, bottom = max(one.y, other.y), min(one.bottom, other.bottom)
    upright = bottom - top > right - left
    span = (bottom - top if upright else right - left) - wall
    length = round(min(46 * scale, span * 0.7 / len(links)))
    for place, link in enumerate(links):
        share = (place + 1) / (len(links) + 1)
        x = (left + right) / 2 if upright else left + (right - left) * share
        y = top + (bottom - top) * share if upright else (top + bottom) / 2
        yield Doorway(round(x), round(y), length, upright, link.door, (link.one, link.other))


def _at_end(
    corners: tuple[tuple[float, float], ...], room: str, links: list[_Link], scale: float
) -> Iterator[Doorway]:
    """A small doorway per passage where a route begins, into one room only."""
    (x, y), (next_x, _) = corners[0], corners[1]
    upright = x == next_x
    for place, link in enumerate(links):
        shift = (place - (len(links) - 1) / 2) * 26 * scale
        yield Doorway(
            round(x if upright else x + shift),
            round(y + shift if upright else y),
            round(20 * scale),
            upright,
            link.door,
            (link.one, link.other),
            room,
        )
