"""`earsim validate`: what nature does not have, and tasks that nothing shows to be possible."""

import pytest

from earsim.certificates.validation import check_suite
from earsim.suites import open_suite

SCENE = """\
schema: earsim.scene/1
id: lab
rooms:
  - {id: hall, name: Hall, temperature_c: 20}
objects:
  - {id: box, name: Box, kind: item, in: hall, mass_kg: 1, size_m: [0.2, 0.2, 0.2],
     container: {capacity_l: 7}, states: {is_open: true}, charge_percent: 50}
  - {id: ball, name: Ball, kind: item, in: box, mass_kg: 0.5, size_m: [0.1, 0.1, 0.1], age_days: 5,
     states: {is_open: true, is_dirty: true}, attributes: {material: rubber}}
tasks:
  - id: take
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {all: [{held_by: {object: ball, agent: eva}}]}
    instruction: "Take the ball."
    walkthrough: [EXPLORE, GOTO ball, GRAB ball]
  - id: hold
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {all: [{held_by: {object: ball, agent: eva}}]}
    instruction: "Hold the ball."
    walkthrough: [EXPLORE, GOTO ball, GRAB ball]
"""


@pytest.fixture
def lab(here):
    path = here / "lab.yaml"

    def written(old="", new=""):
        assert old in SCENE
        path.write_text(SCENE.replace(old, new) if old else SCENE)
        return path

    return written


def test_a_sane_scene(earsim, lab):
    result = earsim("validate", lab())
    assert result.exit_code == 0
    assert "warning" not in result.stdout


@pytest.mark.parametrize(
    ("old", "new", "place", "found", "fix"),
    [
        (
            "temperature_c: 20",
            "temperature_c: -500",
            "rooms[0].temperature_c",
            "-500 °C",
            "-273.15",
        ),
        (
            "charge_percent: 50",
            "charge_percent: 900",
            "objects[0].charge_percent",
            "900 %",
            "100 %",
        ),
        ("age_days: 5", "age_days: -5", "objects[1].age_days", "-5 d", "at least 0"),
        ("capacity_l: 7", "capacity_l: 900", "objects[0].container.capacity_l", "900 L", "8 L"),
        ("capacity_l: 7", "capacity_l: 0.5", "objects[0].container.capacity_l", "1 L", "fit"),
        ("age_days: 5", "max_load_kg: -5", "objects[1].max_load_kg", "-5 kg", "at least 0"),
        (
            "charge_percent: 50}\n  - {id: ball, name: Ball, kind: item, in",
            "max_load_kg: 0.1}\n  - {id: ball, name: Ball, kind: item, on",
            "objects[0].max_load_kg",
            "0.5 kg stand on 'Box', which bears 0.1",
            "less on it",
        ),
        ("[0.1, 0.1, 0.1]", "[2, 0.01, 0.01]", "objects[1].size_m", "0.2 x 0.2", "fits"),
        ("mass_kg: 0.5", "mass_kg: 39", "objects[1].mass_kg", "39 kg", "22.7"),
        (
            "is_dirty: true",
            "is_locked: true",
            "objects[1].states.is_open",
            "locked and",
            "most",
        ),
    ],
)
def test_what_nature_does_not_have(earsim, lab, old, new, place, found, fix):
    result = earsim("validate", lab(old, new))
    assert result.exit_code == 1
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("lab: ")]
    assert line.startswith(f"lab: {place}: ")
    assert found in line
    assert fix in line
    assert "2 with findings" in result.stdout, "it is told once, and is wrong in both tasks"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("is_dirty: true", "is_frobbed: true", "lab: objects[1].states.is_frobbed: no verb"),
        ("mass_kg: 0.5", "mass_kg: 3", "lab: objects[1].mass_kg: 'Ball' weighs 3 kg"),
        ("mass_kg: 0.5", "mass_kg: 0", "lab: objects[1].mass_kg: 'Ball' weighs 0 kg (above 0"),
        (
            "    walkthrough: [EXPLORE, GOTO ball, GRAB ball]\n  - id",
            "  - id",
            "lab/take: task.walkthrough: neither a walkthrough nor a certificate",
        ),
    ],
)
def test_what_may_be_meant_is_a_warning(earsim, lab, old, new, told):
    result = earsim("validate", lab(old, new))
    assert result.exit_code == 0
    assert f"warning: {told}" in result.stdout


def test_an_agent_without_hands(earsim, lab):
    path = lab("max_mass_kg: 20}", "max_mass_kg: 20, hands: 0}")
    assert "warning: lab/take: agents[0].hands: 'eva'" in earsim("validate", path).stdout


def test_a_task_without_a_plan_is_a_finding_when_asked(earsim, lab):
    path = lab("max_mass_kg: 20}", "max_mass_kg: 0.1}")
    text = path.read_text().replace("    walkthrough: [EXPLORE, GOTO ball, GRAB ball]\n", "")
    path.write_text(text)
    assert earsim("validate", path).exit_code == 0
    result = earsim("validate", path, "--prove")
    assert result.exit_code == 1
    assert "lab/take: task.goal: there is no plan: " in result.stdout


def test_what_is_possible_needs_no_walkthrough_when_proved(earsim, lab):
    path = lab("    walkthrough: [EXPLORE, GOTO ball, GRAB ball]\n")
    result = earsim("validate", path, "--prove")
    assert result.exit_code == 0
    assert "warning" not in result.stdout


def test_by_the_rules_of_ear_bench_nature_only_warns(lab):
    suite = open_suite(lab("temperature_c: 20", "temperature_c: -500"))
    suite.load = lambda id, load=suite.load: load(id).model_copy(update={"ruleset": "ear-bench"})
    checked = next(iter(check_suite(suite)))
    assert any("absolute zero" in str(warning) for warning in checked.warnings)
    assert not any("absolute zero" in str(finding) for finding in checked.findings)


def test_a_state_that_only_a_verb_sets_is_a_warning(earsim, lab):
    result = earsim("validate", lab("is_dirty: true", "is_weighed: false, is_hot: true"))
    assert result.exit_code == 0
    weighed, hot = [line for line in result.stdout.splitlines() if line.startswith("warning: lab")]
    assert "objects[1].states.is_weighed" in weighed
    assert "who has read its numbers would say so" in weighed
    assert "meant as a mark until numbers change; one of its numbers would say so" in hot


def test_a_state_of_several_things_is_one_warning_for_all_tasks(earsim, lab):
    pans = "".join(
        f"  - {{id: {pan}, kind: item, in: hall, mass_kg: 1, states: {{is_hot: false}}}}\n"
        for pan in ("pan", "pot")
    )
    told = earsim("validate", lab("objects:\n", f"objects:\n{pans}")).stdout
    (hot,) = [line for line in told.splitlines() if "is_hot" in line]
    assert "'is_hot' of 'pan' and 1 more" in hot


def test_what_a_tool_needs_is_more_than_a_mark(earsim, lab):
    states = "is_dirty: true, is_plugged_in: false}, needs: [is_plugged_in"
    result = earsim("validate", lab("is_dirty: true}", states + "]"))
    assert "warning" not in result.stdout
