"""`earsim export-pddl`: a scenario for the planners of that community, and their plans back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, examples, line, safe
from earsim.engine import Engine
from earsim.planner import CommandClass
from earsim.planner.pddl import PddlTask, export, read_plan, replay
from earsim.suites.finding import find_scenario

EXAMPLES = examples(
    "earsim export-pddl lake_station/deepest_water --out lake",
    "earsim export-pddl lake_station/deepest_water --read-plan lake/sas_plan",
    "earsim export-pddl eval-single/00001",
)


def command(
    scenario: Annotated[str, typer.Argument(help="A scenario id, its file, or FILE/TASK.")],
    ruleset: Annotated[str | None, typer.Option(help="Instead of the scenario's own.")] = None,
    command_class: Annotated[
        CommandClass, typer.Option(help="Of ear-bench only plain can be exported.")
    ] = CommandClass.PLAIN,
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("pddl"),
    plan: Annotated[
        Path | None,
        typer.Option("--read-plan", help="Write nothing; carry out this plan of the task."),
    ] = None,
) -> None:
    """Write a scenario for one agent as PDDL, or carry out a plan that was found for it.

    One action is one command, so a shortest plan has the fewest commands. With --read-plan, exit 1
    where a command is refused or the goal is not reached.
    """
    engine = Engine(find_scenario(scenario), ruleset)
    task = export(engine, command_class=command_class)
    if plan is None:
        _write(Screen(), engine, task, command_class, out)
    else:
        _carry_out(Screen(), engine, task, plan)


def _write(
    screen: Screen, engine: Engine, task: PddlTask, command_class: CommandClass, folder: Path
) -> None:
    files = {
        "domain.pddl": task.domain,
        "problem.pddl": task.problem,
        "commands.json": json.dumps(_commands(engine, task, command_class), indent=2) + "\n",
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        screen.say(safe(str(folder / name)))


def _commands(
    engine: Engine, task: PddlTask, command_class: CommandClass
) -> dict[str, str | dict[str, str]]:
    """What it takes to translate a plan without us."""
    return {
        "scenario": engine.scenario.id,
        "scenario_hash": engine.scenario.hash,
        "ruleset": engine.ruleset.id,
        "command_class": command_class.value,
        "agent": task.agent,
        "actions": dict(task.commands),
        "objects": {name: node for node, name in task.names.items()},
    }


def _carry_out(screen: Screen, engine: Engine, task: PddlTask, path: Path) -> None:
    commands = read_plan(task, path.read_text(encoding="utf-8", errors="replace"), source=str(path))
    found = replay(engine, task, commands)
    for number, (command_text, outcome) in enumerate(
        zip(commands, found.outcomes, strict=True), start=1
    ):
        refused = "" if outcome.reason is None else f"  REFUSED ({outcome.reason.value})"
        screen.say(f"{number:>4}  ", line(command_text, "bold"), safe(refused, "bold red"))
    reached = "reached" if found.reached else "NOT reached"
    count = f"{len(commands)} command{'s' * (len(commands) != 1)}"
    screen.say(f"The goal is {reached}, after {count}.")
    if not found.is_valid:
        raise typer.Exit(Code.NO)
