"""`earsim list`: which suites there are, and which scenarios a suite holds."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from earsim.cli.screen import Screen, examples, line, row, table
from earsim.engine import Engine
from earsim.errors import EarSimError
from earsim.suites import Suite, open_suite, suite_names
from earsim.suites.finding import find_suite
from earsim.suites.folder import FolderSuite

EXAMPLES = examples(
    "earsim list",
    "earsim list starter --category tool_use",
    "earsim list eval-single --limit 20 --json",
)

_MOST_CHARS = 160
"""Of an instruction in the table; some fill a screen."""


def command(
    suite: Annotated[
        str | None, typer.Argument(help="Name or path; all suites if left out.")
    ] = None,
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List suites, or the scenarios of one."""
    if suite is None:
        entries = [_about_suite(name) for name in suite_names()]
        show = _show_suites
    else:
        chosen = find_suite(suite).suite.select(category=category, limit=limit)
        entries = [_about_scenario(chosen, scenario_id) for scenario_id in chosen.ids]
        show = _show_scenarios
    if as_json:
        typer.echo(json.dumps(entries, indent=2))
    else:
        show(Screen(), entries)


def _about_suite(name: str) -> dict[str, Any]:
    try:
        found = open_suite(name)
        return {"suite": name, "scenarios": len(found), "ids": list(_shown_ids(found))}
    except EarSimError as error:
        return {"suite": name, "scenarios": None, "problem": str(error)}


def _shown_ids(suite: Suite) -> tuple[str, ...]:
    """Ids of the suites that are written by hand; the others are long."""
    return suite.ids if isinstance(suite, FolderSuite) else ()


def _show_suites(screen: Screen, entries: list[dict[str, Any]]) -> None:
    shown = table("suite", "scenarios", "", numbers=("scenarios",), whole=("suite",))
    for entry in entries:
        count = entry["scenarios"]
        row(
            shown,
            entry["suite"],
            "-" if count is None else f"{count:,}",
            entry.get("problem", ""),
        )
    screen.print(shown)
    for entry in entries:
        for scenario_id in entry.get("ids", ()):
            screen.say("  ", line(scenario_id))
    screen.say("\nMore: earsim list SUITE, earsim show SCENARIO")


def _about_scenario(suite: Suite, scenario_id: str) -> dict[str, Any]:
    try:
        scenario = suite.load(scenario_id)
        told = Engine(scenario).instruction
    except EarSimError as error:
        return {"id": scenario_id, "problem": str(error)}
    return {
        "id": scenario_id,
        "category": scenario.task.category.value,
        "agents": len(scenario.agents),
        "rooms": len(scenario.scene.rooms),
        "objects": len(scenario.scene.objects),
        "instruction": told,
    }


def _show_scenarios(screen: Screen, entries: list[dict[str, Any]]) -> None:
    numbers = ("agents", "rooms", "objects")
    shown = table("id", "category", *numbers, "instruction", numbers=numbers, whole=("id",))
    is_any_cut = False
    for entry in entries:
        if "problem" in entry:
            row(
                shown,
                entry["id"],
                "-",
                *("-" for _ in numbers),
                f"cannot be loaded: {entry['problem']}",
            )
        else:
            told = entry["instruction"]
            if len(told) > _MOST_CHARS:
                told, is_any_cut = f"{told[:_MOST_CHARS].rstrip()} …", True
            row(shown, *{**entry, "instruction": told}.values())
    screen.print(shown)
    whole = "; --json has instructions whole" if is_any_cut else ""
    screen.say(f"{len(entries):,} scenarios{whole}")
