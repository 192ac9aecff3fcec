"""A report before it has a format: sections with tables and pictures, all of it untrusted text.

Names of models, policies, roles and reasons come from files. Nothing here is markup: each format
escapes every cell on its own terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

Cell = str | int | float | None
"""A text, a count, a number to one decimal, or nothing to be said."""

ALL = "all"
"""The group of everything, in rows and columns over groups."""


class TableRow(NamedTuple):
    """A row of a table.

    Attributes:
        published: quoted from elsewhere, not measured here.
        strong: a sum over the other rows.
        links: for each cell what stands behind the `#` of a page that tells more; may be empty.
    """

    cells: tuple[Cell, ...]
    published: bool = False
    strong: bool = False
    links: tuple[str, ...] = ()


class Table(NamedTuple):
    """A table.

    Attributes:
        title: for people; may be empty.
        head: one word or two per column.
        texts: how many columns from the left hold text; the others hold numbers.
        note: what a reader must know to read it; may be empty.
        name: for programs.
        spaced: cells and heads are names of kinds, in which people read a space for an underscore.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[TableRow, ...] = ()
    texts: int = 1
    note: str = ""
    name: str = ""
    spaced: bool = False

    def with_rows(self, rows: Iterable[Sequence[Cell]], *, whole: str = "") -> Table:
        """The table with these rows; one that begins with `whole` is a sum over the others."""
        made = (TableRow(tuple(cells), strong=bool(whole) and cells[0] == whole) for cells in rows)
        return self._replace(rows=tuple(made))

    @property
    def texts_of_head(self) -> tuple[str, ...]:
        """The heads of the columns as they read."""
        return tuple(map(self._text, self.head))

    def texts_of(self, row: TableRow) -> tuple[str, ...]:
        """The cells of a row as they read."""
        return tuple(map(self._text, row.cells))

    def records(self) -> Iterator[Mapping[str, Cell]]:
        """The rows for programs; a first column without a head tells `what` they are about."""
        head = (self.head[0] or "what", *self.head[1:])
        for row in self.rows:
            yield dict(zip(head, row.cells, strict=True))

    def _text(self, cell: Cell) -> str:
        match cell:
            case None:
                return ""
            case str():
                return cell.replace("_", " ") if self.spaced else cell
            case float():
                return f"{cell:,.1f}"
            case int():
                return f"{cell:,}"


def share(part: int, whole: int) -> str | None:
    """`12.3 %` of something; None of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else None


class Picture(NamedTuple):
    """A plot, drawn.

    Attributes:
        name: for a file, without ending.
        alt: what it shows, for those who do not see it.
        svg: the same as a drawing; may be empty.
        data: the numbers that are drawn, where they were told.
    """

    name: str
    alt: str
    png: bytes
    svg: bytes = b""
    data: Table | None = None


class Section(NamedTuple):
    """A part of a report.

    Attributes:
        folded: a detail, which a page shows when it is asked for.
    """

    title: str
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    text: str = ""
    folded: bool = False


class Report(NamedTuple):
    """A whole report.

    Attributes:
        warnings: what stands against reading numbers together.
        text: what it is about, in Markdown.
    """

    title: str
    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = ()
    text: str = ""

    @classmethod
    def of(cls, title: str, tables: Iterable[Table], *, text: str = "") -> Report:
        """A report with a section for every table, under its title and note."""
        sections = (Section(t.title, (t._replace(title="", note=""),), text=t.note) for t in tables)
        return cls(title, tuple(sections), text=text)
