"""The reference's checks as goals: the table of EAR-Bench 5.1, row by row."""

from typing import Any

import pytest

from earsim.engine import Engine
from earsim.goals import CompiledGoal, compile_goal
from earsim.schema import Scenario
from earsim.suites.ear_bench import import_goal
from earsim.world import HELD, Location, World

OBJECTS = ("table", "cup", "box")
ROOMS = ("room",)


@pytest.fixture
def world() -> World:
    thing = {"kind": "item", "mass_kg": 1, "container": {}}
    scene = {
        "schema": "earsim.scene/1",
        "id": "flat",
        "rooms": [{"id": "room"}],
        "objects": [
            {**thing, "id": "table", "in": "room"},
            {**thing, "id": "cup", "on": "table", "states": {"is_on": True, "is_hot": 1}},
            {**thing, "id": "box", "in": "room", "attributes": {"is_blue": True}},
        ],
    }
    content = {
        "id": "s",
        "ruleset": "ear-bench",
        "scene": scene,
        "agents": [{"id": "agent_1", "max_mass_kg": 5}],
        "task": {"id": "t", "category": "tool_use", "instruction": "-", "goal": {"any": []}},
    }
    return Engine(Scenario.model_validate(content)).start()


def goal(*checks: Any, category: str = "direct_command", says: str = "Do it.") -> CompiledGoal:
    known = (*OBJECTS, *ROOMS)
    return compile_goal(import_goal(list(checks), category, says, known, rooms=ROOMS).value, {})


def at(thing: str, place: Any) -> dict[str, Any]:
    return {"id": thing, "location_id": place}


def test_a_task_without_checks_is_never_complete(world: World):
    assert not goal().holds(world)
    assert not compile_goal(import_goal(None, "", "", OBJECTS).value, {}).holds(world)


def test_every_check_must_pass(world: World):
    good, bad = at("cup", "on:table"), at("box", "on:table")
    assert goal(good).holds(world)
    assert goal(good, at("box", ":room")).holds(world)
    assert not goal(good, bad).holds(world)
    assert not goal(bad, good).holds(world)


@pytest.mark.parametrize("check", [{"is_on": True}, {"id": "ghost"}, {"id": None}, "cup"])
def test_a_missing_or_unknown_id_fails(world: World, check: Any):
    assert not goal(check).holds(world)


def test_a_room_is_accepted_but_has_neither_place_nor_states(world: World):
    assert goal({"id": "room"}).holds(world)
    assert not goal({"id": "room", "is_on": True}).holds(world)
    assert not goal(at("room", ":room")).holds(world)


PLACES = {
    # with in: or on: the texts must be equal
    "on:table": {"on:table"},
    "in:table": {"in:table"},
    # without: ids after a leading `in:`, `on:` or `:` is removed from either
    ":table": {"on:table", "in:table"},
    "table": {"on:table", "in:table"},
    # only the direct parent counts
    ":room": {"in:room"},
    "room": {"in:room"},
    # held: the bare agent id
    ":agent_1": {"agent_1"},
    "agent_1": {"agent_1"},
    "in:agent_1": set(),
    # an odd-cased relation stays part of the text
    "ON:table": {"ON:table"},
    # empty: the raw value
    "": set(),
}
"""Where the cup must be for a check on `location_id`, by the text of the check."""


@pytest.mark.parametrize("expected", PLACES)
@pytest.mark.parametrize(
    "place", ["on:table", "in:table", "in:room", "agent_1", "ON:table", "IN:table", "in:box"]
)
def test_place(world: World, expected: str, place: str):
    relation, _, holder = place.rpartition(":")
    world.move_object("cup", Location(relation or HELD, holder))
    assert world.location["cup"].text == place
    assert goal(at("cup", expected)).holds(world) is (place in PLACES[expected])


@pytest.mark.parametrize("place", [None, 3, ["on:table"], True])
def test_a_place_that_is_no_text_is_never_met(world: World, place: Any):
    assert not goal(at("cup", place)).holds(world)


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        ({"is_on": True}, True),
        ({"is_on": False}, False),
        ({"is_on": 1}, True),  # Python's equality
        ({"is_hot": True}, True),
        ({"is_cold": None}, True),  # a missing key equals None
        ({"is_cold": False}, False),
        ({"is_on": "true"}, False),
    ],
)
def test_states_are_compared_by_pythons_equality(world: World, check: dict[str, Any], holds: bool):
    assert goal({"id": "cup", **check}).holds(world) is holds


def test_properties_are_not_consulted(world: World):
    assert not goal({"id": "box", "is_blue": True}).holds(world)


@pytest.mark.parametrize("key", ["states", "states.is_on", "location", "on"])
def test_any_other_key_is_ignored(world: World, key: str):
    assert goal({"id": "cup", key: "whatever"}).holds(world)
    imported = import_goal([{"id": "cup", key: "x"}], "", "", OBJECTS)
    assert [str(repair.kind) for repair in imported.repairs] == ["ignored check"]


TOGETHER = [
    ("explicit_collaboration", "Do it."),
    ("implicit_collaboration", "Do it."),
    ("compound_collaboration", "Do it."),
    ("direct_command", "Cooperate to do it."),
    ("direct_command", "In COOPERATION, do it."),
    ("direct_command", "Cooperatively do it."),
    ("tool_use", "Work together."),
    ("tool_use", "Collaborate."),
    ("tool_use", "A collaboration."),
    ("tool_use", "Put them together."),
    ("tool_use", "Jointly, please."),
    ("tool_use", "Team up."),
]


@pytest.mark.parametrize(("category", "says"), TOGETHER)
def test_cooperative_tasks_want_states_changed_together(world: World, category: str, says: str):
    check = goal({"id": "cup", "is_on": True}, category=category, says=says)
    assert not check.holds(world)
    world.mark_joint("cup", "is_on", joint=True)
    assert check.holds(world)


def test_cooperative_tasks_want_places_only(world: World):
    assert goal(at("cup", ":table"), category="explicit_collaboration").holds(world)


@pytest.mark.parametrize("says", ["Do it.", "Gather them.", "Ask the team."])
def test_other_tasks_want_no_cooperation(world: World, says: str):
    assert goal({"id": "cup", "is_on": True}, says=says).holds(world)
