"""What of a scene cannot be in nature, or is odd: every bound from both sides, and what is told."""

from typing import Any

import pytest

from earsim.schema import Scene
from earsim.world import plausibility
from earsim.world.plausibility import implausible_in, marks_in, odd_in

OSMIUM_KGPL = 22.7


def thing(id: str, **more: Any) -> dict[str, Any]:
    """A block of one litre that weighs a kilogram, in the hall."""
    given = {"kind": "item", "mass_kg": 1.0, "size_m": [0.1, 0.1, 0.1]} | more
    place = {} if "in" in more or "on" in more else {"in": "hall"}
    return {"id": id, **place, **{key: value for key, value in given.items() if value is not None}}


def scene(*objects: dict[str, Any], **hall: Any) -> Scene:
    rooms = [{"id": "yard", "temperature_c": 20.0}, {"id": "hall", **hall}]
    return Scene.model_validate({"id": "s", "rooms": rooms, "objects": list(objects)})


def told(check: Any, *objects: dict[str, Any], **hall: Any) -> list[str]:
    found = check(scene(*objects, **hall))
    return [f"{'.'.join(map(str, p.loc))}: {p.reason} ({p.expected})" for p in found]


def box(capacity_l: float = 1.0, **more: Any) -> dict[str, Any]:
    return thing("box", container={"capacity_l": capacity_l}, states={"is_open": True}, **more)


@pytest.mark.parametrize(
    ("field", "least", "unit"),
    [
        ("temperature_c", -273.15, "°C"),
        ("temperature_k", 0.0, "K"),
        ("temperature_f", -459.67, "°F"),
    ],
)
def test_nothing_is_colder_than_absolute_zero(field: str, least: float, unit: str):
    assert told(implausible_in, thing("cup", **{field: least})) == []
    shown = f"temperature {least - 0.25} {unit}"
    below = f"{field}: {shown} is below absolute zero (at least {least:g} {unit})"
    assert told(implausible_in, thing("cup", **{field: least - 0.25})) == [f"objects.0.{below}"]
    assert told(implausible_in, **{field: least - 0.25}) == [f"rooms.1.{below}"]


@pytest.mark.parametrize(
    "name",
    [
        "alcohol",
        "battery",
        "charge",
        "fat",
        "fill",
        "humidity",
        "oxygen",
        "protein",
        "purity",
        "salt",
        "sugar",
    ],
)
def test_parts_of_a_whole_are_no_more_than_all_of_it(name: str):
    field = f"{name}_percent"
    for sound in (0, 100):
        assert told(implausible_in, thing("jar", **{field: sound})) == []
    (over,) = told(implausible_in, thing("jar", **{field: 100.5}))
    assert over == f"objects.0.{field}: {name} 100.5 % is no part of a whole (at most 100 %)"
    (under,) = told(implausible_in, thing("jar", **{field: -0.5}))
    assert under == f"objects.0.{field}: {name} -0.5 % is no part of a whole (at least 0 %)"


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("load_kg", "-0.5 kg"), ("base_m2", "-0.5 m²"), ("tank_l", "-0.5 L"),
        ("tone_hz", "-0.5 Hz"), ("dye_mol", "-0.5 mol"), ("salt_ppm", "-0.5 ppm"),
        ("disk_gb", "-0.5 GB"), ("light_lux", "-0.5 lx"), ("lamp_lm", "-0.5 lm"),
        ("badge_sv", "-0.5 Sv"), ("source_bq", "-0.5 Bq"), ("cell_wh", "-0.5 Wh"),
        ("age_days", "-0.5 d"), ("age_years", "-0.5 years"),
    ],
)  # fmt: skip
def test_what_is_counted_from_nothing_is_not_negative(field: str, shown: str):
    assert told(implausible_in, thing("jar", **{field: 0})) == []
    (under,) = told(implausible_in, thing("jar", **{field: -0.5}))
    name, least = field.partition("_")[0], f"0 {shown.partition(' ')[2]}"
    assert under == f"objects.0.{field}: {name} {shown} is less than nothing (at least {least})"


