"""The leaves of goals that time bears on."""

from pydantic import TypeAdapter

from earsim.schema.goal import Goal
from earsim.schema.goal_tree import leaves, momentary_leaves

GOAL = TypeAdapter(Goal).validate_python(
    {
        "all": [
            {"held_for": {"goal": {"held_by": {"object": "a"}}, "seconds": 5.0}},
            {"never": {"has_state": {"object": "b", "state": "is_hot"}}},
            {
                "before": {
                    "first": {"any": [{"at": {"object": "c", "on": "d"}}]},
                    "then": {"not": {"inside_room": {"object": "e", "room": "r"}}},
                }
            },
            {"clock": {"at_most": 60.0}},
        ]
    }
)


def test_a_condition_over_time_is_one_leaf():
    assert [leaf.key for leaf in leaves(GOAL)] == ["held_for", "never", "before", "clock"]


def test_what_it_asks_about_at_a_moment_are_its_own_leaves():
    keys = [leaf.key for leaf in momentary_leaves(GOAL)]
    assert keys == ["held_by", "has_state", "at", "inside_room", "clock"]


def test_what_must_not_be_can_be_left_out():
    keys = [leaf.key for leaf in momentary_leaves(GOAL, denied=False)]
    assert keys == ["held_by", "at", "clock"]
