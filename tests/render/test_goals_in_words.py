"""Goals over time as sentences."""

import pytest

from earsim.render.words.goals import goal_lines
from earsim.schema import AgentSpec
from earsim.schema.scene import Scene
from earsim.schema.task import Task
from earsim.world import Blueprint

TANK = {
    "id": "tank",
    "name": "Tank",
    "kind": "furniture",
    "in": "hall",
    "mass_kg": 40.0,
    "states": {"is_on": True},
}
SCENE = Scene.model_validate({"id": "s", "rooms": [{"id": "hall"}], "objects": [TANK]})
BLUEPRINT = Blueprint.compile(SCENE, (AgentSpec.model_validate({"id": "ada", "max_mass_kg": 9.0}),))
ON = {"has_state": {"object": "tank", "state": "is_on"}}
FULL = {"quantity": {"object": "tank", "of": "content_l", "at_least": 90.0}}


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        (
            {"held_for": {"goal": {"all": [ON, FULL]}, "seconds": 60.0}},
            (
                "for 60 s without a break: Tank (tank): is_on is true and "
                "content_l of Tank (tank) is at least 90"
            ),
        ),
        ({"never": FULL}, "never: content_l of Tank (tank) is at least 90"),
        (
            {"before": {"first": ON, "then": FULL}},
            "first (Tank (tank): is_on is true), then (content_l of Tank (tank) is at least 90)",
        ),
        ({"clock": {"at_most": 600.0}}, "the clock shows at most 600 s"),
    ],
)
def test_a_goal_over_time_is_said_with_its_parts(goal: object, said: str):
    task = Task.model_validate(
        {"id": "t", "category": "direct_command", "instruction": "Do.", "goal": {"all": [goal]}}
    )
    assert goal_lines(task.goal, {}, BLUEPRINT) == (said,)
