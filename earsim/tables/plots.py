"""Plots as PNG and SVG, with the extra `report`.

Text in them comes from files: it is drawn as it reads.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from earsim.errors import MissingExtra
from earsim.ids import clean_name
from earsim.tables.csv_text import csv_text
from earsim.tables.document import Picture, Table
from earsim.tables.latex import latex_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

T = TypeVar("T")

_INCHES = (8.0, 4.4)
_DPI = 120
_LONGEST = 48


def drawn(
    plots: Iterable[tuple[str, str, Callable[[Axes, T], Table | bool | None]]], data: T
) -> Iterator[Picture]:
    """Draw what there is to see.

    Args:
        plots: names, what each shows, and what draws it; that gives the numbers it has drawn, or
            whether there is anything.
        data: what they draw.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "report") from error
    for name, alt, paint in plots:
        figure = Figure(figsize=_INCHES, layout="constrained")
        found = paint(figure.subplots(), data)
        if found:
            png, svg = io.BytesIO(), io.BytesIO()
            figure.savefig(png, format="png", dpi=_DPI, metadata={"Software": None})
            with rc_context({"svg.hashsalt": name}):
                figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
            numbers = found if isinstance(found, Table) else None
            yield Picture(name, alt, png.getvalue(), svg.getvalue(), numbers)


def saved(pictures: Iterable[Picture], folder: Path) -> tuple[Path, ...]:
    """Write pictures into a folder, each as PNG, and as SVG, CSV and LaTeX as far as it has them.

    Returns the PNG files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for picture in pictures:
        written.append(folder / f"{picture.name}.png")
        written[-1].write_bytes(picture.png)
        if picture.svg:
            (folder / f"{picture.name}.svg").write_bytes(picture.svg)
        if picture.data is not None:
            rows = (row.cells for row in picture.data.rows)
            text = csv_text(picture.data.head, rows)
            (folder / f"{picture.name}.csv").write_text(text, encoding="utf-8")
            table = latex_table(picture.data)
            (folder / f"{picture.name}.tex").write_text(table, encoding="utf-8")
    return tuple(written)


def plain(text: str) -> str:
    """A label that is drawn as it reads: one short line, and `$` starts no formula."""
    cleaned = clean_name(text)
    short = cleaned if len(cleaned) <= _LONGEST else f"{cleaned[: _LONGEST - 3]}..."
    return short.replace("\\", "\N{FULLWIDTH REVERSE SOLIDUS}").replace("$", r"\$")
