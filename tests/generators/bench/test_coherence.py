"""Scenes that cohere: what holds of all that ships, and that checks find what does not."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from docs.figures.coherence import Found, Place, check_scene, counted, scenes_of, violations
from docs.figures.number_pairs import PAIRS, Pair, correlations, ranks
from earsim.schema import Scene

HOLDS = (
    "heavier than a block of its material",
    "lighter than air",
    "holds more than its box",
    "contents exceed the capacity",
    "longer than what it is in",
    "bears more than it can",
    "things cover more than the floor",
    "below -90 or above 1,000 C",
    "told to be made of water",
    "alight, and shut in",
    "on without its plug",
    "on though broken",
    "a cold store without its plug",
    "100 C or more and off",
    "open, dirty or frozen, and the contrary",
    "frozen, which its number denies",
)
"""Checks that nothing in the suites fails."""

UNSHOWN = {"is_full", "is_loaded", "is_packed", "is_stacked"}
"""States that nothing beside them shows, so that no check could pass."""


@pytest.fixture(scope="module")
def found() -> Mapping[str, list[Found]]:
    return counted(scenes_of(["earsim-bench-2-mini"]))


@pytest.mark.slow
@pytest.mark.parametrize("check", HOLDS)
def test_what_holds_of_all_suites_holds_of_mini(check: str, found: Mapping[str, Sequence[Found]]):
    looked = found.get(check, [])
    assert looked
    assert [each.told for each in looked if each.fails] == []


def test_nothing_is_told_to_be_full_or_packed():
    places = scenes_of(["earsim-bench-2-mini"])
    told = {state for place in places for thing in place.scene.objects for state in thing.states}
    assert {"is_open", "is_on"} <= told
    assert told.isdisjoint(UNSHOWN)


def box(**changes: Any) -> dict[str, Any]:
    """A closed wooden box of 100 L."""
    return {
        "id": "box", "name": "Box", "kind": "furniture", "in": "hall", "mass_kg": 10.0,
        "size_m": [0.5, 0.5, 0.4], "container": {"capacity_l": 80.0},
        "states": {"is_open": False}, "attributes": {"material": "wood"}, **changes,
    }  # fmt: skip


def thing(**changes: Any) -> dict[str, Any]:
    """A thing of 1 L in the box."""
    return {
        "id": "thing", "name": "Thing 2", "kind": "item", "in": "box", "mass_kg": 0.5,
        "size_m": [0.1, 0.1, 0.1], "attributes": {"material": "wood"}, **changes,
    }  # fmt: skip


def scene(*things: Mapping[str, Any]) -> Scene:
    room = {"id": "hall", "name": "Hall", "area_m2": 9.0, "temperature_c": 20.0}
    data = {"schema": "earsim.scene/1", "id": "s", "title": "A hall", "domain": "home"}
    return Scene.model_validate({**data, "rooms": [room], "objects": things})


def failed(*things: Mapping[str, Any]) -> list[str]:
    return [each.check for each in check_scene(Place(scene(*things))) if each.fails]


def test_nothing_fails_of_a_thing_in_a_box():
    assert failed(box(), thing()) == []


LYING = {"in": "hall"}


@pytest.mark.parametrize(
    ("check", "things"),
    [
        ("heavier than a block of its material", [box(mass_kg=200.0)]),
        ("lighter than air", [box(mass_kg=0.1)]),
        ("holds more than its box", [box(container={"capacity_l": 200.0})]),
        ("contents exceed the capacity", [box(container={"capacity_l": 0.5}), thing()]),
        ("longer than what it is in", [box(), thing(size_m=[0.9, 0.01, 0.01])]),
        ("bears more than it can", [box(max_load_kg=0.2), thing(**{"in": None, "on": "box"})]),
        ("things cover more than the floor", [box(size_m=[4.0, 3.0, 0.4], mass_kg=900.0)]),
        ("things cover more than its top", [box(), thing(**{"in": None, "on": "box"},
            size_m=[0.9, 0.9, 0.1], mass_kg=9.0)]),
        ("below -90 or above 1,000 C", [box(temperature_c=-120.0)]),
        ("less than a litre, and on the floor", [thing(**LYING, size_m=[0.1, 0.1, 0.05])]),
        ("told to be made of water", [box(attributes={"material": "water"})]),
        ("alight, and shut in", [box(), thing(states={"is_alight": True})]),
        ("hot or boiling, and shut in", [box(), thing(states={"is_hot": True})]),
        ("on or running, and shut in", [box(), thing(states={"is_on": True})]),
        ("on without its plug", [thing(**LYING, states={"is_on": True, "is_plugged_in": False})]),
        ("on though broken", [thing(**LYING, states={"is_on": True, "is_broken": True})]),
        ("a cold store without its plug",
            [box(states={"is_open": False, "is_plugged_in": False}, temperature_c=4.0)]),
        ("100 C or more and off", [thing(**LYING, states={"is_on": False}, temperature_c=300.0)]),
        ("open, dirty or frozen, and the contrary",
            [thing(**LYING, states={"is_dirty": True, "is_polished": True})]),
        ("frozen, which its number denies",
            [thing(**LYING, states={"is_frozen": True}, temperature_c=20.0)]),
        ("charged, which its number denies",
            [thing(**LYING, states={"is_charged": True}, charge_percent=5.0)]),
        ("full container, less than half full",
            [box(states={"is_open": False, "is_full": True}), thing()]),
        ("packed, with nothing that shows it", [thing(**LYING, states={"is_packed": True})]),
        ("not full, and full to nine tenths",
            [box(container={"capacity_l": 1.05}, states={"is_full": False}), thing()]),
    ],
)  # fmt: skip
def test_a_check_finds_what_it_is_for(check: str, things: Sequence[Mapping[str, Any]]):
    assert check in failed(*things)


def test_what_stands_open_shuts_nothing_in():
    lit = thing(states={"is_alight": True})
    assert failed(box(states={"is_open": True}), lit) == []


def test_what_is_shut_in_is_found_at_any_depth():
    bowl = box(id="bowl", states={}, size_m=[0.3, 0.3, 0.2], container={"capacity_l": 9.0})
    bowl |= {"in": "box", "mass_kg": 1.0}
    lit = thing(**{"in": "bowl"}, states={"is_alight": True})
    assert failed(box(), bowl, lit) == ["alight, and shut in"]


def test_the_table_tells_how_many_fail_and_what():
    table = violations(counted([Place(scene(box(mass_kg=0.1)))]))
    row = next(row for row in table.rows if row.cells[0] == "lighter than air")
    assert row.cells[2:] == (1, 1, "100.0")
    assert "Box" in str(row.cells[1])


def test_ranks_of_what_is_alike_are_the_mean():
    assert ranks([3.0, 1.0, 3.0, 9.0]) == [0.5, 0.125, 0.5, 0.875]


@pytest.mark.parametrize(("sign", "rho"), [(1, 1.0), (-1, -1.0)])
def test_a_correlation_is_within_names(sign: int, rho: float, monkeypatch: pytest.MonkeyPatch):
    """Two names of other scale: what is dearer for its name is heavier for its name."""
    monkeypatch.setattr("docs.figures.number_pairs.PAIRS", (Pair("price_eur", "mass_kg", sign),))
    cups = [(f"cup_{n}", "Cup", 900.0 + n, 0.01 * n) for n in range(1, 13)]
    desks = [(f"desk_{n}", "Desk", 1.0 + n, 10.0 * n) for n in range(1, 13)]
    things = [
        thing(id=id_, name=name, price_eur=price, mass_kg=mass, **LYING)
        for id_, name, price, mass in (*cups, *desks)
    ]
    (pair,) = correlations([scene(*things)])
    assert (pair.names, pair.things, round(pair.rho, 9)) == (2, 24, rho)


def test_each_pair_is_there_once():
    assert len({frozenset(pair[:2]) for pair in PAIRS}) == len(PAIRS)
