"""`earsim show`: a scenario in four forms and as a picture."""

import json

import pytest

from earsim.schema import parse


@pytest.mark.slow
@pytest.mark.parametrize("form", ["tree", "table"])
def test_scene_agents_task_and_goal(earsim, scene, form):
    shown = earsim("show", f"{scene}/carry", "--format", form).stdout
    for part in ("piano", "Lamp :skull:", "tom", "Bring the piano to the hall."):
        assert part in shown
    assert "Goal: Piano (piano) is in [red]Hall[/red] (hall)" in shown


def test_json_is_the_scenario(earsim, scene):
    text = earsim("show", f"{scene}/carry", "--format", "json").stdout
    assert parse(text, is_json=True).id == "hut/carry"


def test_full_is_what_an_agent_reads(earsim, scene):
    shown = earsim("show", f"{scene}/light", "--format", "full").stdout
    assert "Task: Light the [bold]lamp[/bold]." in shown
    assert "GOTO" in shown


@pytest.mark.slow
@pytest.mark.parametrize(("name", "head"), [("plan.png", b"\x89PNG"), ("plan.svg", b"<svg")])
def test_a_picture(earsim, scene, here, name, head):
    assert earsim("show", f"{scene}/light", "--picture", name).exit_code == 0
    assert (here / name).read_bytes().startswith(head)


def test_a_picture_in_no_known_format(earsim, scene):
    result = earsim("show", f"{scene}/light", "--picture", "plan.gif")
    assert result.exit_code == 2
    assert ".png or .svg" in result.stderr


@pytest.mark.slow
def test_an_id_of_a_shipped_suite(earsim):
    assert "crystal_lab/purest_sulphate" in earsim("show", "crystal_lab/purest_sulphate").stdout


def test_a_scene_file_shows_its_scene(earsim, scene):
    result = earsim("show", scene)
    assert result.exit_code == 0
    assert "rooms" in result.stdout
    assert "Task:" not in result.stdout


def test_a_shipped_scene_goes_by_its_id(earsim):
    assert "Tube furnace" in earsim("show", "crystal_lab").stdout


def test_what_an_agent_would_read_takes_a_task(earsim, scene):
    result = earsim("show", scene, "--format", "full")
    assert result.exit_code == 2
    assert "needs one of its tasks" in result.stderr


@pytest.mark.slow
def test_a_number_that_moves_in_view_is_not_to_be_measured(earsim):
    """The fridges have a display, and the vaccine stands in view once they are open."""
    shown = earsim("show", "cold_chain/measles_to_the_ward").stdout
    assert "(to be measured)" not in shown
    assert "(to be felt)" in shown


@pytest.mark.slow
def test_a_wrong_id_names_the_nearest(earsim):
    result = earsim("show", "crystal_lab/purest_sulfate")
    assert result.exit_code == 2
    assert "did you mean 'crystal_lab/purest_sulphate'" in result.stderr


@pytest.mark.slow
@pytest.mark.bench_data
def test_a_scenario_of_ear_bench(earsim, ear_bench_dir, monkeypatch):
    monkeypatch.setenv("EAR_BENCH_DIR", str(ear_bench_dir))
    shown = earsim("show", "eval-single/00001", "--format", "json").stdout
    assert json.loads(shown)["ruleset"] == "ear-bench"
