"""A floor plan in characters: the same plan that pictures show, small enough for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from earsim.episode import Episode
from earsim.render.picture.layout import Doorway, FloorPlan, lay_out
from earsim.render.picture.shapes import Box
from earsim.world import Blueprint
from earsim.world.belief import view
from earsim.world.containment import inside

_WIDTH, _HEIGHT = 960.0, 640.0
_LEAST_COLUMNS, _MOST_COLUMNS = 48, 110
_TALL = 3.0
"""How many times more a line stands for than a column: rooms look flat, but a plan fits."""

_CORNERS = {
    frozenset("EW"): "─",
    frozenset("NS"): "│",
    frozenset("ES"): "┌",
    frozenset("SW"): "┐",
    frozenset("EN"): "└",
    frozenset("NW"): "┘",
    frozenset("ENS"): "├",
    frozenset("NSW"): "┤",
    frozenset("ESW"): "┬",
    frozenset("ENW"): "┴",
    frozenset("ENSW"): "┼",
}
_LEGEND = "Ways: gap = open, + = closed, # = locked, ? = not looked at yet"


class _Spot(NamedTuple):
    column: int
    line: int


class _PlanFrame(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int


def floor_plan(episode: Episode, agent: str, columns: int = 78) -> str:
    """The plan as an agent knows it: rooms, ways, who is where, and how many things it knows of."""
    columns = max(_LEAST_COLUMNS, min(columns, _MOST_COLUMNS))
    blueprint = episode.engine.blueprint
    plan = lay_out(blueprint, Box(0, 0, _WIDTH, _HEIGHT), 1.0)
    sheet = _Sheet(plan, columns)
    for room in blueprint.rooms:
        sheet.room(room, list(_label(episode, agent, room)))
    for doorway in plan.doorways:
        sheet.doorway(doorway, _sign(episode, agent, doorway.door))
    far = _far(plan, blueprint)
    return "\n".join([*sheet.lines(), _LEGEND, *far])


class _Sheet:
    """A grid of characters; walls are kept as the directions they lead to, joined at the end."""

    def __init__(self, plan: FloorPlan, columns: int) -> None:
        self._plan = plan
        self._across = _WIDTH / (columns - 1)
        self._down = self._across * _TALL
        self._walls: dict[_Spot, set[str]] = {}
        self._text: dict[_Spot, str] = {}
        self._size = _Spot(columns, round(_HEIGHT / self._down) + 1)

    def room(self, room: str, label: list[str]) -> None:
        """Draw the walls of a room, and its label inside."""
        frame = self._frame(self._plan.rooms[room])
        for column in range(frame.left, frame.right):
            for line in (frame.top, frame.bottom):
                self._wall(_Spot(column, line), "E", _Spot(column + 1, line), "W")
        for line in range(frame.top, frame.bottom):
            for column in (frame.left, frame.right):
                self._wall(_Spot(column, line), "S", _Spot(column, line + 1), "N")
        width = frame.right - frame.left - 1
        for number, words in enumerate(label[: frame.bottom - frame.top - 1], start=1):
            start = frame.left + 1 + max(0, (width - len(words)) // 2)
            for place, letter in enumerate(words[:width]):
                self._text[_Spot(start + place, frame.top + number)] = letter

    def doorway(self, doorway: Doorway, sign: str) -> None:
        """Open a wall, or show that it is shut there."""
        column, line = round(doorway.x / self._across), round(doorway.y / self._down)
        spots = (
            [_Spot(column, line)]
            if doorway.upright
            else [_Spot(column + shift, line) for shift in (-1, 0, 1)]
        )
        for spot in spots:
            near = self._nearest_wall(spot, upright=doorway.upright)
            self._text[near] = sign

    def lines(self) -> Iterator[str]:
        """The sheet, top to bottom."""
        for line in range(self._size.line):
            spots = (_Spot(column, line) for column in range(self._size.column))
            yield "".join(self._character(spot) for spot in spots).rstrip()

    def _character(self, spot: _Spot) -> str:
        if spot in self._text:
            return self._text[spot]
        return _CORNERS.get(frozenset(self._walls.get(spot, ())), " ")

    def _wall(self, here: _Spot, way: str, there: _Spot, back: str) -> None:
        self._walls.setdefault(here, set()).add(way)
        self._walls.setdefault(there, set()).add(back)

    def _frame(self, floor: Box) -> _PlanFrame:
        """A floor with its half of the walls, in characters."""
        half = self._plan.wall / 2
        outer = floor.inset(-half)
        return _PlanFrame(
            round(outer.x / self._across),
            round(outer.y / self._down),
            round(outer.right / self._across),
            round(outer.bottom / self._down),
        )

    def _nearest_wall(self, spot: _Spot, *, upright: bool) -> _Spot:
        """Rounding may have put a wall one character aside."""
        for shift in (0, 1, -1):
            near = spot._replace(column=spot.column + shift) if upright else spot
            near = near if upright else spot._replace(line=spot.line + shift)
            if near in self._walls:
                return near
        return spot


def _label(episode: Episode, agent: str, room: str) -> Iterator[str]:
    seen = view(episode.world, agent)
    yield episode.engine.blueprint.name(room)
    count = sum(1 for node in inside(seen, room) if node in seen.known[agent])
    if count:
        yield f"{count} thing{'s' * (count != 1)}"
    for other, state in seen.agents.items():
        if state.room == room:
            yield f"({episode.engine.blueprint.name(other)})"


def _sign(episode: Episode, agent: str, door: str | None) -> str:
    if door is None:
        return " "
    seen = view(episode.world, agent)
    if door not in seen.known[agent]:
        return "?"
    states = seen.states[door]
    if states.get("is_locked"):
        return "#"
    return " " if states.get("is_open") else "+"


def _far(plan: FloorPlan, blueprint: Blueprint) -> list[str]:
    """Rooms that are joined though they do not touch on paper."""
    return [f"Also joined: {' and '.join(map(blueprint.name, way.rooms))}" for way in plan.routes]
