"""Ways through the walls, for rooms that are joined but do not touch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from earsim.render.picture.shapes import Box

if TYPE_CHECKING:
    import networkx as nx

Point: TypeAlias = tuple[float, float]
Streets: TypeAlias = "nx.DiGraph[Any]"

_OUTER_TOLL = 1.6
"""What a step along the outer wall costs more than one between rooms."""


def route(
    cells: Sequence[Box], one: Box, other: Box, taken: Sequence[Point], clear: float
) -> tuple[Point, ...]:
    """The shortest way along walls from a side of `one` to a side of `other`, corner by corner.

    It ends at least `clear` pixels away from every place that is taken, where that can be done.
    """
    import networkx as nx

    starts, goals = _free(one, taken, clear), _free(other, taken, clear)
    streets = _streets(cells, [*starts, *goals])
    streets.add_edges_from((("start", start) for start in starts), length=0.0)
    streets.add_edges_from(((goal, "goal") for goal in goals), length=0.0)
    # Of equally long ways the first in the order of their points: one plan, one picture.
    ways = nx.all_shortest_paths(streets, "start", "goal", weight="length")
    return _corners(min(tuple(way[1:-1]) for way in ways))


def _free(box: Box, taken: Sequence[Point], clear: float) -> list[Point]:
    """Places in the walls of a room that are far enough from those taken; all if there are none."""
    sides = list(_sides(box))
    free = [(x, y) for x, y in sides if all(abs(x - px) + abs(y - py) >= clear for px, py in taken)]
    return free or sides


def _sides(box: Box) -> Iterator[Point]:
    for share in (0.5, 0.25, 0.75):
        x, y = box.x + box.width * share, box.y + box.height * share
        for px, py in ((box.x, y), (box.right, y), (x, box.y), (x, box.bottom)):
            yield round(px, 2), round(py, 2)


def _streets(cells: Sequence[Box], stops: Sequence[Point]) -> Streets:
    """The walls as a graph: every corner and every stop is a crossing."""
    import networkx as nx

    corners = {
        (round(x, 2), round(y, 2))
        for cell in cells
        for x in (cell.x, cell.right)
        for y in (cell.y, cell.bottom)
    }
    points = sorted(corners.union(stops))
    frame = (points[0][0], points[-1][0], min(y for _, y in points), max(y for _, y in points))
    streets: Streets = nx.DiGraph()
    for cell in cells:
        for wall in _walls(cell, points):
            for here, there in pairwise(wall):
                step = abs(here[0] - there[0]) + abs(here[1] - there[1])
                if _is_outer(here, there, frame):
                    step *= _OUTER_TOLL
                streets.add_edge(here, there, length=step)
                streets.add_edge(there, here, length=step)
    return streets


def _walls(cell: Box, points: list[Point]) -> Iterator[list[Point]]:
    left, top = round(cell.x, 2), round(cell.y, 2)
    right, bottom = round(cell.right, 2), round(cell.bottom, 2)
    for x in (left, right):
        yield [point for point in points if point[0] == x and top <= point[1] <= bottom]
    for y in (top, bottom):
        yield [point for point in points if point[1] == y and left <= point[0] <= right]


def _is_outer(here: Point, there: Point, frame: tuple[float, float, float, float]) -> bool:
    left, right, top, bottom = frame
    if here[0] == there[0]:
        return here[0] in (left, right)
    return here[1] in (top, bottom)


def _corners(path: tuple[Point, ...]) -> tuple[Point, ...]:
    """A path without the points at which it goes straight on."""
    kept = [path[0]]
    for before, here, after in zip(path, path[1:], path[2:], strict=False):
        if (before[0] == here[0]) != (here[0] == after[0]):
            kept.append(here)
    kept.append(path[-1])
    return tuple(kept)
