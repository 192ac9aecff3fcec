"""Scenes of a family that are drawn alike are known again whatever they are called."""

from random import Random

import pytest

from earsim.schema.scenario import SceneFile
from earsim_generators.families import FAMILIES
from earsim_generators.suites.family_worker import _numbered, _structure_of


def structures(family: str, seed: int, number: int) -> list[str]:
    """What tells the tasks of one scene apart from others."""
    document = FAMILIES[family](Random(seed), "easy")
    tasks = [_numbered(task, number) for task in document["tasks"]]
    named = {**document, "id": f"scene_{number}", "tasks": tasks}
    scenarios = SceneFile.model_validate(named).scenarios()
    return [_structure_of(scenario) for scenario in scenarios]


@pytest.mark.parametrize("family", ["heat", "flow", "mix"])
def test_a_scene_drawn_again_is_a_duplicate_under_another_number(family):
    assert structures(family, 1, 1) == structures(family, 1, 2)
    assert structures(family, 1, 1) != structures(family, 2, 1)
