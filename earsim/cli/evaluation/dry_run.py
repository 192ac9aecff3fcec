"""What `earsim eval --dry-run` shows: the first prompt, and what the run would take at most."""

from __future__ import annotations

import json
from typing import Any

from earsim.cli.evaluation.live_table import money
from earsim.cli.report_screen import show_table
from earsim.cli.screen import Screen, safe
from earsim.evaluation.runs.dry_run import DryRun, dry_run
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.tables.document import Cell, Table

_HEAD = ("cell", "episodes", "calls", "prompt tokens", "completion tokens", "cost")


def tell_rehearsal(evaluation: Evaluation, screen: Screen) -> None:
    """Rehearse every cell and show what came of it."""
    found = [
        dry_run(
            cell,
            [job for job in evaluation.jobs if job.cell == cell.name],
            evaluation.suites[cell.suite].suite,
        )
        for cell in evaluation.cells
    ]
    for each in found:
        _show_request(each, screen)
        if each.request is not None:
            break
    show_table(screen, Table("", _HEAD).with_rows((each.cell, *_figures(each)) for each in found))
    screen.say(
        "At most: every episode takes its whole budget and every answer its whole limit; prompts "
        "are taken to be as long as the first, four bytes to a token. Nothing was sent."
    )


def _show_request(found: DryRun, screen: Screen) -> None:
    if found.request is None:
        return
    screen.say(safe(f"The first request of {found.cell}, for {found.scenario_id}:"))
    for message in found.request.get("messages", ()):
        screen.say()
        screen.say(safe(f"[{message['role']}]", style="bold"))
        screen.say(safe(_text(message["content"])))
    rest = {key: value for key, value in found.request.items() if key != "messages"}
    screen.say()
    screen.say(safe(f"with {json.dumps(rest, ensure_ascii=False)}"))


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _figures(found: DryRun) -> tuple[Cell, ...]:
    if found.request is None:
        return (found.episodes, "-", "-", "-", "-")
    tokens = (found.calls, found.prompt_tokens, found.completion_tokens)
    return (found.episodes, *tokens, money(found.cost))
