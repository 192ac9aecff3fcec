from collections.abc import Callable
from typing import Any

import pytest

from earsim.errors import FileError
from earsim.schema import AllOf, AnyOf, At, DoneJointly, HasState, Scene
from earsim.suites.ear_bench import import_agents, import_goal, import_scene, is_cooperative
from earsim.suites.repair import Imported, RepairKind

Raw = dict[str, Any]
ImportObject = Callable[..., Imported[Scene]]


def _object(**fields: Any) -> Raw:
    return {
        "id": "box_1",
        "name": "Box",
        "type": "FURNITURE",
        "location_id": "in:lab",
        "properties": {"weight": 5.0, "size": [1, 2.0, 3]},
        "states": {},
    } | fields


def _scene(*objects: Raw, **fields: Any) -> Raw:
    rooms = [
        {"id": "lab", "name": "Lab", "properties": {"type": "lab"}, "connected_to_room_ids": []},
        {"id": "hall", "name": "Hall", "properties": {}, "connected_to_room_ids": ["lab"]},
    ]
    return {"description": "x", "rooms": rooms, "objects": list(objects), "abilities": []} | fields


def _kinds(imported: Imported[Any]) -> list[RepairKind]:
    return [repair.kind for repair in imported.repairs]


def test_fields_of_an_object_are_kept_apart() -> None:
    properties = {
        "weight": 5,
        "size": [1, 2.0, 3],
        "is_container": True,
        "color": "red",
        "is_dusty": False,
        "ports": [1, {"a": None}],
        "provides_abilities": "open",
    }
    raw = _object(
        properties=properties, states={"is_on": True, "cooperative_modified_attributes": []}
    )
    imported = import_scene(_scene(raw), "00001")
    (thing,) = imported.value.objects
    assert (thing.kind, thing.relation, thing.holder) == ("furniture", "in", "lab")
    assert (thing.mass_kg, thing.size_m, thing.provides) == (5.0, (1.0, 2.0, 3.0), ("open",))
    assert thing.container is not None
    assert thing.attributes == {"color": "red", "is_dusty": False, "ports": [1, {"a": None}]}
    assert list(thing.attributes) == ["color", "is_dusty", "ports"]
    assert thing.states == {"is_on": True, "is_open": False}
    assert imported.repairs == ()
    assert imported.value.abilities == ()


def test_item_containers_get_no_door() -> None:
    raw = _object(type="ITEM", properties={"weight": 1, "is_container": True})
    (thing,) = import_scene(_scene(raw), "s").value.objects
    assert thing.states == {}


@pytest.mark.parametrize("size", ["5mm", 9, [1, 2], [0, 1, 1], [1, 1, True], ["a", 1, 1]])
def test_an_odd_size_stays_an_attribute(size: object) -> None:
    imported = import_scene(_scene(_object(properties={"weight": 1, "size": size})), "s")
    (thing,) = imported.value.objects
    assert thing.size_m is None
    assert thing.attributes == {"size": size}
    assert imported.repairs == ()


@pytest.mark.parametrize(
    ("fields", "kind", "expected"),
    [
        ({"properties": {}}, RepairKind.MISSING_MASS, {"mass_kg": 10.0}),
        ({"properties": {}, "type": "ITEM"}, RepairKind.MISSING_MASS, {"mass_kg": 0.5}),
        ({"properties": {"weight": "5"}}, RepairKind.MISSING_MASS, {"mass_kg": 10.0}),
        ({"location_id": ""}, RepairKind.UNPLACED_OBJECT, {"holder": "lab"}),
        ({"location_id": "in:attic"}, RepairKind.UNPLACED_OBJECT, {"holder": "lab"}),
        ({"location_id": "on:box_1"}, RepairKind.UNPLACED_OBJECT, {"holder": "lab"}),
        ({"location_id": None}, RepairKind.UNPLACED_OBJECT, {"holder": "lab"}),
        ({"location_id": "under:hall"}, RepairKind.UNUSUAL_RELATION, {"relation": "on"}),
        ({"provides_abilities": ["open"]}, RepairKind.MISPLACED_ABILITIES, {"provides": ()}),
        ({"type": "GRABBABLE"}, RepairKind.UNUSUAL_TYPE, {"kind": "item"}),
        ({"name": "A\x1b[31mB\n"}, RepairKind.CLEANED_TEXT, {"name": "AB"}),
        (
            {"properties": {"weight": 1, "a": ["\x07b"]}},
            RepairKind.CLEANED_TEXT,
            {"attributes": {"a": ["b"]}},
        ),
        (
            {"properties": {"weight": 1, "provides_abilities": ["open", "fly", "open"]}},
            RepairKind.UNKNOWN_ABILITY,
            {"provides": ("open",), "also_provides": ("fly",)},
        ),
    ],
)
def test_what_does_not_fit_is_repaired_and_logged(
    fields: Raw, kind: RepairKind, expected: Raw
) -> None:
    imported = import_scene(_scene(_object(**fields)), "s")
    assert _kinds(imported) == [kind]
    (thing,) = imported.value.objects
    assert {name: getattr(thing, name) for name in expected} == expected