def test_other_numbers_are_what_they_are():
    sound = {"price_eur": -5, "height_m": -5, "discount_percent": 120, "delay_s": -5}
    assert told(implausible_in, thing("jar", **sound)) == []


def test_nothing_is_denser_than_osmium():
    assert told(implausible_in, thing("cube", mass_kg=OSMIUM_KGPL * 1.02 - 1e-6)) == []
    assert told(implausible_in, thing("cube", mass_kg=999, size_m=None)) == []
    assert told(implausible_in, thing("cube", mass_kg=23.2)) == [
        "objects.0.mass_kg: 'cube' weighs 23.2 kg in a box of 1 L (a block of that size has 22.7)"
    ]


def test_nothing_is_denser_than_its_material():
    assert told(odd_in, thing("cube", attributes={"material": "Cast_Iron"}, mass_kg=7.6)) == []
    assert told(odd_in, thing("cube", attributes={"material": "Cast_Iron"}, mass_kg=7.7)) == [
        (
            "objects.0.mass_kg: 'cube' weighs 7.7 kg in a box of 1 L "
            "(a block of cast iron of that size has 7.5)"
        )
    ]
    assert told(odd_in, thing("cube", attributes={"material": "jelly"}, mass_kg=20)) == []


DENSEST_KGPM3 = {
    "feather": 150, "balsa": 260, "cork": 300, "foam": 300,
    "pine": 800, "cardboard": 900, "plywood": 900, "walnut": 900, "mahogany": 900,
    "ice": 920, "water": 1030, "wax": 1050, "bamboo": 1100, "oak": 1100,
    "leather": 1300, "paper": 1300, "wood": 1350, "wool": 1350,
    "nylon": 1400, "cotton": 1600, "linen": 1600, "rubber": 2200, "plastic": 2300,
    "brick": 2400, "porcelain": 2600, "concrete": 2700, "granite": 2900, "marble": 2900,
    "stone": 3400, "ceramic": 6100, "glass": 6300,
    "aluminium": 2900, "aluminum": 2900, "titanium": 4900, "zinc": 7300, "cast iron": 7500,
    "iron": 7950, "stainless steel": 8200, "steel": 8200, "brass": 8800, "copper": 9000,
    "silver": 10600, "lead": 11400, "gold": 19400, "platinum": 21600,
}  # fmt: skip
"""The densest sort of each, without any hollow."""


@pytest.mark.parametrize("material", DENSEST_KGPM3)
def test_a_cubic_metre_of_a_material_weighs_no_more_than_its_densest_sort(material: str):
    most = DENSEST_KGPM3[material] * 1.02
    for mass_kg, odd in ((most - 0.01, 0), (most + 0.01, 1)):
        block = thing("block", size_m=[1, 1, 1], mass_kg=mass_kg, attributes={"material": material})
        assert len(told(odd_in, block)) == odd


def test_there_is_a_bound_for_each_of_these_materials_and_one_for_all():
    assert plausibility.DENSEST_KGPM3.keys() == DENSEST_KGPM3.keys()
    for mass_kg, found in ((22_700 * 1.02 - 0.01, 0), (22_700 * 1.02 + 0.01, 1)):
        assert len(told(implausible_in, thing("block", size_m=[1, 1, 1], mass_kg=mass_kg))) == found


def test_nothing_is_lighter_than_air():
    edges = [0.5, 0.5, 0.5]
    assert told(odd_in, thing("bag", mass_kg=0.125, size_m=edges)) == []
    assert told(odd_in, thing("bag", mass_kg=0.124, size_m=edges)) == [
        (
            "objects.0.mass_kg: 'bag' weighs 0.124 kg in a box of 125 L, less than the air in it "
            "(at least 0.125, if not a wire)"
        )
    ]
    for size in (None, [0.1, 0.1, 0.1]):
        assert told(odd_in, thing("bag", mass_kg=0, size_m=size)) == [
            "objects.0.mass_kg: 'bag' weighs 0 kg (above 0: everything weighs something)"
        ]


