"""What lies at a wet bench, and what an action lacks there."""

from typing import Any

import pytest

from earsim.episode import Episode
from earsim.world.benches import lacking, lies_at, unfit
from tests.world.small import done, episode, thing

SPIN: dict[str, Any] = {
    "name": "spin",
    "inputs": {"tube": {"is_full": True, "ml": 2.0}, "broth": {}, "rack": {"is_clean": True}},
    "outputs": {"tube": {"ml": 1.0}},
}


def laboratory(*more: dict[str, Any], action: dict[str, Any] = SPIN, place: Any = None) -> Episode:
    materials = [
        {"id": "tube", "states": {"is_full": True, "ml": 2.0}},
        {"id": "broth", "exists": False},
    ]
    pool = {"materials": materials, "actions": [action]}
    bench = {"model": "wet_bench/1", "pool": pool}
    return episode(
        thing("bench", kind="furniture", mass_kg=90.0, apparatus=bench),
        thing("rack", on="bench", states={"is_clean": True}),
        thing("box", on="bench", container={}, states={"is_open": False}),
        thing("tube", **(place or {"on": "rack"})),
        *more,
    )


def lacks(played: Episode) -> list[tuple[str, Any]]:
    actions = played.engine.blueprint.live.actions["bench"]
    return [(lack.input, lack.has) for lack in lacking(played.world, "bench", actions["spin"])]


def test_what_is_on_a_thing_on_a_bench_lies_at_it():
    played = laboratory(thing("cup"))
    assert [lies_at(played.world, node, "bench") for node in ("rack", "tube", "box", "cup")] == [
        True,
        True,
        True,
        False,
    ]


def test_what_is_under_a_lid_or_in_a_hand_does_not():
    assert not lies_at(laboratory(place={"in": "box"}).world, "tube", "bench")
    played = done(laboratory(), "EXPLORE", "GOTO tube", "GRAB tube")
    assert not lies_at(played.world, "tube", "bench")


def test_an_action_lacks_what_is_not_there_or_not_as_it_takes_it():
    assert lacks(laboratory()) == [("broth", None)]
    played = done(laboratory(), "EXPLORE", "GOTO tube", "GRAB tube")
    assert lacks(played) == [("tube", None), ("broth", None)]


@pytest.mark.parametrize(
    ("wanted", "has"),
    [
        ({"is_full": True, "ml": 2.0}, None),
        ({"is_full": False}, {"is_full": True}),
        ({"ml": 1.0, "is_full": True}, {"ml": 2.0}),
        ({"ml": 2}, None),
        ({"is_full": 1}, {"is_full": True}),
    ],
)
def test_states_are_equal_in_value_and_kind(wanted: dict[str, Any], has: Any):
    found = lacks(laboratory(action=SPIN | {"inputs": {"tube": wanted}}))
    assert found == ([] if has is None else [("tube", has)])


def test_numbers_of_equipment_lie_in_their_ranges():
    def found(**bounds: float) -> list[tuple[str, Any, Any]]:
        needs = {"things": [{"object": "oven", "of": "temperature_c", **bounds}]}
        oven = thing("oven", temperature_c=60.0)
        played = laboratory(oven, action=SPIN | {"needs": needs})
        action = played.engine.blueprint.live.actions["bench"]["spin"]
        return [
            (lack.input, lack.wanted, lack.has) for lack in unfit(played.world, "bench", action)
        ]

    for sound in ({"at_least": 60.0}, {"at_most": 60.0}, {"at_least": 50.0, "at_most": 70.0}):
        assert found(**sound) == []
    assert found(at_least=61.0) == [("oven", {"temperature_c": "at least 61"}, {})]
    assert found(at_most=59.0) == [("oven", {"temperature_c": "at most 59"}, {})]
    assert found(at_least=61.0, at_most=70.5) == [("oven", {"temperature_c": "61 to 70.5"}, {})]


def test_equipment_is_in_the_room():
    action = SPIN | {"needs": {"things": [{"object": "oven"}]}}
    rooms = [{"id": "hall"}, {"id": "yard"}]
    for place, lacked in (("hall", []), ("yard", [("oven", {}, None)])):
        oven = thing("oven", **{"in": place})
        pool = {"actions": [action | {"inputs": {}, "outputs": {}}]}
        bench = thing("bench", apparatus={"model": "wet_bench/1", "pool": pool})
        played = episode(bench, oven, rooms=rooms)
        spin = played.engine.blueprint.live.actions["bench"]["spin"]
        found = [(lack.input, lack.wanted, lack.has) for lack in unfit(played.world, "bench", spin)]
        assert found == lacked
