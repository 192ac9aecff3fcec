"""`earsim plan`: how a scenario is solved, decision by decision, or why it cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, examples, line, safe
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.errors import UnknownName, UsageError
from earsim.planner import (
    DEFAULT_NODE_LIMIT,
    CommandClass,
    Impossible,
    Knowledge,
    Plan,
    Result,
    Unknown,
    plan,
)
from earsim.planner.acting.execution import done_for_all
from earsim.planner.version import PLANNER_VERSION
from earsim.render import proof
from earsim.schema.files.edit import write_walkthrough
from earsim.schema.files.load import SUFFIXES
from earsim.suites.finding import find_scenario
from earsim.suites.opening import scenes_root

EXAMPLES = examples(
    "earsim plan crystal_lab/purest_sulphate",
    "earsim plan crystal_lab/fullest_argon --agents ines",
    "earsim plan my_scene.yaml/my_task --walkthrough",
    "earsim plan my_scene.yaml/my_task --walkthrough --write",
    "earsim plan eval-multi/00001 --command-class any --json",
)


def command(
    scenario: Annotated[str, typer.Argument(help="A scenario id, its file, or FILE/TASK.")],
    knowledge: Annotated[
        Knowledge, typer.Option(help="global: everything is discovered at the start.")
    ] = Knowledge.ORACLE,
    command_class: Annotated[
        CommandClass, typer.Option(help="any: also what the prompts of ear-bench do not tell.")
    ] = CommandClass.PLAIN,
    ruleset: Annotated[str | None, typer.Option(help="Instead of the scenario's own.")] = None,
    agents: Annotated[
        str | None, typer.Option(help="Who may act, as in a,b; the others stand and wait.")
    ] = None,
    nodes: Annotated[
        int, typer.Option(min=1, help="States the search may reach.")
    ] = DEFAULT_NODE_LIMIT,
    walkthrough: Annotated[
        bool, typer.Option("--walkthrough", help="Print the plan as a task file has it, in YAML.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="With --walkthrough: put it into the file instead.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --write: replace the walkthrough that is there.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Solve a scenario in as few decisions as possible; exit 1 where there is no plan."""
    if (write and not walkthrough) or (force and not write):
        raise UsageError("--write goes with --walkthrough, and --force with --write")
    file = _own_file(scenario) if write else None
    engine = Engine(find_scenario(scenario), ruleset)
    found = plan(
        engine,
        knowledge=knowledge,
        command_class=command_class,
        agents=_known(engine, agents),
        nodes=nodes,
    )
    if file is not None and isinstance(found, Plan):
        entries = walkthrough_entries(engine, found)
        write_walkthrough(file, engine.scenario.task.id, entries, force=force)
        Screen().say(line(f"{file}: the walkthrough is written, decisions: {len(entries)}."))
    elif walkthrough and isinstance(found, Plan):
        typer.echo(_walkthrough(engine, found))
    elif as_json:
        typer.echo(json.dumps(_as_json(engine, found, nodes), indent=2))
    else:
        _tell(Screen(), engine, found, nodes, discovered=knowledge is Knowledge.GLOBAL)
    if not isinstance(found, Plan):
        raise typer.Exit(Code.NO)


def _own_file(scenario: str) -> Path:
    """The scene or scenario file that a text names, which must be a file of the user's own."""
    for path in (Path(scenario), Path(scenario).parent):
        if path.suffix in SUFFIXES and path.is_file():
            if scenes_root().resolve() in path.resolve().parents:
                break
            return path
    raise UsageError(
        f"--write: {scenario} is not in a file of yours; expected FILE/TASK, as in scene.yaml/task"
    )


def _walkthrough(engine: Engine, found: Plan) -> str:
    """The key of a task."""
    entries = (
        json.dumps(entry, ensure_ascii=False) for entry in walkthrough_entries(engine, found)
    )
    return "\n".join(("walkthrough:", *(f"  - {entry}" for entry in entries)))


def walkthrough_entries(engine: Engine, found: Plan) -> list[str | dict[str, str]]:
    """The decisions of a plan as a walkthrough has them; in a team, each is by agent.

    What is carried together in the end is set down, for DONE is refused to who carries it.
    """
    decisions = [dict(decision) for decision in found.decisions]
    if len(engine.blueprint.bodies) == 1:
        return [next(iter(decision.values())) for decision in decisions]
    world = engine.start()
    for decision in decisions:
        engine.step(world, decision)
    closing = done_for_all(world, engine.task.goal.holds)
    release = {agent: said for agent, said in closing.items() if said.startswith("RELEASE")}
    return [*decisions, *([release] if release else [])]


def _known(engine: Engine, agents: str | None) -> tuple[str, ...] | None:
    if agents is None:
        return None
    names = tuple(name.strip() for name in agents.split(",") if name.strip())
    for name in names:
        if name not in engine.blueprint.bodies:
            raise UnknownName("agent", name, engine.blueprint.bodies)
    return names or None


def _tell(screen: Screen, engine: Engine, found: Result, nodes: int, *, discovered: bool) -> None:
    screen.say(safe(engine.scenario.id, "bold"), f"  ruleset {engine.ruleset.id}")
    screen.say(line(engine.instruction, "italic"))
    if isinstance(found, Plan):
        _play(screen, engine, found, discovered=discovered)
    screen.say(line(_summary(engine, found)))
    screen.say(f"{found.nodes:,} nodes of at most {nodes:,}, planner {PLANNER_VERSION}.")


def _play(screen: Screen, engine: Engine, found: Plan, *, discovered: bool) -> None:
    episode = Episode(engine, discovered=discovered)
    for commands in found.decisions:
        episode.step(commands)
        count = f"{episode.decisions:>4}  "
        for agent, text in commands.items():
            name = engine.blueprint.name(agent)
            screen.say(count, line(name), ": ", line(text, "bold"))
            screen.say(" " * 10, line(episode.feedback(agent)))
            count = " " * len(count)
    reached = engine.task.goal.holds(episode.world)
    screen.say("The goal is reached." if reached else "The goal is NOT reached.")


def _summary(engine: Engine, found: Result) -> str:
    if isinstance(found, Plan):
        seconds = found.seconds
        return f"{proof.length(len(found), found.bound, least=found.least, seconds=seconds)}."
    if isinstance(found, Impossible):
        return f"There is no plan. {proof.impossible(found.why, found.facts, engine.blueprint)}"
    named = engine.blueprint.named(found.workstation) if found.workstation else ""
    return proof.unknown(found.limit, found.nodes, found.bound, workstation=named)


def _as_json(engine: Engine, found: Result, nodes: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "scenario": engine.scenario.id,
        "scenario_hash": engine.scenario.hash,
        "ruleset": engine.ruleset.id,
        "planner": PLANNER_VERSION,
        "instruction": engine.instruction,
        "nodes": found.nodes,
        "node_limit": nodes,
    }
    if isinstance(found, Plan):
        told |= {"found": "plan", "decisions": [dict(decision) for decision in found.decisions]}
        told |= {"commands": found.commands, "least": found.least, "bound": found.bound}
        if found.seconds is not None:
            told |= {"seconds": found.seconds, "margin_ms": found.margin_ms}
    elif isinstance(found, Impossible):
        told |= {"found": "impossible", "why": found.why.value, "facts": dict(found.facts)}
    elif isinstance(found, Unknown):
        told |= {"found": "unknown", "bound": found.bound}
    return told | {"sentence": _summary(engine, found)}
