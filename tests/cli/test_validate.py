"""`earsim validate`: every finding, walkthroughs that win, goals that are not true yet."""

import re

import pytest

from earsim.certificates.validation import check_suite
from earsim.schema.files.dump import to_json
from earsim.suites import open_suite


def test_a_sound_scene(earsim, scene):
    result = earsim("validate", scene)
    assert result.exit_code == 0
    assert "2 checked: 2 sound, 0 with findings; 2 walkthroughs replayed." in result.stdout


def test_every_finding_of_a_file_with_its_line(earsim, scene):
    text = scene.read_text().replace("mass_kg: 60", "mas_kg: 60")
    scene.write_text(text.replace("on: chest", "on: chess").replace("room: hall", "room: hal"))
    result = earsim("validate", scene)
    assert result.exit_code == 1
    assert f"{scene}:9: objects[2].mas_kg: unknown key (did you mean 'mass_kg'?)" in result.stdout
    assert f"{scene}:8: objects[1].on: " in result.stdout
    assert "did you mean 'hall'?" in result.stdout


def test_a_list_is_not_called_short_for_what_was_refused_in_it(earsim, scene):
    text = scene.read_text()
    assert "max_mass_kg: " in text
    scene.write_text(text.replace("max_mass_kg: ", "max_mass_kg: -"))
    told = earsim("validate", scene).stdout
    assert "max_mass_kg: -" in told
    assert "at least 1 item" not in told
    scene.write_text(re.sub(r"agents: \[.*\]", "agents: []", text))
    assert "at least 1 item" in earsim("validate", scene).stdout


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("is_on: false", "is_on: true", "hut/light: task.goal: is true at the start"),
        (", TURN_ON lamp]", "]", "hut/light: task.walkthrough: does not win: it ends by done"),
        ("budget: 6", "budget: 2", "hut/light: task.walkthrough: does not win: it ends by budget"),
        (
            "[EXPLORE, GOTO lamp",
            "[GRAB lamp, EXPLORE, GOTO lamp",
            "hut/light: task.walkthrough[0]: eva: GRAB lamp is refused",
        ),
    ],
)
def test_what_only_playing_shows(earsim, scene, old, new, finding):
    scene.write_text(scene.read_text().replace(old, new))
    result = earsim("validate", scene)
    assert result.exit_code == 1
    assert finding in result.stdout
    assert "1 with findings" in result.stdout


def test_a_folder_counts_what_does_not_load(earsim, scene):
    (scene.parent / "torn.yaml").write_text("{")
    result = earsim("validate", scene.parent)
    assert result.exit_code == 1
    assert "3 checked: 2 sound, 1 with findings" in result.stdout


def test_an_empty_folder_is_no_success(earsim, here):
    (here / "empty").mkdir()
    assert earsim("validate", "empty").exit_code == 2


@pytest.mark.slow
def test_shipped_scenarios_are_sound():
    checked = list(check_suite(open_suite("starter")))
    assert [one for one in checked if one.findings] == []
    assert all(one.decisions for one in checked)


@pytest.mark.slow
@pytest.mark.bench_data
def test_repairs_are_counted_by_kind(earsim, ear_bench_dir, monkeypatch):
    monkeypatch.setenv("EAR_BENCH_DIR", str(ear_bench_dir))
    shown = earsim("validate", "eval-single", "--limit", 60).stdout
    assert "size limit" in shown
    assert "60 checked" in shown


@pytest.mark.parametrize(("generator", "code"), [("generator", 1), ("author", 0)])
def test_numbers_of_generated_scenes_make_sense(earsim, scene, generator, code):
    """What a person writes is a person's business."""
    first = next(iter(open_suite(scene)))
    objects = tuple(
        thing.model_copy(update={"size_m": (2.7, 1.5, 1.0), "mass_kg": 0.01})
        if thing.kind == "item" and thing.container is None
        else thing
        for thing in first.scene.objects
    )
    strange = first.model_copy(
        update={
            "scene": first.scene.model_copy(update={"objects": objects}),
            "provenance": {generator: "somebody"},
        }
    )
    file = scene.with_name("strange.json")
    file.write_text(to_json(strange), encoding="utf-8")
    result = earsim("validate", file)
    assert result.exit_code == code, result.output
    assert ("takes up 4,050 L (of that size from" in result.stdout) is bool(code)
