"""The picture of a figure: its data series in a frame with ticks and a legend.

Equal figures have equal pixels on every machine, as all pictures here: one typeface, no clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from typing import Literal, NamedTuple

from earsim.apparatus.figures.figure import Axis, Figure
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
_FRAME = Box(84, 78, WIDTH - 84 - 36, HEIGHT - 78 - 92)
_LEGEND_COLUMNS = 6
_TICKS = 6
_ROOM = 0.04
"""Share of the range that is left free beyond the least and the greatest value."""

_FLAT, _LEAST = 1e-9, 1e-200
"""Values whose spread is a smaller share of them, or smaller, are drawn as one."""


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


def png(drawing: Drawing) -> bytes:
    """A drawing as a PNG file."""
    out = BytesIO()
    to_png(drawing, out)
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
        below = HEIGHT - 42
        yield self._text(
            _FRAME.x + _FRAME.width / 2, below, figure.x.caption, _LABEL, _INK, 500, "middle"
        )
        caption = " ".join(figure.caption.split())
        yield self._text(_FRAME.x, HEIGHT - 18, caption, _TICK, _QUIET, _FRAME.width)

    def _legend(self) -> Iterator[Shape]:
        series = self._figure.series
        rows = math.ceil(len(series) / _LEGEND_COLUMNS)
        wide = _FRAME.width / min(len(series), _LEGEND_COLUMNS)
        for place, (colour, one) in enumerate(zip(_COLOURS, series, strict=False)):
            row, column = divmod(place, _LEGEND_COLUMNS)
            x, y = _FRAME.x + column * wide, 46 + (row - (rows - 1) / 2) * 14
            yield Rect(x, y - 10, 12, 10, colour)
            yield self._text(x + 17, y, one.name, _TICK, _INK, wide - 25)

    def _upright(self) -> Iterator[Shape]:
        label = self._figure.y.caption
        yield self._text(10, _FRAME.y - 6, label, _LABEL, _INK, _FRAME.x + 200)
        for tick in self._y.ticks:
            y = self._y.at(tick)
            yield Line(_FRAME.x, y, _FRAME.right, y, _GRID)
            yield self._text(
                _FRAME.x - 8, y + 4, _shown(tick, self._figure.y), _TICK, _QUIET, 70, "end"
            )

    def _level(self) -> Iterator[Shape]:
        yield Line(_FRAME.x, _FRAME.bottom, _FRAME.right, _FRAME.bottom, _QUIET)
        below = _FRAME.bottom + 18
        if self._figure.kind == "bar":
            wide, rows = _FRAME.width / len(self._places), 1 if len(self._places) <= _TICKS else 2
            for place, word in enumerate(self._places):
                middle, y = _FRAME.x + (place + 0.5) * wide, below + place % rows * 13
                yield self._text(middle, y, str(word), _TICK, _QUIET, rows * wide - 6, "middle")
            return
        for tick in self._x.ticks:
            x = self._x.at(tick)
            yield Line(x, _FRAME.y, x, _FRAME.bottom, _GRID)
            yield self._text(x, below, _shown(tick, self._figure.x), _TICK, _QUIET, 70, "middle")

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
    low, high, ticks = (_powers if axis.log else _steps)(min(values), max(values))

    def at(value: float) -> float:
        shown = math.log10(value) if axis.log else value
        return round(start + (end - start) * (shown - low) / (high - low), 3)

    return _Scale(ticks, at)


def _powers(least: float, greatest: float) -> tuple[float, float, tuple[float, ...]]:
    """Ends of a logarithmic axis, as exponents of 10, and the powers of 10 that are written."""
    first = math.floor(math.log10(least) + 1e-9)
    last = max(math.ceil(math.log10(greatest) - 1e-9), first + 1)
    step = max(1, math.ceil((last - first) / _TICKS))
    return first, last, tuple([10.0**power for power in range(first, last + 1, step)])


def _steps(least: float, greatest: float) -> tuple[float, float, tuple[float, ...]]:
    """Ends of a linear axis, and the multiples of a round step that are written.

    Values that are one but for rounding get an axis as wide as they are large.
    """
    size = max(abs(least), abs(greatest))
    spread = greatest - least
    if spread <= max(_FLAT * size, _LEAST):
        spread = size if size > _LEAST else 1.0
    low = least - (_ROOM * spread if least else 0.0)
    high = greatest + _ROOM * spread
    step = _round_step((high - low) / _TICKS)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return low, high, tuple([float(f"{k * step:.12g}") for k in range(first, last + 1)])


def _shown(tick: float, axis: Axis) -> str:
    return f"{tick:g}".replace("e+0", "e").replace("e-0", "e-") if axis.log else f"{tick:.10g}"


def _round_step(least: float) -> float:
    """The least of 1, 2, 5, 10, 20 ... that is no smaller."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(k * power for k in (1.0, 2.0, 5.0, 10.0) if k * power >= least * (1 - 1e-9))
