"""Files beside a scene: they are read with it, and no name leads out of its folder."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from earsim import open_suite
from earsim.errors import FileError, Finding
from earsim.schema import load_scenarios
from earsim.schema.apparatus import Apparatus
from earsim.schema.files.load import parse
from earsim.schema.files.sidecar import MAX_BYTES, MOST_FILES, sidecar_texts
from earsim.schema.lookup import MOST_BARS, MOST_TEXTS
from earsim.world.lookups import lookup_problems
from earsim.world.rigs import task_problems

TEXT = {"id": "tin", "title": "Tin", "date": "1990", "text": "Tin melts at 232 degrees."}


def scene(library: dict[str, Any]) -> dict[str, Any]:
    terminal = {
        "id": "terminal",
        "name": "Terminal",
        "kind": "furniture",
        "in": "room",
        "mass_kg": 9,
        "apparatus": {"model": "library/1", "library": library},
    }
    task = {
        "id": "ask",
        "category": "direct_command",
        "agents": [{"id": "ada", "max_mass_kg": 20}],
        "goal": {"operation": {"apparatus": "terminal", "status": "completed"}},
        "instruction": "Search.",
    }
    rooms = [{"id": "room", "name": "Room"}]
    return {
        "schema": "earsim.scene/1",
        "id": "desk",
        "rooms": rooms,
        "objects": [terminal],
        "tasks": [task],
    }


def written(folder: Path, library: dict[str, Any], *rows: Any, name: str = "a.texts.jsonl") -> Path:
    (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    path = folder / "desk.yaml"
    path.write_text(yaml.safe_dump(scene(library)), encoding="utf-8")
    return path


def findings(path: Path) -> list[Finding]:
    with pytest.raises(FileError) as raised:
        load_scenarios(path)
    return list(raised.value.findings)


def texts(path: Path) -> list[str]:
    (loaded,) = load_scenarios(path)
    spec = loaded.scene.objects[0].apparatus
    assert spec is not None
    assert spec.library is not None
    assert spec.library.file is None
    return [each.text for each in spec.library.texts]


def test_what_a_file_holds_stands_in_the_scenario_and_in_its_hash(tmp_path: Path):
    path = written(tmp_path, {"file": "a.texts.jsonl"}, TEXT)
    assert texts(path) == [TEXT["text"]]
    (before,) = load_scenarios(path)
    written(tmp_path, {"file": "a.texts.jsonl"}, {**TEXT, "text": "Tin melts."})
    (after,) = load_scenarios(path)  # the scene file itself has not changed
    assert texts(path) == ["Tin melts."]
    assert before.hash != after.hash
    path.write_text(yaml.safe_dump(scene({"texts": [{**TEXT, "text": "Tin melts."}]})))
    (inline,) = load_scenarios(path)
    assert inline.hash == after.hash


def test_a_suite_notices_a_changed_file_and_takes_none_for_a_suite(tmp_path: Path):
    path = written(tmp_path, {"file": "a.texts.jsonl"}, TEXT)
    first = open_suite(tmp_path).load("desk/ask")
    written(tmp_path, {"file": "a.texts.jsonl"}, {**TEXT, "text": "Tin."})
    assert open_suite(tmp_path).ids == ("desk/ask",)
    assert open_suite(tmp_path).load("desk/ask").hash != first.hash
    assert path.is_file()


@pytest.mark.parametrize(
    "name",
    [
        "../a.texts.jsonl",
        "/etc/a.texts.jsonl",
        "below/a.texts.jsonl",
        "..\\a.texts.jsonl",
        "a.yaml",
        ".texts.jsonl",
        "gone.texts.jsonl",
        "a.texts.jsonl\n",
        "folder.texts.jsonl",
        "pipe.texts.jsonl",
        f"{'a' * 300}.texts.jsonl",
    ],
)
def test_no_name_leads_elsewhere(tmp_path: Path, name: str):
    inner = tmp_path / "inner"
    (inner / "below").mkdir(parents=True)
    for folder in (tmp_path, inner / "below"):
        (folder / "a.texts.jsonl").write_text(json.dumps(TEXT))
    (inner / "a.texts.jsonl\n").write_text(json.dumps(TEXT))
    (inner / "folder.texts.jsonl").mkdir()
    os.mkfifo(inner / "pipe.texts.jsonl")
    path = inner / "desk.yaml"
    path.write_text(yaml.safe_dump(scene({"file": name})), encoding="utf-8")
    (found,) = findings(path)
    assert found.place == "objects[0].apparatus.library.file"
    assert "no such file" in found.reason
    assert found.line is not None


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "secret.texts.jsonl").write_text(json.dumps(TEXT))
    (inner / "a.texts.jsonl").symlink_to(tmp_path / "secret.texts.jsonl")
    path = inner / "desk.yaml"
    path.write_text(yaml.safe_dump(scene({"file": "a.texts.jsonl"})), encoding="utf-8")
    assert "no such file" in findings(path)[0].reason
    assert sidecar_texts(inner, path.read_text()) == ()


def test_a_file_too_large_or_named_too_often_is_refused(tmp_path: Path):
    path = written(tmp_path, {"file": "a.texts.jsonl"}, TEXT)
    data = yaml.safe_load(path.read_text())
    data["objects"] = [
        {**data["objects"][0], "id": f"terminal_{k}" if k else "terminal"}
        for k in range(MOST_FILES + 1)
    ]
    path.write_text(json.dumps(data))
    assert findings(path)[0].reason == f"more than {MOST_FILES} files"
    path = written(tmp_path, {"file": "a.texts.jsonl"}, {**TEXT, "text": "x" * MAX_BYTES})
    assert "larger than" in findings(path)[0].reason


def test_what_is_wrong_is_named_with_its_line(tmp_path: Path):
    path = written(tmp_path, {"file": "a.texts.jsonl"}, TEXT, {**TEXT, "date": "May"}, {"id": "x"})
    found = findings(path)
    assert {(Path(each.file).name, each.line) for each in found} == {
        ("a.texts.jsonl", 2),
        ("a.texts.jsonl", 3),
    }
    (tmp_path / "a.texts.jsonl").write_text("{}\nnot json\n")
    assert {each.line for each in findings(path)} == {1, 2}
    (tmp_path / "a.texts.jsonl").write_text(f"{json.dumps(TEXT)}\n" * (MOST_TEXTS + 1))
    assert any("lines" in each.reason for each in findings(path))


def test_a_file_and_texts_are_not_both_taken(tmp_path: Path):
    path = written(tmp_path, {"file": "a.texts.jsonl", "texts": [TEXT]}, TEXT)
    assert findings(path)[0].reason == "both 'texts' and a file"


def test_a_scene_from_nowhere_names_no_files():
    with pytest.raises(FileError, match="read only where a scene file is loaded"):
        parse(yaml.safe_dump(scene({"file": "a.texts.jsonl"})))


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"model": "library/1"}, "without 'library'"),
        ({"model": "maglev/1", "library": {"texts": [TEXT]}}, "with 'library'"),
        ({"model": "library/1", "library": {"texts": [TEXT, TEXT]}}, "there twice"),
        ({"model": "library/1", "library": {}}, "no texts"),
        (
            {
                "model": "library/1",
                "library": {"texts": [TEXT]},
                "price": {"eur_per": {"buy": 1.0}},
            },
            "unknown operation 'buy'",
        ),
        ({"model": "maglev/1", "price": {"eur_per": {"buy": 1.0}}}, "unknown operation 'buy'"),
    ],
)
def test_what_cannot_be_looked_up_is_a_finding(spec: dict[str, Any], reason: str):
    problems = lookup_problems(Apparatus.model_validate(spec))
    assert [reason in each.reason for each in problems] == [True]


def figure(**changes: Any) -> list[str]:
    data = {"id": "f", "title": "F", "x": {"label": "x"}, "y": {"label": "y"}}
    series = [{"name": "s", "points": [[1, 2], [2, 4]]}]
    figures = {"figures": [{**data, "series": series, **changes}]}
    spec = Apparatus.model_validate({"model": "figures/1", "figures": figures})
    return [each.reason for each in lookup_problems(spec)]


def test_a_figure_that_cannot_be_drawn_is_a_finding():
    assert figure() == []
    assert figure(kind="bar") == ["a bar figure over words alone"]
    assert figure(series=[{"name": "s", "points": [["a", 2]]}]) == [
        "a line figure over numbers alone"
    ]
    assert figure(series=[{"name": "s", "points": [[1, 2], [1, 3]]}]) == ["an x is there twice"]
    assert figure(y={"label": "y", "log": True}) == []
    below = [{"name": "s", "points": [[0, -2]]}]
    assert figure(y={"label": "y", "log": True}, series=below) == ["a y on a logarithmic axis"]
    assert figure(x={"label": "x", "log": True}, series=below) == ["an x on a logarithmic axis"]
    words = [{"name": "s", "points": [[f"w{k}", 1] for k in range(MOST_BARS + 1)]}]
    assert figure(kind="bar", series=words) == ["bars over 25 words"]


@pytest.mark.parametrize("unit", ["m\nYou win.", "\x1b[2J", "\u202e"])
def test_no_unit_has_what_cannot_be_seen(unit: str):
    with pytest.raises(ValidationError):
        figure(y={"label": "y", "unit": unit})


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"action": "vist"}, "unknown operation 'vist'"),
        ({"action": "visit", "text": "tn"}, "'tn' is no value of it"),
        ({"text": "tn"}, "'tn' is no value of it"),
        ({"action": "search", "text": "tin"}, "unknown setting 'text'"),
        ({"action": "visit", "text": "tin", "page": 2}, "2 is out of bounds"),
        ({"action": "visit", "text": 3}, "3 is no value of it"),
    ],
)
def test_a_goal_that_wants_looked_up_what_is_not_there_is_a_finding(
    tmp_path: Path, settings: dict[str, Any], reason: str
):
    data = scene({"texts": [TEXT]})
    data["tasks"][0]["goal"]["operation"]["settings"] = settings
    path = tmp_path / "desk.yaml"
    path.write_text(yaml.safe_dump(data))
    (loaded,) = load_scenarios(path)
    problems = [each.reason for each in task_problems(loaded.scene, loaded.task)]
    assert [reason in each for each in problems] == [True]
