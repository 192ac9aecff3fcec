"""How far an evaluation is: a live table where somebody watches, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from earsim.cli.screen import percent, row, table
from earsim.evaluation.metrics.statistics import Trials, rate_interval
from earsim.evaluation.runs.progress import CellProgress, Progress

EVERY_S = 15.0
"""Between plain lines."""

_ALWAYS = ("done", "solved", "95 %", "unmeasured")
_TOKENS = ("tokens", "cached")


class LiveProgress:
    """Shows progress on stderr: what stays up to date on a terminal, elsewhere a line at times."""

    def __init__(
        self, screen: Console, shown: Callable[[], RenderableType], said: Callable[[], str]
    ) -> None:
        self._screen, self._shown, self._said = screen, shown, said
        self._said_at = time.monotonic()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Show progress while the block runs."""
        if not self._screen.is_terminal:
            yield
            return
        shown = self._shown
        with Live(get_renderable=shown, console=self._screen, refresh_per_second=2, transient=True):
            yield

    def look(self, done: object = None) -> None:
        """Something is done."""
        if self._screen.is_terminal or time.monotonic() - self._said_at < EVERY_S:
            return
        self._said_at = time.monotonic()
        self._screen.print(Text(self._said()), soft_wrap=True)


class LiveTable(LiveProgress):
    """The progress of an evaluation; `look` after every episode."""

    def __init__(self, progress: Progress, screen: Console) -> None:
        super().__init__(screen, lambda: live(progress), lambda: said(progress))


def live(progress: Progress) -> Group:
    """The table, and one line with speed and time left."""
    return Group(standing(progress), Text(_pace(progress)))


def standing(progress: Progress) -> Any:
    """A row for each cell, and one over all where there are several; tokens only of models."""
    total = progress.total
    rows = [(cell, cell.cost) for cell in progress.cells.values()]
    if len(rows) > 1:
        rows.append((total, progress.cost))
    told = [_ALWAYS, *([_TOKENS] if total.usage.prompt else [])]
    told += [("cost",)] if progress.cost is not None else []
    names = tuple(name for group in told for name in group)
    shown = table("cell", *names, numbers=names)
    for cell, cost in rows:
        figures = _figures(cell, cost)
        style = "bold" if cell is total else ""
        row(shown, cell.name, *(figures[name] for name in names), style=style)
    return shown


def _figures(cell: CellProgress, cost: float | None) -> dict[str, str]:
    return {
        "done": f"{cell.done:,}/{cell.planned:,}",
        "solved": percent(cell.successes / cell.done if cell.done else None),
        "95 %": _interval(cell) if cell.done else "-",
        "unmeasured": f"{cell.not_measured:,}",
        "tokens": f"{cell.usage.prompt + cell.usage.completion:,}",
        "cached": percent(cell.cached_share),
        "cost": money(cost),
    }


def _interval(cell: CellProgress) -> str:
    """The 95 % interval of the rate, as a report has it: repeats are no independent trials."""
    scenarios = [Trials(cell.solved[id], count) for id, count in cell.trials.items()]
    low, high = rate_interval(scenarios)
    return f"{100 * low:.0f}-{100 * high:.0f}"


def said(progress: Progress) -> str:
    """All that the live table says, in one line."""
    total = progress.total
    parts = [f"{total.done:,}/{total.planned:,} episodes"]
    if total.done:
        solved = percent(total.successes / total.done)
        parts.append(f"{solved} solved ({_interval(total)})")
    if total.not_measured:
        parts.append(f"{total.not_measured:,} not measured")
    if total.cached_share is not None:
        parts.append(f"{percent(total.cached_share)} of prompts from prefix caches")
    if progress.cost is not None:
        parts.append(f"cost {money(progress.cost)}")
    return ", ".join([*parts, _pace(progress)])


def _pace(progress: Progress) -> str:
    parts = [f"{duration(progress.seconds)} so far"]
    if progress.tokens_per_second is not None:
        parts.append(f"{progress.tokens_per_second:,.0f} tokens/s")
    if progress.seconds_left is not None:
        parts.append(f"{duration(progress.seconds_left)} left")
    return ", ".join(parts)


def money(cost: float | None) -> str:
    """A cost; a dash where no price is known."""
    if cost is None:
        return "-"
    return f"{cost:,.2f}" if cost >= 1 else f"{cost:.4f}"


def duration(seconds: float) -> str:
    """`42 s`, `7 min`, `3 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
