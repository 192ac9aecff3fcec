"""`earsim plan`: a plan a person can follow, or a sentence that says why there is none."""

import json

import pytest
import yaml

from earsim.schema.files.yaml_text import parse_yaml

HEAVY = """\
schema: earsim.scene/1
id: cellar
rooms: [{id: cellar, name: Cellar}]
objects:
  - {id: safe, name: "[red]Safe[/red]", kind: item, in: cellar, mass_kg: 80}
tasks:
  - id: hold
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {held_by: {object: safe}}
    instruction: Take the safe in your hands.
"""


def test_step_by_step_with_what_comes_of_it(earsim, scene):
    result = earsim("plan", f"{scene}/light")
    assert result.exit_code == 0
    assert "   1  Eva: EXPLORE\n          You search [red]Hall[/red] and find" in result.stdout
    assert "Eva: TURN_ON lamp\n          Lamp :skull:: is_on changes" in result.stdout
    assert "The goal is reached." in result.stdout
    assert "3 decisions, least: proved." in result.stdout
    assert "planner 1." in result.stdout


def test_a_team_takes_a_decision_together(earsim, scene):
    shown = earsim("plan", f"{scene}/carry").stdout
    assert "CORP_GRAB" in shown
    assert "The goal is reached." in shown


def test_what_is_known_from_the_start_is_not_explored(earsim, scene):
    shown = earsim("plan", f"{scene}/light", "--knowledge", "global").stdout
    assert "EXPLORE" not in shown
    assert "The goal is reached." in shown


def test_no_plan(earsim, here):
    (here / "cellar.yaml").write_text(HEAVY)
    result = earsim("plan", "cellar.yaml")
    assert result.exit_code == 1
    assert "There is no plan. [red]Safe[/red] (safe) weighs 80 kg" in result.stdout


def test_one_of_a_team(earsim, scene):
    result = earsim("plan", f"{scene}/carry", "--agents", "eva")
    assert result.exit_code == 1
    assert "There is no plan." in result.stdout


def test_everything_about_an_exploit(earsim, scene):
    words = ("plan", f"{scene}/carry", "--agents", "eva", "--ruleset", "ear-bench")
    assert earsim(*words).exit_code == 1
    result = earsim(*words, "--command-class", "any")
    assert result.exit_code == 0
    assert "CORP_GRAB eva piano" in result.stdout


def test_the_limit_is_told_and_how_to_raise_it(earsim, scene):
    result = earsim("plan", f"{scene}/carry", "--nodes", 1)
    assert result.exit_code == 1
    assert "stopped at its limit of 1 nodes" in result.stdout
    assert "--nodes 10" in result.stdout


def test_as_json(earsim, scene, here):
    told = json.loads(earsim("plan", f"{scene}/light", "--json").stdout)
    assert told["found"] == "plan"
    assert told["least"] is True
    assert told["decisions"][-1] == {"eva": "TURN_ON lamp"}
    (here / "cellar.yaml").write_text(HEAVY)
    result = earsim("plan", "cellar.yaml", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert (told["found"], told["why"]) == ("impossible", "too_heavy")
    told = json.loads(earsim("plan", f"{scene}/carry", "--nodes", 1, "--json").stdout)
    assert told["found"] == "unknown"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--agents", "ewa"), "did you mean 'eva'"),
        (("--ruleset", "physicl"), "did you mean 'physical'"),
    ],
)
def test_a_wrong_name(earsim, scene, words, told):
    result = earsim("plan", f"{scene}/light", *words)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("task", ["light", "carry"])
def test_a_plan_as_the_walkthrough_of_its_task(earsim, scene, task):
    loaded = dict(parse_yaml(scene.read_text(), "scene").value)
    index = [each["id"] for each in loaded["tasks"]].index(task)
    del loaded["tasks"][index]["walkthrough"]
    scene.write_text(json.dumps(loaded))
    result = earsim("plan", f"{scene}/{task}", "--walkthrough")
    assert result.exit_code == 0
    loaded["tasks"][index] |= yaml.safe_load(result.stdout)
    scene.write_text(json.dumps(loaded))
    checked = earsim("validate", scene)
    assert "2 walkthroughs replayed" in checked.stdout
    assert checked.exit_code == 0
