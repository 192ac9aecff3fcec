"""`earsim new`: a scene file, one more task in it, or a desk for each problem of a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.proofs.plan import walkthrough_entries
from earsim.cli.screen import Screen, examples, line
from earsim.engine import Engine
from earsim.errors import FileError, Finding, UsageError
from earsim.ids import is_id
from earsim.planner import Plan, plan
from earsim.schema import Scene
from earsim.schema.files.dump import to_json
from earsim.schema.files.edit import append_task
from earsim.schema.files.load import load_file, parse
from earsim.schema.scenario import SceneFile
from earsim.suites.dry_items import dry_items
from earsim.suites.opening import scenes_root

SCENE_EXAMPLES = examples("earsim new scene my_scene.yaml", "earsim new scene duo.yaml --agents 2")
TASK_EXAMPLES = examples(
    "earsim new task my_scene.yaml", "earsim new task my_scene.yaml --id tidy_up --agents 2"
)
DESK_EXAMPLES = examples("earsim new desks my_items.jsonl my_desks")

app = typer.Typer(
    no_args_is_help=True,
    help="Write a scene file, or a task, to start from.",
    epilog=examples("earsim new scene my_scene.yaml", "earsim new task my_scene.yaml"),
)

_SCENE = """\
# A scene to start from. `earsim validate` checks it after every change.
schema: earsim.scene/1
id: {id}
title: A small house
rooms:  # `connects` is an open passage; for a door, see `doors`
  - {{id: hall, name: Hall, area_m2: 8}}
  - {{id: kitchen, name: Kitchen, area_m2: 14}}
doors:  # closed and not locked, unless `states` says otherwise
  - {{id: kitchen_door, name: Kitchen door, between: [hall, kitchen]}}
objects:  # each is `in` a room or container, or `on` another object, and has a mass
  - {{id: table, name: Table, kind: furniture, in: hall, mass_kg: 20, size_m: [1.2, 0.8, 0.75]}}
  # A container: others can be put in it while it is open.
  - id: cupboard
    name: Cupboard
    kind: furniture
    in: kitchen
    mass_kg: 35
    size_m: [0.8, 0.4, 1.8]
    container: {{capacity_l: 300}}
    states: {{is_open: false}}
  # A tool: who holds it can do what it provides.
  - {{id: cloth, name: Cloth, kind: item, in: cupboard, mass_kg: 0.1, provides: [clean]}}
  - {{id: plate, name: Plate, kind: item, on: table, mass_kg: 0.6, states: {{is_dirty: true}}}}
"""

_ALONE = """\
tasks:
  - id: clean_the_plate
    category: tool_use
    agents: [{id: ann, name: Ann, max_mass_kg: 20, hands: 2}]  # starts in the first room
    instruction: "Clean the plate."  # what the agent is told
    goal: {all: [{has_state: {object: plate, state: is_dirty, equals: false}}]}  # what is judged
    budget: 36
    walkthrough:  # a plan that wins; `earsim plan FILE/TASK --walkthrough --write` writes one
      - GOTO kitchen_door
      - OPEN kitchen_door
      - GOTO kitchen
      - EXPLORE
      - GOTO cupboard
      - OPEN cupboard
      - GRAB cloth
      - GOTO hall
      - EXPLORE
      - GOTO plate
      - CLEAN plate
"""

_TEAM = """\
  # Too heavy for one of the agents below, not for two.
  - {id: bench, name: Bench, kind: item, in: hall, mass_kg: 30, size_m: [1.4, 0.4, 0.45]}
tasks:
  - id: bench_to_the_kitchen
    category: explicit_collaboration
    agents:  # they start in the first room
      - {id: ann, name: Ann, max_mass_kg: 20, hands: 2}
      - {id: ben, name: Ben, max_mass_kg: 20, hands: 2}
    instruction: "Ann and Ben, carry the bench to the kitchen."  # what the agents are told
    goal: {all: [{inside_room: {object: bench, room: kitchen}}]}  # what is judged
    budget: 24
    walkthrough:  # a plan that wins; `earsim plan FILE/TASK --walkthrough --write` writes one
      - {ann: EXPLORE, ben: GOTO kitchen_door}
      - {ann: GOTO bench, ben: OPEN kitchen_door}
      - {ben: GOTO bench}
      - {ann: CORP_GRAB bench, ben: CORP_GRAB bench}
      - {ann: CORP_GOTO kitchen, ben: CORP_GOTO kitchen}
      - {ann: CORP_PLACE bench in kitchen, ben: CORP_PLACE bench in kitchen}
