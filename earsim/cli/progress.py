"""A progress bar around a loop, where somebody watches, and a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from earsim.cli.screen import Screen

T = TypeVar("T")

EVERY_S = 30.0
"""Between two lines, at least."""


def watched(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items, with a bar on stderr that is gone afterwards.

    Where stderr is no terminal, a line tells every half a minute how far it has come.
    """
    screen = Screen(stderr=True)
    if not screen.is_terminal:
        yield from _logged(items, total, what, screen)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=screen, transient=True) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


def _logged(items: Iterable[T], total: int, what: str, screen: Screen) -> Iterator[T]:
    said = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        now = time.monotonic()
        if now - said >= EVERY_S and number < total:
            screen.say(f"{what}: {number:,} of {total:,}")
            said = now