@pytest.mark.parametrize("location", ["lab", ":lab", "in:lab"])
def test_a_place_without_relation_is_in(location: str) -> None:
    imported = import_scene(_scene(_object(location_id=location)), "s")
    assert imported.value.objects[0].in_ == "lab"
    assert imported.repairs == ()


def test_cycles_and_what_rests_on_them_go_to_the_first_room() -> None:
    holds = {"weight": 1, "is_container": True}
    raw = _scene(
        _object(id="c", location_id="on:b", properties=holds),
        _object(id="a", location_id="in:b", properties=holds),
        _object(id="b", location_id="in:a", properties=holds),
        _object(id="d", location_id="in:hall", properties=holds),
    )
    imported = import_scene(raw, "s")
    assert [thing.in_ for thing in imported.value.objects] == ["lab", "lab", "lab", "hall"]
    assert _kinds(imported) == [RepairKind.UNPLACED_OBJECT] * 3


def test_rooms_and_abilities_that_are_unknown_are_dropped() -> None:
    raw = _scene(abilities=["Open", "fly", "close", "open"])
    raw["rooms"][1]["connected_to_room_ids"] = ["lab", "attic", "hall"]
    imported = import_scene(raw, "eval/00001")
    assert imported.value.id == "eval_00001"
    assert imported.value.abilities == ("open", "close")
    assert imported.value.rooms[1].connects == ("lab",)
    assert _kinds(imported) == [
        RepairKind.UNKNOWN_CONNECTION,
        RepairKind.UNKNOWN_CONNECTION,
        RepairKind.UNKNOWN_SCENE_ABILITY,
    ]


