"""What a drawing is made of: four shapes in painting order, with a top-left origin and in pixels.

Both back ends draw these and nothing else, so a PNG and an SVG of one world look alike. Texts lie
above all other shapes, whatever their place in the order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Self, TypeAlias

from earsim.render.picture.typeface import Typeface


class Box(NamedTuple):
    """A rectangle on the canvas."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def inset(self, by: float) -> Box:
        """The box without a margin of `by` on every side."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


class Rect(NamedTuple):
    """A filled rectangle; the outline lies inside it.

    `about` is the id of what it stands for, `hint` a sentence for those who point at it.
    """

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str = ""
    stroke_width: float = 1.0
    radius: float = 0.0
    about: str = ""
    hint: str = ""

    def shifted(self, dx: float, dy: float) -> Self:
        """The same shape elsewhere."""
        return self._replace(x=self.x + dx, y=self.y + dy)


class Line(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str
    width: float = 1.0

    def shifted(self, dx: float, dy: float) -> Self:
        """The same shape elsewhere."""
        return self._replace(x1=self.x1 + dx, y1=self.y1 + dy, x2=self.x2 + dx, y2=self.y2 + dy)


class Circle(NamedTuple):
    """A filled disc; `about` and `hint` as in `Rect`."""

    x: float
    y: float
    radius: float
    fill: str
    about: str = ""
    hint: str = ""

    def shifted(self, dx: float, dy: float) -> Self:
        """The same shape elsewhere."""
        return self._replace(x=self.x + dx, y=self.y + dy)


class Text(NamedTuple):
    """One line of text; `y` is its baseline and `width` the space it takes."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    width: float
    anchor: Literal["start", "middle", "end"] = "start"

    def shifted(self, dx: float, dy: float) -> Self:
        """The same shape elsewhere."""
        return self._replace(x=self.x + dx, y=self.y + dy)


Shape: TypeAlias = Rect | Line | Circle | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished picture, `width` x `height` pixels; equal drawings have equal bytes.

    Attributes:
        title: what it shows, in a line.
        description: what can be seen in it, for those who do not see it.
    """

    width: int
    height: int
    background: str
    shapes: tuple[Shape, ...]
    title: str
    description: str
    typeface: Typeface = field(compare=False, repr=False)