def test_what_has_no_size_takes_no_space_in_a_container():
    def full(of_l: float) -> list[str]:
        inside = {"in": "box", "size_m": None}
        notes = [thing(id, **inside, volume_l=0.5) for id in ("a", "b")]
        return told(implausible_in, box(of_l), *notes, thing("note", **inside))

    assert full(1.0) == []
    (found,) = full(0.97)
    assert "the 3 things in 'box' take up 1 L of 0.97" in found


def test_a_container_holds_no_more_than_it_takes_up():
    assert told(implausible_in, box(1.02)) == []
    assert told(implausible_in, box(1.03)) == [
        (
            "objects.0.container.capacity_l: 'box' holds 1.03 L and takes up 1 L itself "
            "(at most 1 L, or a larger size_m)"
        )
    ]
    assert told(implausible_in, box(9, size_m=None)) == []
    assert told(implausible_in, box(9, size_m=None, volume_l=9)) == []
    (over,) = told(implausible_in, box(9, size_m=None, volume_l=8))
    assert "takes up 8 L itself" in over


def test_what_is_in_a_container_fits_together():
    def filled(*litres: float, liquids: Any = None) -> list[str]:
        balls = [
            thing(f"ball{place}", volume_l=volume, size_m=None, **{"in": "box"})
            for place, volume in enumerate(litres)
        ]
        return told(implausible_in, box(1, liquids=liquids), *balls)

    fit = "(contents that fit, or more capacity)"
    there = "objects.0.container.capacity_l"
    assert filled(0.5, 0.52) == []
    assert filled(0.5, 0.53) == [f"{there}: the 2 things in 'box' take up 1.03 L of 1 {fit}"]
    assert filled(1.03) == [f"{there}: the thing in 'box' takes up 1.03 L of 1 {fit}"]
    assert filled(0.1, liquids={"water": 0.92}) == []
    both = f"take up 1.03 L of 1 {fit}"
    assert filled(0.1, liquids={"water": 0.93}) == [
        f"{there}: the thing and the liquid in 'box' {both}"
    ]
    assert filled(0.05, 0.05, liquids={"water": 0.93}) == [
        f"{there}: the 2 things and the liquid in 'box' {both}"
    ]


def test_the_space_of_a_thing_is_its_volume_else_its_box():
    def inside(**ball: Any) -> list[str]:
        return told(implausible_in, box(1), thing("ball", **{"in": "box"}, **ball))

    long = [0.05, 0.05, 0.1]
    assert inside(size_m=long) == []
    assert "1.5 L of 1" in inside(size_m=long, volume_l=1.5)[0]
    assert "take" in inside(size_m=[0.11, 0.1, 0.1])[0]
    assert inside(size_m=None) == []


def test_what_lies_in_a_thing_that_closes_is_within_it():
    rod = thing("rod", mass_kg=0.1, size_m=[0.3, 0.01, 0.01], **{"in": "box"})
    assert told(implausible_in, box(1), rod) == [
        "objects.1.size_m: 'rod' is in 'box', which is 0.1 x 0.1 x 0.1 m (a thing that fits in it)"
    ]
    vase = thing("box", container={"capacity_l": 1})
    assert told(implausible_in, vase, rod) == [], "a vase has no lid"
    assert told(implausible_in, box(1), rod | {"size_m": [0.1, 0.1, 0.1]}) == []
    assert told(implausible_in, box(1, size_m=None), rod) == []


