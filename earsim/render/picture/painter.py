"""From a world to a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from earsim.errors import UnknownName, UsageError
from earsim.render.picture.agents import crew_in
from earsim.render.picture.blocks import EVERYTHING, Block, Pen
from earsim.render.picture.contents import Content, View
from earsim.render.picture.description import described
from earsim.render.picture.frame import header, legend
from earsim.render.picture.layout import lay_out
from earsim.render.picture.room import Filling, Space, fill
from earsim.render.picture.shapes import Box, Drawing, Shape
from earsim.render.picture.theme import Theme, theme_named
from earsim.render.picture.typeface import Typeface, clean
from earsim.render.picture.walls import building, openings
from earsim.world import Blueprint, World

_WIDTH, _HEIGHT = 960, 640
"""The canvas for which all sizes are given; others are scaled."""

_LEAST_WIDTH, _LEAST_HEIGHT = 240, 160
_CREW_SHARE = 0.6
"""How much of a room its agents may take."""

_CREW_FITS = ((1.0, EVERYTHING), (1.0, 2), (0.85, 2), (0.7, 1), (0.7, 0), (0.5, 0))
"""Text sizes, as shares of the usual one, and numbers of things in hand, to try in this order."""


def draw(
    world: World,
    *,
    viewer: str | None = None,
    width: int = _WIDTH,
    height: int = _HEIGHT,
    theme: str = "light",
    caption: str = "",
) -> Drawing:
    """A picture of a world; for many pictures of one scene, keep a `Painter`.

    Args:
        world: Read, never changed.
        viewer: The agent whose knowledge is drawn, and named in the header where there are others;
            None draws everything, and what no agent has discovered as bare outlines.
        width: Pixels, at least 240.
        height: Pixels, at least 160.
        theme: `light` or `dark`.
        caption: One line for the header, such as the last command and what became of it.

    Raises:
        UsageError: The canvas is too small, or there is no such theme.
        UnknownName: There is no such agent.
    """
    painter = Painter(world.blueprint, width=width, height=height, theme=theme)
    return painter.draw(world, viewer=viewer, caption=caption)


class _DrawnRooms(NamedTuple):
    """The rooms of the last picture for one viewer, to go on with where nothing has changed.

    Attributes:
        fillings: what was tried for each room.
        shapes: of the block that each room was filled with.
    """

    fillings: dict[str, Filling]
    shapes: dict[str, tuple[Block, tuple[Shape, ...]]]

    def keep(self, room: str, space: Space, things: tuple[Content, ...]) -> None:
        """Go on with what was tried for a room, unless its space or its things are others now."""
        before = self.fillings.get(room)
        if before is None or (before.space, before.things) != (space, things):
            self.fillings[room] = Filling(space, things)

    def placed(self, room: str, block: Block, x: float, y: float) -> tuple[Shape, ...]:
        """The things of a room in their place, as they were drawn before if they are the same."""
        before = self.shapes.get(room)
        if before is None or before[0] is not block:
            before = self.shapes[room] = block, tuple(block.placed(x, y))
        return before[1]


class Painter:
    """Draws the worlds of one blueprint; it keeps the floor plan and the rooms that did not change.

    What it keeps only saves time: a picture depends on nothing but the arguments.

    Attributes:
        blueprint: what all its worlds are worlds of.
        plan: where rooms and doorways lie on the canvas.
        size: width and height of the canvas, in pixels.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        *,
        width: int = _WIDTH,
        height: int = _HEIGHT,
        theme: str | Theme = "light",
    ) -> None:
        if width < _LEAST_WIDTH or height < _LEAST_HEIGHT:
            raise UsageError(
                f"a picture of {width} x {height} pixels is too small: "
                f"at least {_LEAST_WIDTH} x {_LEAST_HEIGHT}"
            )
        self.blueprint = blueprint
        self.size = (width, height)
        self._theme = theme if isinstance(theme, Theme) else theme_named(theme)
        scale = min(width / _WIDTH, height / _HEIGHT)
        self._scale = scale = max(0.5, scale)
        typeface = Typeface()
        self._pen = Pen(typeface, self._theme, max(6.0, round(12 * scale * 2) / 2))
        self._large = Pen(typeface, self._theme, max(6.5, round(13.5 * scale * 2) / 2))
        self._small = Pen(typeface, self._theme, max(5.5, round(10.5 * scale * 2) / 2))
        margin, head, foot = round(14 * scale), round(44 * scale), round(32 * scale)
        self._header = Box(margin, 0, width - 2 * margin, head)
        self._legend = Box(margin, height - foot, width - 2 * margin, foot)
        self.plan = lay_out(
            blueprint, Box(margin, head, width - 2 * margin, height - head - foot), scale
        )
        self._kept: dict[str | None, _DrawnRooms] = {}  # by viewer
        self._floors = {room: box.inset(round(9 * scale)) for room, box in self.plan.rooms.items()}
        self._building = tuple(building(self.plan, self._theme))
        self._titles = {room: tuple(self._title(room, box)) for room, box in self._floors.items()}
        self._signs = tuple(legend(self._small, self._legend, blueprint))

    def draw(self, world: World, *, viewer: str | None = None, caption: str = "") -> Drawing:
        """A picture of a world as it is now; arguments and errors as in `draw`."""
        if viewer is not None and viewer not in world.agents:
            raise UnknownName("agent", viewer, tuple(world.agents))
        width, height = self.size
        view, kept = View(world, viewer), self._kept.setdefault(viewer, _DrawnRooms({}, {}))
        shapes = tuple(self._shapes(view, caption, kept))
        title, description = described(view, caption)
        return Drawing(
            width, height, self._theme.canvas, shapes, title, description, self._pen.typeface
        )

    def _shapes(self, view: View, caption: str, kept: _DrawnRooms) -> Iterator[Shape]:
        yield from header(self._pen, self._header, view, caption)
        yield from self._building
        yield from openings(self.plan, view, self._theme)
        yield from self._rooms(view, kept)
        yield from self._signs

    def _rooms(self, view: View, kept: _DrawnRooms) -> Iterator[Shape]:
        """A room's name at the top, its things below, its agents along the lower wall.

        Things have one size in all rooms, and so have agents.
        """
        floors = self._floors
        crews = self._crews(view, floors)
        line, gap = self._large.line, self._large.gap
        for room, crew in crews.items():
            floor = floors[room]
            left = floor.height - line - (crew.height + gap if crew.height else 0)
            kept.keep(room, Space(floor.width, left, self._small), view.inside(room))
        bodies = fill(kept.fillings)
        for room, floor in floors.items():
            yield from self._titles[room]
            yield from crews[room].placed(floor.x, floor.bottom - crews[room].height)
            yield from kept.placed(room, bodies[room], floor.x, floor.y + line)

    def _title(self, room: str, floor: Box) -> Iterator[Shape]:
        spec = self.blueprint.rooms[room]
        pen = self._large
        middle = floor.y + pen.line / 2 - 3 * self._scale
        name = pen.typeface.fit(clean(spec.name) or room, pen.size, floor.width)
        written = pen.text(floor.x, middle, name, pen.theme.ink)
        yield written
        if spec.area_m2 is None:
            return
        area = self._small.text(floor.right, middle, f"{spec.area_m2:g} m²", pen.theme.muted)
        if written.width + area.width + pen.size < floor.width:
            yield area._replace(anchor="end", y=written.y)

    def _crews(self, view: View, floors: Mapping[str, Box]) -> dict[str, Block]:
        """The agents of every room, with as much in their hands as there is space for."""
        crews: dict[str, Block] = {}
        for share, limit in _CREW_FITS:
            pen = replace(self._small, size=max(4.0, round(self._small.size * share * 2) / 2))
            crews = {r: crew_in(pen, view, r, box.width, limit) for r, box in floors.items()}
            most = {
                room: (box.height - self._large.line) * _CREW_SHARE for room, box in floors.items()
            }
            if all(crew.height <= most[room] for room, crew in crews.items()):
                break
        return crews
