"""`earsim new`: what it writes can be checked, planned and played at once."""

import json

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim.suites.opening import scenes_root


@pytest.fixture
def played(here):
    """Play a scenario with commands that are typed."""

    def play(scenario, typed):
        return CliRunner().invoke(app, ["play", scenario], input="\n".join([*typed, "quit"]))

    return play


def sound(earsim, file, walkthroughs):
    result = earsim("validate", file)
    assert result.exit_code == 0, result.stdout + result.stderr
    assert f"{walkthroughs} walkthroughs replayed" in result.stdout
    assert "warning" not in (result.stdout + result.stderr).lower()


@pytest.mark.parametrize(("agents", "task"), [(1, "clean_the_plate"), (2, "bench_to_the_kitchen")])
def test_a_scene_to_start_from(earsim, played, agents, task):
    result = earsim("new", "scene", "house.yaml", "--agents", agents)
    assert result.exit_code == 0, result.stderr
    for words in ("validate house.yaml", f"plan house.yaml/{task}", f"play house.yaml/{task}"):
        assert f"earsim {words}\n" in result.stdout
    sound(earsim, "house.yaml", 1)
    assert "The goal is reached." in earsim("plan", f"house.yaml/{task}").stdout
    assert played(f"house.yaml/{task}", ["EXPLORE"]).exit_code == 0


def test_a_scene_has_what_scenes_are_made_of(earsim, here):
    earsim("new", "scene", "house.yaml")
    text = (here / "house.yaml").read_text()
    for part in ("rooms:", "doors:", "container:", "provides:", "walkthrough:", "# "):
        assert part in text


def test_a_file_is_replaced_only_by_force(earsim, here):
    path = here / "house.yaml"
    path.write_text("mine")
    result = earsim("new", "scene", "house.yaml")
    assert result.exit_code == 2
    assert "house.yaml: exists already (--force replaces it)" in result.stderr
    assert path.read_text() == "mine"
    assert earsim("new", "scene", "house.yaml", "--force").exit_code == 0
    sound(earsim, "house.yaml", 1)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("house.json", "is a .yaml file"),
        ("my house.yaml", "letters, digits and _"),
        ("nowhere/house.yaml", "a folder that exists"),
    ],
)
def test_where_no_scene_can_be_written(earsim, path, told):
    result = earsim("new", "scene", path)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("agents", [1, 2])
def test_a_task_behind_the_others(earsim, here, played, agents):
    earsim("new", "scene", "house.yaml")
    before = (here / "house.yaml").read_text()
    result = earsim("new", "task", "house.yaml", "--agents", agents, "--id", "mine")
    assert result.exit_code == 0, result.stderr
    assert (here / "house.yaml").read_text().startswith(before)
    sound(earsim, "house.yaml", 2)
    assert "The goal is reached." in earsim("plan", "house.yaml/mine").stdout
    assert played("house.yaml/mine", ["EXPLORE"]).exit_code == 0


@pytest.mark.parametrize("ending", ["", "tasks: []  # none yet\n# The end.\n", "\n\n# The end."])
def test_the_first_task_of_a_scene(earsim, here, ending):
    text = (
        "schema: earsim.scene/1\nid: hut  # its id\nrooms: [{id: hall, name: Hall}]\nobjects:\n"
        "- {id: cup, name: 'Cup: blue', kind: item, in: hall, mass_kg: 1}\n"
        "- {id: ann, name: Ann, kind: item, in: hall, mass_kg: 1}\n"
    )
    (here / "hut.yaml").write_text(text + ending)
    assert earsim("new", "task", "hut.yaml").exit_code == 0
    after = (here / "hut.yaml").read_text()
    assert after.startswith(text)
    assert all(comment in after for comment in ("# none yet", "# The end.") if comment in ending)
    sound(earsim, "hut.yaml", 1)


def test_where_no_task_can_be_put(earsim, here, scene):
    result = earsim("new", "task", scene, "--id", "light")
    assert "hut.yaml: tasks[0].id: there is a task 'light' already" in result.stderr
    (here / "bare.yaml").write_text("schema: earsim.scene/1\nid: bare\nrooms: [{id: hall}]\n")
    result = earsim("new", "task", "bare.yaml")
    assert result.exit_code == 2
    assert "nothing to start a task from" in result.stderr
    (here / "bare.yaml").write_text("schema: earsim.scene/1\nid: bare\nroms: 5\n")
    assert "bare.yaml:3: roms: unknown key" in earsim("new", "task", "bare.yaml").stderr


def test_a_scene_that_comes_along_stays_as_it_is(earsim):
    shipped = scenes_root() / "starter" / "bicycle_workshop.yaml"
    before = shipped.read_bytes()
    result = earsim("new", "task", shipped)
    assert result.exit_code == 2
    assert "copy it first" in result.stderr
    assert shipped.read_bytes() == before


def test_a_desk_is_written_for_every_problem_and_nothing_is_replaced(earsim, tmp_path):
    item = {
        "id": "twice",
        "domain": "mathematics",
        "problem": "Fill in f.",
        "function": "f",
        "files": {"main.py": "def f(x):\n    pass\n"},
        "tests": [{"args": [1], "equals": 2}],
    }
    items, folder = tmp_path / "items.jsonl", tmp_path / "desks"
    items.write_text(f"{json.dumps(item)}\n\n{json.dumps({**item, 'id': 'b c'})}\n", "utf-8")
    result = earsim("new", "desks", str(items), str(folder))
    assert result.exit_code == 1
    assert "items.jsonl:3: id: 'b c'" in result.output
    (path,) = folder.iterdir()
    assert path.name == "twice.json"
    before = path.read_bytes()
    again = earsim("new", "desks", str(items), str(folder))
    assert "exists already" in again.output
    assert path.read_bytes() == before
    items.write_text(json.dumps({**item, "domain": "physics"}), "utf-8")
    assert earsim("new", "desks", str(items), str(folder), "--force").exit_code == 0
    assert path.read_bytes() != before
