"""What `earsim generate-llm` shows: progress while it asks, and in the end what came of it."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from rich.text import Text

from earsim.cli.evaluation.live_table import LiveProgress, money
from earsim.cli.screen import Screen, row, safe, table

Pipeline: TypeAlias = Any
"""An `earsim_generators.llm.Pipeline`: that package lies above this one."""

Sorted: TypeAlias = Any
"""What its folder says that was accepted and rejected."""

_SHOWN_REASONS = 8


def progress_of(pipeline: Pipeline, screen: Screen) -> LiveProgress:
    """A line that stays up to date, or one now and then."""
    return LiveProgress(screen, lambda: Text(_said(pipeline)), lambda: _said(pipeline))


def _said(pipeline: Pipeline) -> str:
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
        counts = (each.answers, each.repairs, each.kept)
        tokens = (each.prompt_tokens, each.completion_tokens)
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
