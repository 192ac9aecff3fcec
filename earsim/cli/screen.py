"""What reaches the terminal. Text of scenes, models and files is never taken for markup.

Screens have rich's markup off, so that a name such as `[red]` is printed as it reads; style comes
from `Text` objects only. Every text that is not ours goes through `safe`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from earsim.ids import printable

T = TypeVar("T")

_BREAKS = re.compile(r"[\t\n]+ *")

LOG_WIDTH = 120
"""Columns where there is no terminal to ask and `COLUMNS` does not say."""


class Screen(Console):
    """A console that takes nothing for markup, and leaves a closed pipe to the boundary."""

    def __init__(self, *, stderr: bool = False) -> None:
        stream = sys.stderr if stderr else sys.stdout
        known = stream.isatty() or "COLUMNS" in os.environ
        super().__init__(
            stderr=stderr,
            markup=False,
            highlight=False,
            emoji=False,
            width=None if known else LOG_WIDTH,
        )

    def on_broken_pipe(self) -> None:
        """Nobody reads any more."""
        raise BrokenPipeError

    def say(self, *parts: str | Text) -> None:
        """One line, which only the terminal itself may break."""
        self.print(Text.assemble(*parts), soft_wrap=True)

    def first(self, items: Sequence[T], most: int, rest: str = "") -> Iterator[T]:
        """So many of the items; how many more there are is said after them."""
        yield from items[:most]
        if len(items) > most:
            self.say(f"... and {len(items) - most:,} more{rest}")


def safe(text: str, style: str = "") -> Text:
    """Untrusted text, with control characters shown as escapes."""
    return Text(printable(text), style=style)


def line(text: str, style: str = "") -> Text:
    """Untrusted text as one line."""
    return safe(_BREAKS.sub(" ", text), style)


def complain(message: str) -> None:
    """Tell what went wrong, on stderr."""
    Screen(stderr=True).say(Text("error: ", style="bold red"), safe(message))


def table(*columns: str, numbers: tuple[str, ...] = (), whole: tuple[str, ...] = ()) -> Table:
    """An empty table; `numbers` are set to the right, `whole` columns are never broken."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name in columns:
        made.add_column(
            name,
            justify="right" if name in numbers else "left",
            no_wrap=name in whole or name in numbers,
            overflow="fold",
        )
    return made


def row(into: Table, *cells: Any, style: str = "") -> None:
    """Add a row of untrusted values."""
    into.add_row(*(c if isinstance(c, Text) else line(str(c)) for c in cells), style=style)


def percent(share: float | None) -> str:
    """`73.3 %`, or a dash for what was not measured."""
    return "-" if share is None else f"{100 * share:.1f} %"


def examples(*commands: str) -> str:
    """The epilog of a command's help."""
    return "\n\n".join(("Examples:", *commands))
