"""Dry problems of a file that somebody has: read, or told what is wrong with which line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from earsim import Engine, Episode
from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.errors import FileError
from earsim.schema.files.dump import to_json
from earsim.schema.files.load import parse
from earsim.schema.scenario import SceneFile
from earsim.suites.dry_items import PUBLISHED, dry_items

needs_sandbox = pytest.mark.skipif(
    reached().level < DEMAND.level, reason="this machine has no sandbox for code"
)

WHOLE = """\
import json
from data_en import VALUES, SCALE

def total(values):
    return sum(v * v for v in values)

def load(path):
    with open(path) as file:
        return json.load(file)

if __name__ == '__main__':
    print("sum:", total(VALUES) * SCALE)
    print("kept:", load('kept.json'))
"""


def row(**changes: Any) -> dict[str, Any]:
    """A row in the published form, written for this test."""
    found: dict[str, Any] = {
        "idx": "SGI_DryExperiment_0000",
        "question": "Complete total.\n\n\tIt sums squares.",
        "discipline": "material",
        "main_code": WHOLE,
        "incomplete_main_code": WHOLE.replace("return sum(v * v for v in values)", "pass"),
        "incomplete_functions": ["total"],
    }
    for k in range(5):
        keep = "import json\njson.dump([1], open('kept.json', 'w'))\n"
        found[f"unit_test_{k}_data"] = f"{keep}VALUES, SCALE = [{k}, 2], {k + 1}\nprint('made')\n"
        found[f"unit_test_{k}_output"] = f"made\nsum: {(k * k + 4) * (k + 1)}\nkept: [1]\n"
    return {**found, **changes}


def own(**changes: Any) -> dict[str, Any]:
    """A problem in the form of a desk."""
    return {
        "id": "twice",
        "domain": "mathematics",
        "problem": "Fill in f.",
        "function": "f",
        "files": {"main.py": "def f(x):\n    pass\n"},
        "tests": [{"args": [1], "equals": 2}, {"args": [0], "equals": None}],
        "solution": "def f(x):\n    return 2 * x or None",
        **changes,
    }


def read(tmp_path: Path, *lines: Any) -> list[SceneFile | FileError]:
    path = tmp_path / "items.jsonl"
    texts = [each if isinstance(each, str) else json.dumps(each) for each in lines]
    path.write_text("\n".join(texts), "utf-8")
    return list(dry_items(path))


def scene_of(tmp_path: Path, item: dict[str, Any]) -> SceneFile:
    (found,) = read(tmp_path, item)
    assert isinstance(found, SceneFile)
    return found


def played(scene: SceneFile, *, solution: str | None = None) -> Episode:
    (scenario,) = scene.scenarios()
    episode = Episode(Engine(scenario))
    for command in map(str, scenario.task.walkthrough):
        if solution is not None and command.startswith("SAVE"):
            command = f"SAVE desk main.py\n{solution}"
        episode.step({"ada": command})
    return episode


@pytest.mark.parametrize("item", [row(), own()], ids=["published", "own"])
def test_a_scene_that_is_written_reads_the_same(tmp_path, item):
    scene = scene_of(tmp_path, item)
    assert parse(to_json(scene), is_json=True) == scene


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("item", [row(), own()], ids=["published", "own"])
def test_the_solution_wins_and_what_lies_there_at_first_does_not(tmp_path, item):
    scene = scene_of(tmp_path, item)
    assert played(scene).success
    stub = item.get("incomplete_main_code", "def f(x):\n    pass")
    assert not played(scene, solution=stub).success


@needs_sandbox
def test_a_program_of_a_published_row_runs_with_each_file_of_data(tmp_path):
    episode = played(scene_of(tmp_path, row()), solution=WHOLE.replace("v * v", "v + v"))
    results = episode.world.timeline.lab.last("desk").results
    assert (results["passed"], results["tests"], results["failed_to_run"]) == (2, 5, False)


def test_the_domain_and_the_texts_are_the_rows_own(tmp_path):
    scene = scene_of(tmp_path, row())
    (desk,) = scene.scene.objects
    assert scene.scene.id == "SGI_DryExperiment_0000"
    assert scene.tasks[0].workflow.domain == "materials"
    assert desk.apparatus.desk.problem == row()["question"]
    assert desk.apparatus.desk.files["main.py"] == row()["incomplete_main_code"]
    assert WHOLE not in desk.apparatus.desk.files.values()


def test_an_item_needs_no_solution(tmp_path):
    item = own()
    del item["solution"]
    assert scene_of(tmp_path, item).tasks[0].walkthrough == ()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "items.jsonl:2: not JSON"),
        ("[1]", "items.jsonl:2: [1]"),
        ({"idx": "x"}, f"missing: {', '.join(PUBLISHED[1:])}"),
        (row(question=3), "items.jsonl:2: question: 3 (expected a text)"),
        (row(idx="a/b"), "id: 'a/b'"),
        (row(discipline="alchemy"), "domain: 'alchemy'"),
        (row(main_code="x" * 40_000), "items.jsonl:2: solution"),
        (row(unit_test_3_output="1 " * 2_000), "items.jsonl:2: programs[3].prints"),
        (own(tests=[]), "there are no tests"),
        (own(tests=[{"args": [1]}]), "items.jsonl:2: tests[0].equals: missing"),
        (own(function="g"), "main.py has no function 'g'"),
        (own(more=1), "more: unknown key"),
        (own(id="first"), "there is an item 'first' already"),
        (own(files={"../x.py": ""}), "items.jsonl:2: files"),
        ('{"id": "a", "id": "b"}', "repeated"),
    ],
)
def test_a_line_with_findings_is_told_and_the_others_are_read(tmp_path, line, says):
    first, second, third = read(tmp_path, own(id="first"), line, own(id="third"))
    assert isinstance(first, SceneFile)
    assert isinstance(second, FileError)
    assert says in str(second)
    assert isinstance(third, SceneFile)


def test_a_file_that_is_not_there_is_one_error(tmp_path):
    with pytest.raises(FileError, match="does not exist"):
        next(dry_items(tmp_path / "none.jsonl"))
