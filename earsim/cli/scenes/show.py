"""`earsim show`: one scenario, its scene, agents and goal."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.scenes.scene_views import object_table, scene_tree
from earsim.cli.screen import Screen, examples, line, row, safe, table
from earsim.engine import Engine
from earsim.envs.observation import full_text
from earsim.episode import Episode
from earsim.errors import UsageError
from earsim.prose import number
from earsim.render.words.goals import goal_lines
from earsim.schema import Scene, to_json
from earsim.suites.finding import find_scenario, find_scene
from earsim.world import Blueprint, Physics, World

EXAMPLES = examples(
    "earsim show crystal_lab --picture plan.svg",
    "earsim show crystal_lab/purest_sulphate",
    "earsim show eval-single/00001 --format table",
    "earsim show my_scene.yaml/my_task --picture plan.svg",
)


class ShowFormat(StrEnum):
    """How the scene is shown."""

    TREE = "tree"
    TABLE = "table"
    JSON = "json"
    FULL = "full"


def command(
    scenario: Annotated[str, typer.Argument(help="A scene or scenario id, a file, or FILE/TASK.")],
    form: Annotated[
        ShowFormat,
        typer.Option("--format", help="json: the scenario file; full: what an agent would read."),
    ] = ShowFormat.TREE,
    picture: Annotated[
        Path | None, typer.Option(help="Write the floor plan to this .png or .svg file instead.")
    ] = None,
) -> None:
    """Show a scene, or a scenario: scene, agents, instruction and goal."""
    screen = Screen()
    scene = find_scene(scenario)
    if scene is not None:
        world = World(Blueprint.compile(scene, ()), Physics())
        if picture is not None:
            _draw(screen, world, scene.title or scene.id, picture)
        elif form in (ShowFormat.TREE, ShowFormat.TABLE):
            _show_scene(screen, scene, world, form)
        elif form is ShowFormat.JSON:
            typer.echo(to_json(scene, indent=2))
        else:
            raise UsageError(f"{scenario} is a scene; --format {form} needs one of its tasks")
        return
    found = find_scenario(scenario)
    engine = Engine(found)
    if picture is not None:
        _draw(screen, engine.start(), engine.instruction, picture)
    elif form is ShowFormat.JSON:
        typer.echo(to_json(found, indent=2))
    elif form is ShowFormat.FULL:
        episode = Episode(engine, discovered=True)
        screen.say(safe(full_text(episode, episode.agents[0])))
    else:
        _show(screen, engine, form)


def _show_scene(screen: Screen, scene: Scene, world: World, form: ShowFormat) -> None:
    screen.say(
        line(scene.title or scene.id),
        ": " if scene.description else "",
        line(scene.description or ""),
    )
    screen.print(scene_tree(world) if form is ShowFormat.TREE else object_table(world))


def _show(screen: Screen, engine: Engine, form: ShowFormat) -> None:
    scenario = engine.scenario
    task = scenario.task
    screen.say(safe(scenario.id, "bold"), f"  {task.category}, ruleset {engine.ruleset.id}")
    _show_scene(screen, scenario.scene, engine.start(), form)
    _show_agents(screen, engine)
    screen.say("Task: ", safe(engine.instruction, "bold"), f" (budget {engine.budget} decisions)")
    for part in goal_lines(task.goal, engine.task.answer, engine.blueprint):
        screen.say("Goal: ", line(part))


def _show_agents(screen: Screen, engine: Engine) -> None:
    shown = table("agent", "name", "starts in", "lifts kg", "hands", numbers=("lifts kg", "hands"))
    for body in engine.blueprint.bodies.values():
        room = engine.blueprint.name(body.start_room)
        row(shown, body.id, body.name, room, number(body.max_mass_kg), body.hands)
    screen.print(shown)


def _draw(screen: Screen, world: World, caption: str, path: Path) -> None:
    from earsim.render.picture import draw, to_png, to_svg

    drawing = draw(world, caption=caption)
    if path.suffix == ".svg":
        path.write_text(to_svg(drawing), encoding="utf-8")
    elif path.suffix == ".png":
        to_png(drawing, path)
    else:
        raise UsageError(f"{path}: a picture is a .png or .svg file")
    screen.say("The floor plan is in ", safe(str(path)), ".")