@pytest.mark.parametrize(
    ("raw", "finding"),
    [
        (_scene(_object(), _object()), "the id 'box_1' is taken"),
        (_scene(_object(id="lab")), "the id 'lab' is taken"),
        (_scene(_object(id="box 1")), "expected an id"),
        (_scene(_object(id=None)), "objects"),
        (_scene(rooms=[]), "rooms"),
        (_scene(rooms=None), "rooms"),
        (_scene(_object(), _object(id="b", location_id="in:box_1")), "not a container"),
        (_scene(_object(properties={"weight": 1, "x": float("nan")})), "out of range"),
        (_scene(3), "missing"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_repaired_is_refused(raw: Raw, finding: str) -> None:
    with pytest.raises(FileError, match=finding):
        import_scene(raw, "s")


def test_agents_get_ids_places_and_limits() -> None:
    rooms = import_scene(_scene(), "s").value.rooms
    raw = [
        {"name": "robot_1", "max_grasp_limit": 0, "max_weight": 30, "max_size": [1, 1, 2]},
        {"name": "robot_2", "id": "bob", "location_id": "in:lab", "properties": {"max_weight": 7}},
    ]
    first, second = import_agents(raw, rooms).value
    assert (first.id, first.in_, first.hands) == ("agent_1", "hall", 0)
    assert (first.max_mass_kg, first.max_size_m) == (30.0, (1.0, 1.0, 2.0))
    assert (second.id, second.in_, second.hands, second.max_mass_kg) == ("bob", "lab", 2, 7.0)
    assert import_agents(raw, rooms).repairs == ()


@pytest.mark.parametrize(
    ("fields", "kind", "expected"),
    [
        ({"max_grasp_limit": 0.5}, RepairKind.HAND_LIMIT, {"hands": 1}),
        ({"max_grasp_limit": 30.0}, RepairKind.HAND_LIMIT, {"hands": 30}),
        ({"max_grasp_limit": [1, 1, 1]}, RepairKind.HAND_LIMIT, {"hands": 1}),
        ({"max_size": 1.5}, RepairKind.SIZE_LIMIT, {"max_size_m": (1.5, 1.5, 1.5)}),
        ({"max_size": [1, 1]}, RepairKind.SIZE_LIMIT, {"max_size_m": None}),
        ({"max_weight": "much"}, RepairKind.MASS_LIMIT, {"max_mass_kg": 10.0}),
        ({"location_id": "attic"}, RepairKind.START_ROOM, {"in_": "hall"}),
        ({"id": "agent one"}, RepairKind.AGENT_ID, {"id": "agent_1"}),
        ({"name": "a\x07b"}, RepairKind.CLEANED_TEXT, {"name": "a b"}),
    ],
)
def test_dirty_limits_are_repaired(fields: Raw, kind: RepairKind, expected: Raw) -> None:
    rooms = import_scene(_scene(), "s").value.rooms
    imported = import_agents([{"name": "robot"} | fields], rooms)
    assert _kinds(imported) == [kind]
    assert {name: getattr(imported.value[0], name) for name in expected} == expected


KNOWN = {"cup", "lab"}


def _goal(*checks: object, category: str = "direct_command", text: str = "Do it.") -> Imported[Any]:
    return import_goal(list(checks), category, text, KNOWN, rooms={"lab"})


def test_checks_become_facts_in_their_order() -> None:
    goal = _goal({"id": "cup", "is_open": True, "location_id": ":lab", "is_wet": False}).value
    assert isinstance(goal, AllOf)
    states, place, wet = goal.all
    assert isinstance(states, HasState)
    assert isinstance(wet, HasState)
    assert isinstance(place, At)
    assert (place.at.object, place.at.place) == ("cup", ":lab")
    assert (wet.has_state.state, wet.has_state.equals) == ("is_wet", False)


@pytest.mark.parametrize(
    ("category", "text", "together"),
    [
        ("direct_command", "Open it.", False),
        ("direct_command", "Open it TOGETHER.", True),
        ("tool_use", "Put the altogether parts", True),
        ("implicit_collaboration", "Open it.", True),
        ("explicit_collaboration", "Open it.", True),
        ("compound_collaboration", "Open it.", True),
        ("compound_reasoning", "Open it.", False),
    ],
)
def test_cooperative_tasks_demand_joint_deeds(category: str, text: str, together: bool) -> None:
    assert is_cooperative(category, text) == together
    goal = _goal(
        {"id": "cup", "is_open": True, "location_id": ":lab"}, category=category, text=text
    )
    assert sum(isinstance(part, DoneJointly) for part in goal.value.all) == together


@pytest.mark.parametrize(
    "check",
    [
        {"id": "ghost", "is_open": True},
        {"is_open": True},
        {"id": ["cup"], "is_open": True},
        {"id": "cup", "location_id": None},
        {"id": "cup", "location_id": 3},
        {"id": "lab", "is_open": True},
        {"id": "lab", "location_id": ":hall"},
        "cup",
    ],
)
def test_impossible_checks_are_never_fulfilled(check: object) -> None:
    imported = _goal(check)
    assert imported.value == AllOf(all=(AnyOf(any=()),))
    assert _kinds(imported) == [RepairKind.IMPOSSIBLE_CHECK]


def test_no_checks_are_never_fulfilled() -> None:
    for checks in ([], None, {}):
        imported = import_goal(checks, "tool_use", "x", KNOWN)
        assert imported.value == AnyOf(any=())


@pytest.mark.parametrize("check", [{"id": "cup"}, {"id": "lab"}])
def test_a_check_of_nothing_is_fulfilled(check: Raw) -> None:
    assert _goal(check).value == AllOf(all=())


def test_unknown_check_keys_are_ignored_and_logged() -> None:
    imported = _goal({"id": "cup", "states": {"is_open": True}})
    assert imported.value == AllOf(all=())
    assert _kinds(imported) == [RepairKind.IGNORED_CHECK]


def test_abilities_that_cannot_be_kept_as_they_are_still_load() -> None:
    given = ["open", " open", "\x07", "Heavy Duty", "f\x07ly"]
    raw = _object(properties={"weight": 1, "provides_abilities": given})
    imported = import_scene(_scene(raw), "s")
    (thing,) = imported.value.objects
    assert (thing.provides, thing.also_provides) == (("open",), ("Heavy Duty", "f ly"))
    assert _kinds(imported) == [RepairKind.UNKNOWN_ABILITY] * 4
