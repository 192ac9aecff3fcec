"""A figure: data series over an axis, as a table of text and as what a renderer draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

FigureKind = Literal["line", "scatter", "bar"]


class Axis(NamedTuple):
    """An axis.

    Attributes:
        label: what it measures.
        unit: symbol of the unit; may be empty.
        log: it is logarithmic.
    """

    label: str
    unit: str = ""
    log: bool = False

    @property
    def caption(self) -> str:
        """``Temperature [C]``."""
        return f"{self.label} [{self.unit}]" if self.unit else self.label


class Series(NamedTuple):
    """A data series.

    Attributes:
        name: as the legend has it.
        points: pairs of x and y; x is a word in a figure of bars.
    """

    name: str
    points: tuple[tuple[float | str, float], ...]


class Figure(NamedTuple):
    """A figure.

    Attributes:
        id: as ``show`` names it.
        title: one line.
        caption: what stands below it; may be empty.
        kind: lines, points or bars.
        x: the axis below.
        y: the axis on the left.
        series: at least one.
    """

    id: str
    title: str
    caption: str
    kind: FigureKind
    x: Axis
    y: Axis
    series: tuple[Series, ...]

    def places(self) -> tuple[float | str, ...]:
        """Every x of any series: numbers in their order, words in that of the file."""
        found = dict.fromkeys(x for series in self.series for x, _ in series.points)
        if self.kind == "bar":
            return tuple(found)
        return tuple(sorted(found, key=float))

    def table(self) -> Iterator[str]:
        """The data as rows: x, then the y of each series, ``-`` where it has none."""
        unit = f" [{self.y.unit}]" if self.y.unit else ""
        yield " | ".join((self.x.caption, *(f"{each.name}{unit}" for each in self.series)))
        columns = [dict(series.points) for series in self.series]
        for x in self.places():
            cells = [_cell(column[x]) if x in column else "-" for column in columns]
            yield " | ".join((_cell(x), *cells))


def _cell(value: float | str) -> str:
    """A word, or a number with all its digits: they are data."""
    return value if isinstance(value, str) else f"{value:.15g}"
