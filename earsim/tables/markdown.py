"""A report as Markdown: tables that any renderer of GitHub's dialect shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from earsim.ids import printable
from earsim.tables.document import Report, Section, Table, TableRow

_BREAKS = re.compile(r"\s+")
_MARKUP = re.compile(r"([\\`*_\[\]<>|~$&]|:(?=[\w+-]+:))")
"""A colon only where it begins a name between colons, which some renderers turn into a picture."""


def markdown(document: Report, *, pictures: str = "") -> str:
    """The report as text.

    Args:
        document: the report.
        pictures: folder of the plots as seen from the text; without it they are left out.
    """
    lines = [f"# {escaped(document.title)}"]
    if document.text:
        lines.append(document.text)
    if document.warnings:
        lines.append("\n".join(f"> **Warning:** {escaped(w)}  " for w in document.warnings))
    for section in document.sections:
        lines += _section(section, pictures)
    return "\n\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text that reads as itself: one line, nothing of it markup."""
    return _MARKUP.sub(r"\\\1", _BREAKS.sub(" ", printable(text)))


def _section(section: Section, pictures: str) -> Iterator[str]:
    yield f"## {escaped(section.title)}"
    if section.text:
        yield section.text
    for table in section.tables:
        if table.title:
            yield f"### {escaped(table.title)}"
        yield table_text(table)
        if table.note:
            yield table.note
    for picture in section.pictures if pictures else ():
        yield f"![{escaped(picture.alt)}]({pictures}/{picture.name}.png)"


def table_text(table: Table) -> str:
    """The table alone, without title and note."""
    rule = [":--" if i < table.texts else "--:" for i in range(len(table.head))]
    rows = (_cells(row, table.texts_of(row)) for row in table.rows)
    lines = [tuple(map(escaped, table.texts_of_head)), rule, *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cells(row: TableRow, texts: Iterable[str]) -> list[str]:
    mark = "**" if row.strong else "*" if row.published else ""
    return [f"{mark}{escaped(text)}{mark}" if text else "" for text in texts]
