"""The picture of a figure: its data series in a frame with ticks and a legend.

Equal figures have equal bytes on every machine, as all pictures here: one typeface, no clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from typing import Literal, NamedTuple

from earsim.apparatus.figures.figure import Axis, Figure
from earsim.prose import number
from earsim.render.picture.raster import to_png
from earsim.render.picture.shapes import Box, Circle, Drawing, Line, Rect, Shape, Text
from earsim.render.picture.typeface import Typeface, clean

WIDTH, HEIGHT = 720, 460

_INK, _QUIET, _GRID, _PAPER = "#1b1f24", "#57606a", "#d8dee4", "#ffffff"
_COLOURS = (
    "#0969da", "#cf222e", "#1a7f37", "#9a6700", "#8250df", "#bf3989",
    "#0a7ea4", "#5a4000", "#24292f", "#e16f24", "#57ab5a", "#6e7781",
)  # fmt: skip
_TITLE, _LABEL, _TICK = 16.0, 13.0, 12.0
_FRAME = Box(84, 78, WIDTH - 84 - 20, HEIGHT - 78 - 92)
_TICKS = 6
_ROOM = 0.04
"""Share of the range that is left free beyond the least and the greatest value."""


class _Scale(NamedTuple):
    """Where the values of an axis lie.

    Attributes:
        ticks: values that are written.
        at: the pixel of a value.
    """

    ticks: tuple[float, ...]
    at: Callable[[float], float]


def plot(figure: Figure) -> Drawing:
    """A figure as a drawing of `WIDTH` x `HEIGHT` pixels."""
    typeface = Typeface()
    pen = _Pen(figure, typeface)
    title = clean(figure.title)
    description = clean(f"{figure.kind} of {figure.y.caption} over {figure.x.caption}")
    return Drawing(WIDTH, HEIGHT, _PAPER, tuple(pen.shapes()), title, description, typeface)


def png(figure: Figure) -> bytes:
    """The picture of a figure as a PNG file."""
    out = BytesIO()
    to_png(plot(figure), out)
    return out.getvalue()


class _Pen:
    """Draws one figure."""

    def __init__(self, figure: Figure, typeface: Typeface) -> None:
        self._figure, self._typeface = figure, typeface
        values = [y for series in figure.series for _, y in series.points]
        if figure.kind == "bar":
            values.append(0.0 if not figure.y.log else min(values))
        self._y = _scale(values, figure.y, _FRAME.bottom, _FRAME.y)
        self._places = figure.places()
        if figure.kind != "bar":
            across = [float(x) for x in self._places]
            self._x = _scale(across, figure.x, _FRAME.x, _FRAME.right)

    def shapes(self) -> Iterator[Shape]:
        """All of it."""
        figure = self._figure
        yield self._text(_FRAME.x, 24, figure.title, _TITLE, _INK, _FRAME.width)
        yield from self._legend()
        yield from self._upright()
        yield from self._level()
        drawn = self._bars if figure.kind == "bar" else self._marks
        yield from drawn()
        below = HEIGHT - 50
        yield self._text(
            _FRAME.x + _FRAME.width / 2, below, figure.x.caption, _LABEL, _INK, 500, "middle"
        )
        caption = " ".join(figure.caption.split())
        yield self._text(_FRAME.x, HEIGHT - 20, caption, _TICK, _QUIET, _FRAME.width)

    def _legend(self) -> Iterator[Shape]:
        x = _FRAME.x
        for colour, series in zip(_COLOURS, self._figure.series, strict=False):
            yield Rect(x, 36, 12, 10, colour)
            name = self._text(x + 17, 46, series.name, _TICK, _INK, 110)
            yield name
            x += 17 + name.width + 18

    def _upright(self) -> Iterator[Shape]:
        label = self._figure.y.caption
        yield self._text(10, _FRAME.y - 6, label, _LABEL, _INK, _FRAME.x + 200)
        for tick in self._y.ticks:
            y = self._y.at(tick)
            yield Line(_FRAME.x, y, _FRAME.right, y, _GRID)
            yield self._text(_FRAME.x - 8, y + 4, number(tick), _TICK, _QUIET, 70, "end")

    def _level(self) -> Iterator[Shape]:
        yield Line(_FRAME.x, _FRAME.bottom, _FRAME.right, _FRAME.bottom, _QUIET)
        below = _FRAME.bottom + 18
        if self._figure.kind == "bar":
            wide = _FRAME.width / len(self._places)
            for place, word in enumerate(self._places):
                middle = _FRAME.x + (place + 0.5) * wide
                yield self._text(middle, below, str(word), _TICK, _QUIET, wide - 4, "middle")
            return
        for tick in self._x.ticks:
            x = self._x.at(tick)
            yield Line(x, _FRAME.y, x, _FRAME.bottom, _GRID)
            yield self._text(x, below, number(tick), _TICK, _QUIET, 70, "middle")

    def _bars(self) -> Iterator[Shape]:
        series = self._figure.series
        wide = _FRAME.width / len(self._places)
        each = wide * 0.8 / len(series)
        base = self._y.at(max(0.0, self._y.ticks[0]) if self._figure.y.log else 0.0)
        for k, (colour, one) in enumerate(zip(_COLOURS, series, strict=False)):
            heights = dict(one.points)
            for place, word in enumerate(self._places):
                if word in heights:
                    top = self._y.at(heights[word])
                    left = _FRAME.x + (place + 0.1) * wide + k * each
                    yield Rect(left, min(top, base), each * 0.92, abs(base - top), colour)

    def _marks(self) -> Iterator[Shape]:
        for colour, series in zip(_COLOURS, self._figure.series, strict=False):
            ordered = sorted((float(x), y) for x, y in series.points)
            points = [(self._x.at(x), self._y.at(y)) for x, y in ordered]
            if self._figure.kind == "line":
                for (x1, y1), (x2, y2) in pairwise(points):
                    yield Line(x1, y1, x2, y2, colour, 2.0)
            radius = 2.5 if self._figure.kind == "line" else 4.0
            if self._figure.kind == "scatter" or len(points) <= 40:
                yield from (Circle(x, y, radius, colour) for x, y in points)

    def _text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: str,
        width: float,
        anchor: Literal["start", "middle", "end"] = "start",
    ) -> Text:
        fitted = self._typeface.fit(clean(text), size, width)
        wide = self._typeface.width(fitted, size)
        return Text(x, y, fitted, size, fill, wide, anchor)


def _scale(values: Sequence[float], axis: Axis, start: float, end: float) -> _Scale:
    """Round ticks, and where values between them lie, from one pixel to another."""
    shown = [math.log10(v) for v in values] if axis.log else list(values)
    low, high = min(shown), max(shown)
    spread = (high - low) or abs(high) or 1.0
    room = 0.0 if axis.log or low == 0.0 else _ROOM * spread
    low, high = low - room, high + _ROOM * spread
    if axis.log:
        first, last = math.floor(low + 1e-9), math.ceil(high - 1e-9)
        step = max(1, math.ceil((last - first) / _TICKS))
        ticks = [10.0**power for power in range(first, last + 1, step)]
        low, high = float(first), float(last)
    else:
        step_size = _round_step((high - low) / _TICKS)
        first = math.ceil(low / step_size - 1e-9)
        ticks = [
            round(k * step_size, 12) for k in range(first, math.floor(high / step_size + 1e-9) + 1)
        ]

    def at(value: float) -> float:
        shown = math.log10(value) if axis.log else value
        return round(start + (end - start) * (shown - low) / (high - low), 3)

    return _Scale(tuple(ticks), at)


def _round_step(least: float) -> float:
    """The least of 1, 2, 5, 10, 20 ... that is no smaller."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(k * power for k in (1.0, 2.0, 5.0, 10.0) if k * power >= least * (1 - 1e-9))
