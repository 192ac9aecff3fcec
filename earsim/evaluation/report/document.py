"""A report before it has a format: sections with tables and pictures, all of it untrusted text.

Names of models, policies, roles and reasons come from files. Nothing here is markup: each format
escapes every cell on its own terms.
"""

from __future__ import annotations

from typing import NamedTuple


class TableRow(NamedTuple):
    """A row of a table.

    Attributes:
        published: quoted from elsewhere, not measured here.
        strong: a sum over the other rows.
    """

    cells: tuple[str, ...]
    published: bool = False
    strong: bool = False


class Table(NamedTuple):
    """A table.

    Attributes:
        head: one word or two per column.
        texts: how many columns from the left hold text; the others hold numbers.
        note: what a reader must know to read it; may be empty.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[TableRow, ...]
    texts: int = 1
    note: str = ""


class Picture(NamedTuple):
    """A plot, drawn.

    Attributes:
        name: for a file, without ending.
        alt: what it shows, for those who do not see it.
    """

    name: str
    alt: str
    png: bytes


class Section(NamedTuple):
    """A part of a report."""

    title: str
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    text: str = ""


class Report(NamedTuple):
    """A whole report.

    Attributes:
        warnings: what stands against reading numbers together.
    """

    title: str
    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = ()
