"""`earsim validate` warns of rooms that nobody can ever get to, and of no others."""

import pytest

from earsim.certificates.connectivity import unreachable_rooms
from earsim.schema import Scenario, SceneFile, parse
from earsim.suites import open_suite

BARN = """\
schema: earsim.scene/1
id: barn
rooms:
  - {id: barn, name: Barn, connects: [yard]}
  - {id: yard, name: Yard}
  - {id: loft, name: Loft, connects: [attic]}
  - {id: attic, name: Attic}
doors:
  - {id: hatch, name: Hatch, between: [yard, loft], key: pin, states: {is_locked: true}}
objects:
  - {id: box, name: Box, kind: item, in: barn, mass_kg: 2, container: {}, states: {is_open: false}}
  - {id: pin, name: Pin, kind: item, in: box, mass_kg: 0.1}
  - {id: lamp, name: Lamp, kind: item, in: barn, mass_kg: 1, states: {is_on: false}}
tasks:
  - id: light
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20, in: barn}]
    goal: {all: [{has_state: {object: lamp, state: is_on}}]}
    instruction: Light the lamp.
"""


def scenario(**changes: str) -> Scenario:
    text = BARN
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    loaded = parse(text)
    assert isinstance(loaded, SceneFile)
    return loaded.scenarios()[0]


def places(found: Scenario) -> list[str]:
    return [finding.place for finding in unreachable_rooms(found)]


YARD = ["scene.rooms[1]"]
LOFT_AND_ATTIC = ["scene.rooms[2]", "scene.rooms[3]"]
BARN_AND_YARD = ["scene.rooms[0]", "scene.rooms[1]"]

CUT = {"name: Barn, connects: [yard]": "name: Barn"}
OTHER_WAY = {**CUT, "name: Yard": "name: Yard, connects: [barn]"}
OPEN = {"tasks:\n": "abilities: [turn_on]\ntasks:\n", "{is_locked: true}": "{is_open: true}"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({}, [], id="the key lies in a box that can be opened"),
        pytest.param(CUT, YARD + LOFT_AND_ATTIC, id="no way"),
        pytest.param(OTHER_WAY, [], id="a way that the other room tells"),
        pytest.param({"name: Loft, connects: [attic]": "name: Loft"}, ["scene.rooms[3]"], id="one"),
        pytest.param({"in: box": "in: loft"}, LOFT_AND_ATTIC, id="a key behind its own door"),
        pytest.param({"mass_kg: 0.1": "mass_kg: 21"}, LOFT_AND_ATTIC, id="a key too heavy"),
        pytest.param(
            {"tasks:\n": "abilities: [open]\ntasks:\n"}, LOFT_AND_ATTIC, id="nothing unlocks"
        ),
        pytest.param(OPEN, [], id="a door that is open"),
        pytest.param({"in: barn}]": "in: attic}]"}, BARN_AND_YARD, id="from the other side"),
        pytest.param({"in: barn}]": "}, {id: tom, max_mass_kg: 9, in: loft}]"}, [], id="a team"),
    ],
)
def test_rooms_that_nobody_gets_to(changes: dict[str, str], expected: list[str]):
    assert places(scenario(**changes)) == expected


def test_two_doors_to_one_room_are_two_chances():
    twice = "doors:\n  - {id: flap, name: Flap, between: [barn, loft]}\n"
    assert places(scenario(**{"doors:\n": twice, ", in: box": ", in: loft"})) == []


def test_doors_that_nobody_opens_are_named_in_file_order():
    twice = "doors:\n  - {id: flap, between: [barn, attic], states: {is_locked: true}, key: pin}\n"
    found = scenario(**{"doors:\n": twice, ", in: box": ", in: loft"})
    assert [finding.reason for finding in unreachable_rooms(found)] == [
        "'loft' cannot be reached: nobody can open 'flap' or 'hatch'",
        "'attic' cannot be reached: nobody can open 'flap' or 'hatch'",
    ]


def test_rooms_are_entered_from_anywhere_in_ear_bench():
    cut_off = scenario(**{"name: Barn, connects: [yard]": "name: Barn"})
    assert places(cut_off.model_copy(update={"ruleset": "ear-bench"})) == []


def test_a_warning_leaves_a_scene_sound(earsim, scene):
    scene.write_text(scene.read_text().replace("name: Loft}", "name: Loft}\n  - {id: well}"))
    result = earsim("validate", scene)
    assert result.exit_code == 0
    said = "hut/light: scene.rooms[2]: 'well' cannot be reached (a passage or a door on a way from"
    assert f"warning: {said} 'hall')" in result.stdout
    assert "2 checked: 2 sound, 0 with findings; 2 walkthroughs replayed." in result.stdout
    assert "2 with warnings, which may be meant." in result.stdout


def test_a_selector_without_an_answer_is_told_once(earsim, scene):
    text = scene.read_text().replace("budget: 6", "select: {it: {only: {name: Nothing}}}")
    scene.write_text(text.replace("object: lamp", "object: $it"))
    result = earsim("validate", scene)
    assert result.exit_code == 1
    assert result.stdout.count("hut/light") == 1


@pytest.mark.slow
def test_no_shipped_scenario_has_a_room_that_nobody_gets_to():
    for suite in ("starter", "earsim-bench-mini"):
        assert [found for each in open_suite(suite) for found in unreachable_rooms(each)] == []


@pytest.mark.slow
@pytest.mark.bench_data
def test_no_warning_of_ear_bench(ear_bench_dir, monkeypatch):
    monkeypatch.setenv("EAR_BENCH_DIR", str(ear_bench_dir))
    suite = open_suite("eval-single").select(limit=480)  # 4 of them have a room no way leads to
    assert [found for each in suite for found in unreachable_rooms(each)] == []


def test_a_joint_change_of_what_one_agent_changes_is_a_finding(earsim, tmp_path):
    jointly = "{done_jointly: {object: lamp, state: is_on}}"
    text = BARN.replace("{has_state: {object: lamp, state: is_on}}", jointly)
    file = tmp_path / "barn.yaml"
    for lamp, findings in (("mass_kg: 1, ", 1), ("mass_kg: 1, people: 2, ", 0)):
        file.write_text(text.replace("mass_kg: 1, states", f"{lamp}states"), encoding="utf-8")
        told = earsim("validate", file).stdout
        assert told.count("done_jointly of lamp, which one agent changes by itself") == findings
