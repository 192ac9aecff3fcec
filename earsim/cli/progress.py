"""A progress bar around a loop, where somebody watches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from earsim.cli.screen import Screen

T = TypeVar("T")


def watched(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items, with a bar on stderr that is gone afterwards; none where stderr is no terminal."""
    screen = Screen(stderr=True)
    if not screen.is_terminal:
        yield from items
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=screen, transient=True) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)
