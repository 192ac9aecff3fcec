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
    assert "planner 2." in result.stdout


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


COMMENTED = """\
# A hut.
schema: earsim.scene/1
id: hut  # its id
rooms: [{id: hall, name: Hall}]
objects:
  - {id: lamp, name: Lamp, kind: item, in: hall, mass_kg: 1, states: {is_on: false}}
tasks:

  # The first one.
  - id: light
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {all: [{has_state: {object: lamp, state: is_on}}]}
    instruction: >
      Light
      the lamp.
    # A comment behind the first.
  - {id: take, category: direct_command, instruction: Take it., # why
     agents: [{id: eva, max_mass_kg: 20}], goal: {held_by: {object: lamp}}}
# The end."""
LINES = '    walkthrough:\n      - "EXPLORE"\n      - "GOTO lamp"\n      - "TURN_ON lamp"\n'
INLINE = ', "walkthrough": ["EXPLORE", "GOTO lamp", "GRAB lamp"]'


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_walkthrough_is_written_and_every_other_byte_stays(earsim, here, newline):
    path = here / "hut.yaml"
    before = "\ufeff" + COMMENTED
    path.write_bytes(before.replace("\n", newline).encode())
    for task in ("light", "take"):
        result = earsim("plan", f"hut.yaml/{task}", "--walkthrough", "--write")
        assert result.exit_code == 0, result.stderr
        assert "hut.yaml: the walkthrough is written, decisions: 3." in result.stdout
    behind = "      the lamp.\n"
    expected = before.replace(behind, behind + LINES).replace("lamp}}}", "lamp}}" + INLINE + "}")
    assert path.read_bytes() == expected.replace("\n", newline).encode()
    assert "2 walkthroughs replayed" in earsim("validate", "hut.yaml").stdout


def test_a_walkthrough_that_is_there_is_replaced_only_by_force(earsim, scene):
    before = scene.read_bytes()
    for task, line in (("light", 17), ("carry", 25)):
        result = earsim("plan", f"{scene}/{task}", "--walkthrough", "--write")
        assert result.exit_code == 2
        assert f"hut.yaml:{line}: tasks[" in result.stderr
        assert "has a walkthrough already (--force replaces it)" in result.stderr
    assert scene.read_bytes() == before
    for task in ("light", "carry"):
        words = ("plan", f"{scene}/{task}", "--walkthrough", "--write", "--force")
        assert earsim(*words).exit_code == 0
    after = scene.read_text()
    assert 'walkthrough: ["EXPLORE"' not in after
    assert (
        after.partition("    walkthrough:")[0] == before.decode().partition("    walkthrough:")[0]
    )
    assert "2 walkthroughs replayed" in earsim("validate", scene).stdout


def test_a_walkthrough_in_json(earsim, here):
    loaded = parse_yaml(COMMENTED, "scene").value
    (here / "hut.json").write_text(json.dumps(loaded, indent=1))
    assert earsim("plan", "hut.json/take", "--walkthrough", "--write").exit_code == 0
    loaded["tasks"][1]["walkthrough"] = ["EXPLORE", "GOTO lamp", "GRAB lamp"]
    assert json.loads((here / "hut.json").read_text()) == loaded


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("bicycle_workshop/tandem_tyres", "--walkthrough", "--write"), "not in a file of yours"),
        (("hut.yaml/light", "--write"), "--write goes with --walkthrough"),
        (("hut.yaml/light", "--walkthrough", "--force"), "--force with --write"),
    ],
)
def test_what_cannot_be_written(earsim, scene, words, told):
    result = earsim("plan", *words)
    assert result.exit_code == 2
    assert told in result.stderr


def test_where_there_is_no_plan_nothing_is_written(earsim, here):
    (here / "cellar.yaml").write_text(HEAVY)
    assert earsim("plan", "cellar.yaml", "--walkthrough", "--write").exit_code == 1
    assert (here / "cellar.yaml").read_text() == HEAVY


def test_a_task_that_takes_code_is_not_decided_by_a_higher_limit(earsim):
    result = earsim("plan", "numerics_room/how_high")
    assert result.exit_code == 1
    assert "the goal wants code to run on Fast server (server), and the planner" in result.stdout
    assert "a higher limit changes nothing" in result.stdout
    assert "--nodes" not in result.stdout
