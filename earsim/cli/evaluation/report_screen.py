"""A report on the terminal: tables in strips that fit, so that no number is ever cut."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from earsim.cli.screen import Screen, line, row, safe, table
from earsim.evaluation.report.document import Report, Table

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
            _show_table(screen, each)


def _show_table(screen: Screen, shown: Table) -> None:
    if not shown.rows:
        return
    if shown.title:
        screen.say(line(shown.title))
    heads = [
        _folded(name, max(len(each.cells[index]) for each in shown.rows))
        for index, name in enumerate(shown.head)
    ]
    for columns in _strips(shown, heads, screen.width):
        made = table()
        for index in columns:
            number = index >= shown.texts
            made.add_column(
                safe(heads[index]),
                justify="right" if number else "left",
                no_wrap=number,
                overflow="fold",
            )
        for each in shown.rows:
            style = "bold" if each.strong else "italic" if each.published else ""
            row(made, *(each.cells[index] for index in columns), style=style)
        screen.print(made)
    if shown.note:
        screen.print(line(shown.note.replace("*", "")))


def _strips(shown: Table, heads: Sequence[str], width: int) -> Iterator[list[int]]:
    """The columns in strips that fit on the screen, each with the texts that name its rows."""
    texts = list(range(shown.texts))
    room = width - min(width // 2, sum(_width(shown, heads, index) for index in texts))
    strip: list[int] = []
    used = 0
    for index in range(shown.texts, len(heads)):
        needed = _width(shown, heads, index)
        if strip and used + needed > room:
            yield texts + strip
            strip, used = [], 0
        strip.append(index)
        used += needed
    yield texts + strip


def _width(shown: Table, heads: Sequence[str], index: int) -> int:
    """Characters that a column takes, the gap beside it included."""
    texts = (*heads[index].split("\n"), *(each.cells[index] for each in shown.rows))
    return max(map(cell_len, texts)) + _GAP


def _folded(head: str, width: int) -> str:
    """A column's head in several lines, so that it takes no more room than what is below it."""
    return "\n".join(textwrap.wrap(head, max(width, _NARROW), break_long_words=False))
