"""A progress bar around a loop, where somebody watches, and a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from earsim.cli.screen import Screen

T = TypeVar("T")

EVERY_S = 30.0
"""Between two lines, at least."""


def watched(
    items: Iterable[T], total: int, what: str, *, before: Callable[[], int] = lambda: 0
) -> Iterator[T]:
    """The items, with a bar on stderr that is gone afterwards.

    Where stderr is no terminal, a line tells every half a minute how far it has come.

    Args:
        items: What is counted.
        total: How many there are, with those of `before`.
        what: They are.
        before: How many were done earlier; asked once there is an item.
    """
    screen = Screen(stderr=True)
    if not screen.is_terminal:
        yield from _logged(items, total, what, screen, before)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=screen, transient=True) as bar:
        task = bar.add_task(what, total=total)
        for number, item in enumerate(items, 1):
            yield item
            bar.update(task, completed=before() + number)


def _logged(
    items: Iterable[T], total: int, what: str, screen: Screen, before: Callable[[], int]
) -> Iterator[T]:
    said = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        now, done = time.monotonic(), before() + number
        if now - said >= EVERY_S and done != total:
            screen.say(f"{what}: {done:,}" + (f" of {total:,}" if total else ""))
            said = now