"""

_TASK = """\
- id: {id}  # a task to start from: change it, and let `earsim validate` check it
  category: {category}
  agents:
{agents}
  instruction: {instruction}
  goal: {goal}
  walkthrough:  # a plan that wins
{walkthrough}
"""

_PEOPLE = ("ann", "ben")
_NODES = 2_000
_MOST_TRIED = 12

Agents = Annotated[int, typer.Option("--agents", min=1, max=2, help="How many agents act.")]


@app.command("scene", epilog=SCENE_EXAMPLES)
def new_scene(
    path: Annotated[Path, typer.Argument(help="The file to write, such as my_scene.yaml.")],
    agents: Agents = 1,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file, if there is one.")
    ] = False,
) -> None:
    """Write a small, commented scene file with one task that can be won."""
    if path.suffix not in (".yaml", ".yml"):
        raise UsageError(f"{path}: a scene file to start from is a .yaml file")
    if not is_id(path.stem):
        expected = "expected a name of letters, digits and _, such as my_scene.yaml"
        raise UsageError(f"{path}: {path.stem!r} cannot be the id of the scene; {expected}")
    text = _SCENE.format(id=path.stem) + (_ALONE if agents == 1 else _TEAM)
    loaded = parse(text, source=str(path))
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"{path}: expected the name of a file, in a folder that exists")
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        finding = Finding(str(path), "", "exists already", "--force replaces it")
        raise FileError(str(path), [finding]) from None
    _tell(path, loaded.tasks[0].id if isinstance(loaded, SceneFile) else "")


@app.command("desks", epilog=DESK_EXAMPLES)
def new_desks(
    items: Annotated[Path, typer.Argument(help="Dry problems that you have, as JSON lines.")],
    folder: Annotated[Path, typer.Argument(help="Folder for the scenes; made if need be.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that are there already.")
    ] = False,
) -> None:
    """Write a scene with a dry bench for every problem of a file; exit 1 where one has findings.

    Nothing is executed: `earsim validate` tells which solutions pass their tests here.
    """
    screen = Screen()
    written, refused = 0, list[Finding]()
    for found in dry_items(items):
        if isinstance(found, FileError):
            refused += found.findings
            continue
        path = folder / f"{found.scene.id}.json"
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists() and not force:
            refused.append(Finding(str(path), "", "exists already", "--force replaces it"))
            continue
        path.write_text(to_json(found, indent=1) + "\n", encoding="utf-8", newline="\n")
        written += 1
    for finding in refused:
        screen.say(line(str(finding)))
    screen.say(line(f"{folder}: {written} written. Try: earsim validate {folder}"))
    raise typer.Exit(1 if refused or not written else 0)


@app.command("task", epilog=TASK_EXAMPLES)
def new_task(
    file: Annotated[Path, typer.Argument(help="A scene file of yours.")],
    task: Annotated[str, typer.Option("--id", help="The id of the task.")] = "new_task",
    agents: Agents = 1,
) -> None:
    """Put a task to start from behind those of a scene file; nothing else of it changes."""
    if scenes_root().resolve() in file.resolve().parents:
        raise UsageError(f"{file} is one of the scenes that come along; copy it first")
    loaded = load_file(file)
    if not isinstance(loaded, SceneFile):
        reason, expected = "a scenario has one task", "expected a scene file"
        raise FileError(str(file), [Finding(str(file), "task", reason, expected)])
    if not is_id(task):
        raise UsageError(f"--id {task!r}: expected letters, digits and _")
    ids = [each.id for each in loaded.tasks]
    if task in ids:
        place, reason = f"tasks[{ids.index(task)}].id", f"there is a task {task!r} already"
        raise FileError(str(file), [Finding(str(file), place, reason, "give it another --id")])
    append_task(file, _winnable(loaded.scene, task, agents, file))
    _tell(file, task)


def _winnable(scene: Scene, task: str, agents: int, file: Path) -> str:
    """A task about something that agents can do in the scene."""
    taken = {each.id for part in (scene.rooms, scene.doors, scene.objects) for each in part}
    people = [name if name not in taken else f"agent_{name}" for name in _PEOPLE[:agents]]
    bodies = [{"id": id, "max_mass_kg": 20, "hands": 2} for id in people]
    words = {
        "id": task,
        "category": "direct_command" if agents == 1 else "explicit_collaboration",
        "agents": "\n".join(f"    - {_flow(body)}" for body in bodies),
    }
    for instruction, goal in _errands(scene):
        words |= {"instruction": json.dumps(instruction, ensure_ascii=False), "goal": _flow(goal)}
        raw = {
            "schema": "earsim.scene/1",
            **json.loads(scene.model_dump_json(by_alias=True, exclude_unset=True)),
            "tasks": [
                {
                    "id": task,
                    "category": words["category"],
                    "agents": bodies,
                    "instruction": instruction,
                    "goal": goal,
                }
            ],
        }
        tried = parse(json.dumps(raw), source=str(file), is_json=True)
        assert isinstance(tried, SceneFile)
        engine = Engine(tried.scenarios()[0])
        found = plan(engine, nodes=_NODES)
        if isinstance(found, Plan) and found.decisions:
            lines = (f"    - {_flow(each)}" for each in walkthrough_entries(engine, found))
            return _TASK.format(**words, walkthrough="\n".join(lines))
    raise UsageError(
        f"{file}: nothing to start a task from; expected an object of at most 20 kg, and a room or "
        "a piece of furniture that it can be brought to"
    )


def _errands(scene: Scene) -> Iterator[tuple[str, dict[str, object]]]:
    """Things to do: bring what is light somewhere else, or else take it."""
    light = [each for each in scene.objects if each.mass_kg <= 20 and each.kind == "item"]
    for each in light[:_MOST_TRIED]:
        for room in scene.rooms[:2]:
            fact = {"inside_room": {"object": each.id, "room": room.id}}
            yield f"Bring {each.name} to {room.name}.", {"all": [fact]}
    for each in light[:_MOST_TRIED]:
        yield f"Take {each.name} in your hands.", {"all": [{"held_by": {"object": each.id}}]}


def _flow(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _tell(path: Path, task: str) -> None:
    screen = Screen()
    screen.say(line(f"{path}: written, with the task {task}. What can be done with it:"))
    for words in (f"validate {path}", f"plan {path}/{task}", f"play {path}/{task}"):
        screen.say("  ", line(f"earsim {words}"))
