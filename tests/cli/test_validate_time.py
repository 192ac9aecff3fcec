"""`earsim validate`: scenes in which numbers change by themselves."""

import pytest

from earsim.schema import load_file, to_yaml

SCENE = """\
schema: earsim.scene/1
id: lab
rooms:
  - {id: hall, name: Hall, temperature_c: 20}
objects:
  - {id: fridge, name: Fridge, kind: furniture, in: hall, mass_kg: 40, temperature_c: 5,
     container: {capacity_l: 90}, fittings: {mains: 1}, needs: [is_plugged_in],
     states: {is_open: false, is_plugged_in: false, is_frozen: false},
     processes: [{compartment: {air_jpk: 6000, wall_wpk: 1.5}}, {heats: {power_w: -60}},
       {state: {name: is_frozen, of: temperature_c, at_most: 0}}]}
  - {id: socket, name: Socket, kind: item, in: hall, mass_kg: 0.2, fittings: {mains: 1},
     supplies: [mains]}
  - {id: jug, name: Jug, kind: item, in: hall, mass_kg: 0.5, container: {capacity_l: 2},
     liquids: {water: 1}}
  - {id: ball, name: Ball, kind: item, in: jug, mass_kg: 0.2, volume_l: 0.3}
tasks:
  - id: cold
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {all: [{quantity: {object: fridge, of: temperature_c, at_most: 0}}]}
    instruction: "Make the fridge cold."
    walkthrough: [EXPLORE, GOTO socket, GRAB socket, GOTO fridge, CONNECT fridge socket,
      WAIT UNTIL fridge is_frozen]
"""


@pytest.fixture
def lab(here):
    def written(*changes):
        path, text = here / "lab.yaml", SCENE
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
        return path

    return written


def test_a_sane_scene(earsim, lab):
    result = earsim("validate", lab())
    assert result.exit_code == 0, result.stdout
    assert "warning" not in result.stdout, "its states and fittings do something"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            [("power_w: -60", "power_w: -600")],
            "heats.power_w: it takes 600 W from 'Fridge', which leads below absolute zero (at most",
        ),
        (
            [("power_w: -60", "power_w: -6e9")],
            "lab: objects[0].processes[1].heats.power_w: -6e+09 W (at most 1e+08 W)",
        ),
        (
            [("volume_l: 0.3", "volume_l: 1.3")],
            "lab: objects[2].container.capacity_l: the thing and the liquid in 'Jug' take up 2.3 L",
        ),
        (
            [
                ("object: fridge, of", "object: $it, of"),
                ("    instruction", "    select: {it: {smallest: temperature_c}}\n    instruction"),
            ],
            "lab/cold: task.select.it: rests on temperature_c of 'fridge', which changes by itself",
        ),
    ],
)
def test_what_cannot_be(earsim, lab, changes, told):
    result = earsim("validate", lab(*changes))
    assert result.exit_code == 1
    assert told in result.stdout.replace("\n", "")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            [("fittings: {mains: 1},\n", "fittings: {main: 1},\n"), ("[mains]", "[main]")],
            "lab: objects[1].fittings.main: nothing else has the fitting 'main' of 'Socket' (did",
        ),
        (
            [
                ("is_frozen, of: temperature_c", "is_hot, of: temperature_c"),
                ("false, is_fro", "false, is_hot: false, is_fro"),
            ],
            "lab: objects[0].states.is_frozen: 'is_frozen' of 'Fridge': a verb sets it",
        ),
    ],
)
def test_what_is_odd(earsim, lab, changes, told):
    assert f"warning: {told}" in earsim("validate", lab(*changes)).stdout.replace("\n", "")


def under_ear_bench(path):
    (scenario,) = load_file(path).scenarios()
    task = scenario.task.model_copy(update={"walkthrough": ()})
    scenario = scenario.model_copy(update={"ruleset": "ear-bench", "task": task})
    path.write_text(to_yaml(scenario))
    return path


def test_rules_without_time_ignore_it_and_say_so(earsim, lab):
    result = earsim("validate", under_ear_bench(lab()))
    assert (
        "warning: lab/cold: ruleset: processes, liquids and fittings are ignored" in result.stdout
    )


def test_conditions_over_time_need_rules_with_time(earsim, lab):
    goal = "{quantity: {object: fridge, of: temperature_c, at_most: 0}}"
    path = lab((goal, f"{{never: {goal}}}"))
    assert "conditions over time" not in earsim("validate", path).stdout
    result = earsim("validate", under_ear_bench(path))
    assert result.exit_code == 1
    assert "lab/cold: task.goal: conditions over time, and under ear-bench/1" in result.stdout
