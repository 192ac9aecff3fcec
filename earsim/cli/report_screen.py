"""A report on the terminal: tables in strips that fit, so that no number is ever cut."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from earsim.cli.screen import Screen, line, row, safe, table
from earsim.tables.document import Report, Table

_NARROW = 6
_GAP = 3


def show_document(document: Report) -> None:
    """Print a report without the definitions: files must explain themselves, a terminal not."""
    screen = Screen()
    for warning in document.warnings:
        screen.say(Text("warning: ", style="bold yellow"), line(warning))
    for section in document.sections:
        if section.title == "Definitions":
            continue
        screen.say(Text(f"\n{section.title}", style="bold"))
        for each in section.tables:
            show_table(screen, each)


def show_table(screen: Screen, shown: Table) -> None:
    """Print a table with its title and note; nothing if it has no rows."""
    if not shown.rows:
        return
    if shown.title:
        screen.say(line(shown.title))
    rows = [shown.texts_of(each) for each in shown.rows]
    heads: Sequence[str] = shown.texts_of_head
    columns = [*zip(*rows, strict=True)]
    if sum(map(_width, heads, columns)) > screen.width:
        heads = [
            _folded(name, max(map(len, texts))) for name, texts in zip(heads, columns, strict=True)
        ]
    for strip in _strips(shown.texts, [*map(_width, heads, columns)], screen.width):
        made = table()
        for index in strip:
            number = index >= shown.texts
            made.add_column(
                safe(heads[index]),
                justify="right" if number else "left",
                no_wrap=number,
                overflow="fold",
            )
        for each, texts in zip(shown.rows, rows, strict=True):
            style = "bold" if each.strong else "italic" if each.published else ""
            row(made, *(texts[index] for index in strip), style=style)
        screen.print(made)
    if shown.note:
        screen.print(line(shown.note.replace("*", "")))


def _strips(named: int, widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """The columns in strips that fit on the screen, each with the texts that name its rows."""
    room = width - min(width // 2, sum(widths[:named]))
    strip: list[int] = []
    used = 0
    for index in range(named, len(widths)):
        if strip and used + widths[index] > room:
            yield [*range(named), *strip]
            strip, used = [], 0
        strip.append(index)
        used += widths[index]
    yield [*range(named), *strip]


def _width(head: str, texts: Iterable[str]) -> int:
    """Characters that a column takes, the gap beside it included."""
    return max(map(cell_len, (*head.split("\n"), *texts))) + _GAP


def _folded(head: str, width: int) -> str:
    """A column's head in several lines, so that it takes no more room than what is below it."""
    return "\n".join(textwrap.wrap(head, max(width, _NARROW), break_long_words=False))
