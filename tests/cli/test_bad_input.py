"""Bad input is refused alike: in a file, by `earsim plan` and `show`, and in Python."""

from itertools import product

import gymnasium as gym
import pytest

from earsim.errors import EarSimError, FileError
from earsim.schema import load_scenarios

SCENE = """\
schema: earsim.scene/1
id: hut
rooms: [{id: hall}, {id: loft}]
doors: [{id: hatch, between: [hall, loft], states: {is_open: false}}]
objects: [{id: box, kind: item, in: hall, mass_kg: 1, container: {}, states: {is_open: false}}]
tasks:
  - id: light
    category: direct_command
    agents: [{id: eva, max_mass_kg: 20}]
    goal: {all: [{has_state: {object: box, state: is_open}}]}
    instruction: "Open the box."
"""


@pytest.mark.parametrize(
    ("place", "text"),
    [
        *product(["doors[0]", "objects[0]"], ["'no'", "'yes'", "'false'"]),
        ("doors[0]", "1"),  # an object's states are open JSON: a dial may stand at 0 or 1
    ],
)
def test_text_is_no_truth_value(tmp_path, place, text):
    path = tmp_path / "hut.yaml"
    before, _, after = SCENE.partition("objects:")
    parts = [before, after]
    index = int(place.startswith("objects"))
    parts[index] = parts[index].replace("is_open: false", f"is_open: {text}")
    path.write_text("objects:".join(parts))
    with pytest.raises(FileError, match=r"states.is_open") as refused:
        load_scenarios(path)
    assert place in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["plan", "show", "validate"])
@pytest.mark.parametrize("name", ["hut.yaml", "hut.yaml/light"])
def test_a_file_with_findings_is_told_with_them(earsim, here, command, name):
    (here / "hut.yaml").write_text(SCENE.replace("mass_kg: 1", "mas_kg: 1"))
    result = earsim(command, name)
    assert result.exit_code != 0
    assert "objects[0].mas_kg: unknown key" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [5, float("nan"), b"x", [], "x" * 5000, ""])
def test_reset_with_what_is_no_scenario(wanted):
    env = gym.make("OmniEAR-v0")
    with pytest.raises(EarSimError):
        env.reset(options={"scenario": wanted})


@pytest.mark.parametrize(
    "arguments",
    [
        {"budget": float("nan")},
        {"budget": "x"},
        {"scenario": {}},
        {"scenario": 5},
        {"scenario": "x" * 5000},
        {"suite": "x" * 5000},
        {"suite": "a\0b"},
        {"ruleset": ""},
        {"admissible_commands": "yes"},
        {"reward": {}},
    ],
)
def test_make_with_what_makes_no_sense(arguments):
    with pytest.raises(EarSimError):
        gym.make("OmniEAR-v0", **arguments)