def test_a_thing_bears_what_stands_on_it_at_any_depth():
    def stack(bears: float, **jug: Any) -> list[str]:
        tray = thing("tray", on="table", container={"capacity_l": 9}, size_m=None)
        inside = thing("jug", mass_kg=2.0, **{"in": "tray"}, size_m=None, **jug)
        table = thing("table", kind="furniture", max_load_kg=bears)
        return told(implausible_in, tray, inside, table)

    assert stack(3) == []
    assert stack(2.95) == [], "two per cent are rounding"
    assert stack(2.5) == [
        (
            "objects.2.max_load_kg: 3 kg stand on 'table', which bears 2.5 "
            "(less on it, or more that it bears)"
        )
    ]
    water = {"container": {"capacity_l": 2}, "liquids": {"water": 1.0}}
    assert stack(4, **water) == []
    assert "4 kg stand" in stack(3.5, **water)[0]
    assert ["less than nothing" in line for line in stack(-1)] == [True]
    assert "3 kg stand on 'table', which bears 0 " in stack(0)[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("is_frozen", "is_boiling"),
        ("is_frozen", "is_melted"),
        ("is_frozen", "is_hot"),
        ("is_full", "is_drained"),
        ("is_full", "is_empty"),
        ("is_locked", "is_open"),
    ],
)
def test_states_that_exclude_each_other(one: str, other: str):
    assert told(implausible_in, thing("cup", states={one: True, other: False})) == []
    assert told(implausible_in, thing("cup", states={one: False, other: True})) == []
    both = " and ".join(state.removeprefix("is_") for state in (one, other))
    assert told(implausible_in, thing("cup", states={one: True, other: True})) == [
        f"objects.0.states.{other}: 'cup' is {both} at once (at most one of them is true)"
    ]


def test_a_state_that_no_verb_changes_is_odd():
    fix = "a state of the table of verbs, or put it under 'attributes'"
    sound = {"is_open": True, "is_locked": False, "is_dirty": True}
    assert told(odd_in, thing("cup", states={**sound, "is_frobbed": True})) == [
        f"objects.0.states.is_frobbed: no verb changes 'is_frobbed' of 'cup' ({fix})"
    ]
    law = {"state": {"name": "is_frobbed", "of": "temperature_c", "at_least": 60.0}}
    heat = {"heat": {"material": "steel", "area_m2": 0.1}}
    warm = thing("cup", states={"is_frobbed": False}, temperature_c=20, processes=[heat, law])
    assert told(odd_in, warm, temperature_c=20) == []


def test_numbers_that_are_perceived_are_there_and_sensed():
    here = "objects.1.perceived_by.load_kg"
    scale = thing("scale", senses={"load_kg": 1})

    def cup(way: str, **more: Any) -> dict[str, Any]:
        return thing("cup", perceived_by={"load_kg": way}, **more)

    assert told(odd_in, scale, cup("sensed", load_kg=2)) == []
    assert told(odd_in, thing("scale"), cup("sensed", load_kg=2)) == [
        f"{here}: nothing in the scene senses load_kg (an object, or an agent, that 'senses' it)"
    ]
    assert told(odd_in, thing("scale"), cup("seen", load_kg=2)) == []
    assert told(odd_in, scale, cup("sensed")) == [
        f"{here}: 'cup' has no load_kg (a number of this object)"
    ]
    assert told(odd_in, thing("cup", perceived_by={"mass_kg": "seen"})) == []


def test_a_mark_is_told_once_for_all_that_bear_it():
    cup = thing("cup", states={"is_weighed": False})
    assert told(marks_in, cup) == [
        (
            "objects.0.states.is_weighed: 'is_weighed' of 'cup': a verb sets it, nothing else "
            "bears on it (meant as a mark; who has read its numbers would say so)"
        )
    ]
    others = [cup | {"id": "mug"}, cup | {"id": "pot"}]
    (line,) = told(marks_in, thing("rag", states={"is_dirty": True}), cup, *others)
    assert line.startswith("objects.1.states.is_weighed: 'is_weighed' of 'cup' and 2 more: a verb")
    assert told(marks_in, cup | {"needs": ["is_weighed"]}) == []


def test_every_mark_follows_from_something_else():
    of_numbers = {"is_boiling", "is_charged", "is_frozen", "is_fueled", "is_hot"}
    for state, by in plausibility.MARKS.items():
        (line,) = told(marks_in, thing("cup", states={state: False}))
        until = " until numbers change" if state in of_numbers else ""
        assert f"meant as a mark{until}; {by} would say so" in line
