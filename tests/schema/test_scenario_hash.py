import subprocess
import sys

import pytest

from earsim.schema import Scenario, SceneFile, parse, to_json


@pytest.fixture
def scenario(clinic: str) -> Scenario:
    loaded = parse(clinic)
    assert isinstance(loaded, SceneFile)
    return loaded.scenarios()[0]


def test_hash_ignores_id_walkthrough_and_provenance(scenario: Scenario) -> None:
    task = scenario.task.model_copy(update={"walkthrough": ()})
    other = scenario.model_copy(update={"id": "b", "task": task, "provenance": {"by": "me"}})
    assert other.hash == scenario.hash


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pressure_bar: 90", "pressure_bar: 91"),
        ("lighting: dim", "lighting: dark"),
        ("hands: 1", "hands: 3"),
        ("Bring the", "Carry the"),
        ("room: ward}}]", "room: store}}]"),
    ],
)
def test_hash_sees_what_decides_an_episode(
    clinic: str, scenario: Scenario, old: str, new: str
) -> None:
    assert old in clinic
    changed = parse(clinic.replace(old, new, 1))
    assert isinstance(changed, SceneFile)
    assert changed.scenarios()[0].hash != scenario.hash


def test_hash_of_a_copy_is_its_own(scenario: Scenario) -> None:
    before = scenario.hash
    other = scenario.model_copy(update={"ruleset": "ear-bench"})
    assert other.hash != before
    assert scenario.hash == before


@pytest.mark.slow
def test_hash_does_not_depend_on_the_process(scenario: Scenario) -> None:
    code = (
        "import sys; from earsim.schema import parse; "
        "print(parse(sys.stdin.read(), is_json=True).hash)"
    )
    for seed in ("0", "1"):
        result = subprocess.run(
            [sys.executable, "-c", code],
            input=to_json(scenario),
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout.strip() == scenario.hash
