"""Plots as PNG, with the extra `report`. Text in them comes from files: it is drawn as it reads."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from earsim.errors import MissingExtra
from earsim.ids import clean_name
from earsim.tables.document import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

T = TypeVar("T")

_INCHES = (8.0, 4.4)
_DPI = 120
_LONGEST = 48


def drawn(
    plots: Iterable[tuple[str, str, Callable[[Axes, T], bool]]], data: T
) -> Iterator[Picture]:
    """Draw what there is to see.

    Args:
        plots: names, what each shows, and what draws it; that tells whether there is anything.
        data: what they draw.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "report") from error
    for name, alt, paint in plots:
        figure = Figure(figsize=_INCHES, layout="constrained")
        if paint(figure.subplots(), data):
            out = io.BytesIO()
            figure.savefig(out, format="png", dpi=_DPI, metadata={"Software": None})
            yield Picture(name, alt, out.getvalue())


def saved(pictures: Iterable[Picture], folder: Path) -> tuple[Path, ...]:
    """Write pictures into a folder; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for picture in pictures:
        written.append(folder / f"{picture.name}.png")
        written[-1].write_bytes(picture.png)
    return tuple(written)


def plain(text: str) -> str:
    """A label that is drawn as it reads: one short line, and `$` starts no formula."""
    cleaned = clean_name(text)
    short = cleaned if len(cleaned) <= _LONGEST else f"{cleaned[: _LONGEST - 3]}..."
    return short.replace("\\", "\N{FULLWIDTH REVERSE SOLIDUS}").replace("$", r"\$")
