"""What `earsim generate-llm` shows: progress while it asks, and in the end what came of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from rich.live import Live
from rich.text import Text

from earsim.cli.evaluation.live_table import EVERY_S, money
from earsim.cli.screen import Screen, row, safe, table

Pipeline: TypeAlias = Any
"""An `earsim_generators.llm.Pipeline`: that package lies above this one."""

Sorted: TypeAlias = Any
"""What its folder says that was accepted and rejected."""

_SHOWN_REASONS = 8


class GenerationProgress:
    """Progress on stderr: a line that stays up to date, or one now and then."""

    def __init__(self, pipeline: Pipeline, screen: Screen) -> None:
        self._pipeline = pipeline
        self._screen = screen
        self._said_at = time.monotonic()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Show progress while the block runs."""
        if not self._screen.is_terminal:
            yield
            return
        with Live(
            get_renderable=lambda: Text(self._said()),
            console=self._screen,
            refresh_per_second=2,
            transient=True,
        ):
            yield

    def look(self, result: object) -> None:
        """A scene has been decided."""
        if self._screen.is_terminal or time.monotonic() - self._said_at < EVERY_S:
            return
        self._said_at = time.monotonic()
        self._screen.say(self._said())

    def _said(self) -> str:
        pipeline = self._pipeline
        done, ledger = pipeline.results.values(), pipeline.ledger
        kept = sum(len(result.scenarios) for result in done)
        rejected = sum(len(result.rejected) for result in done)
        cost = f", cost {money(ledger.cost)}" if ledger.cost is not None else ""
        return (
            f"{len(done):,}/{pipeline.settings.n:,} scenes, {kept:,} tasks kept, {rejected:,} "
            f"rejected, {ledger.answers:,} answers, {ledger.tokens:,} tokens{cost}"
        )


def tell_usage(screen: Screen, pipeline: Pipeline) -> None:
    """A row for each stage and model that was asked."""
    numbers = ("answers", "repairs", "from file", "prompt tokens", "completion tokens", "cost")
    shown = table("stage", "model", *numbers, numbers=numbers, whole=("stage",))
    for each in pipeline.ledger.rows:
        account = each.account
        counts = (account.answers, account.repairs, account.kept)
        tokens = (account.prompt_tokens, account.completion_tokens)
        figures = [f"{count:,}" for count in (*counts, *tokens)]
        row(shown, each.stage.value, each.model, *figures, money(each.cost))
    screen.print(shown)


def tell_categories(screen: Screen, pipeline: Pipeline, found: Sorted) -> None:
    """What was kept of each category."""
    accepted = Counter(each.scenario.task.category for each in found.accepted)
    rejected = Counter(each.category for each in found.rejected)
    tasks = table("category", "kept", "rejected", numbers=("kept", "rejected"))
    for category in pipeline.settings.categories:
        row(tasks, category.value, f"{accepted[category]:,}", f"{rejected[category]:,}")
    row(tasks, "scenes without tasks", "-", f"{rejected[None]:,}")
    screen.print(tasks)


def tell_rejected(screen: Screen, pipeline: Pipeline, found: Sorted) -> None:
    """How many were not kept, and the most common reasons."""
    if not found.rejected:
        return
    screen.say(
        safe(f"{len(found.rejected):,} rejected, with reasons in {pipeline.folder.rejected}:")
    )
    reasons = Counter((each.stage.value, each.flaw.value) for each in found.rejected)
    first = {(each.stage.value, each.flaw.value): each for each in reversed(found.rejected)}
    for reason, count in reasons.most_common(_SHOWN_REASONS):
        told = (first[reason].findings or ("",))[0]
        screen.say(safe(f"  {count:>4} {' of '.join(reversed(reason))}, such as: {told}"))
