"""What is compiled of a scene in which numbers change: who has which number, state and fitting."""

from earsim.world.live import LiveScene
from earsim.world.numbers import number_of
from tests.world.small import episode, scene, thing

HOT = {"state": {"name": "is_hot", "of": "temperature_c", "at_least": 60.0}}
WARM = {"state": {"name": "is_warm", "of": "temperature_c", "at_least": 30.0}}
OFF = {"crossing": {"of": "temperature_c", "at_least": 90.0, "sets": {"is_on": False}}}
RINGS = {
    "crossing": {"of": "temperature_c", "at_least": 80.0, "sets": {"is_rung": True, "is_on": False}}
}
HEAT = {"heat": {"heat_capacity_jpk": 400.0, "area_m2": 0.1}}
ON = {"while": {"is_on": True}}


def live(*objects, **more) -> LiveScene:
    found = LiveScene.of(scene(*objects, **more))
    assert found is not None
    return found


def kettle(*processes, **more):
    states = {"is_on": False, "is_hot": False, "is_warm": False, "is_rung": False}
    given = {"temperature_c": 20.0, "states": states, "processes": [HEAT, *processes], **more}
    return thing("kettle", **given)


def test_a_scene_in_which_nothing_changes_has_none():
    assert LiveScene.of(scene(thing("cup"))) is None
    changing = [
        thing("tap", source="water"),
        thing("sink", drains=True),
        thing("can", container={"capacity_l": 5.0}, liquids={}),
        thing("plug", fittings={"mains": 1}),
        thing("rig", apparatus={"model": "maglev/1"}),
        kettle(),
    ]
    for each in changing:
        assert LiveScene.of(scene(thing("cup"), each)) is not None
    assert LiveScene.of(scene(thing("rag"), uses_up={"clean": 1})) is not None


def test_states_that_follow_and_states_that_turn_true():
    ends = {"fittings": {"mains": 1}}
    found = live(kettle(HOT, WARM, OFF, RINGS), thing("lamp", **ends), thing("cup"))
    assert found.derived == {
        "kettle": {"is_hot", "is_warm"},
        "lamp": {"is_plugged_in", "is_connected"},
    }
    assert found.turning == {"kettle": {"is_hot", "is_warm", "is_rung"}}
    assert live(kettle(OFF)).turning == {}
    assert live(kettle(HOT, **ends)).derived == {
        "kettle": {"is_hot", "is_plugged_in", "is_connected"}
    }


def test_what_can_be_waited_for():
    marks = [{"name": "tepid", "of": "temperature_c", "at": 40.0}]
    rig = thing("rig", apparatus={"model": "maglev/1"})
    found = live(kettle(RINGS, HOT, marks=marks), rig, thing("lamp", fittings={"mains": 1}))
    assert dict(found.awaited) == {"kettle": ("tepid", "is_hot", "is_rung"), "rig": ("done",)}


def test_what_is_a_hose_and_what_is_a_cable():
    vessel = {"container": {"capacity_l": 9.0}, "liquids": {}}
    found = live(
        thing("hose", fittings={"tube": 2}),
        thing("cord", fittings={"mains": 2}),
        thing("cap", fittings={"tube": 1}),
        thing("can", fittings={"tube": 2}, **vessel),
        thing("strip", fittings={"mains": 3}, supplies=["mains"]),
        thing("pump", fittings={"tube": 2}, processes=[{"flow": {"lpm": 1.0}}], **vessel),
        thing("lift", fittings={"tube": 2}, processes=[{"flow": {"lpm": 1.0, "from": "can"}}]),
    )
    assert found.hoses == {"hose", "cord"}
    assert found.cables == {"mains"}
    assert found.supplies == {"strip": {"mains"}}


def test_who_decides_about_a_charge_or_a_moisture():
    cell = thing(
        "cell",
        charge_percent=80.0,
        capacity_wh=50.0,
        processes=[{"discharge": {"power_w": 5.0, "of": "lamp", **ON}}],
    )
    dries = {"drying": {"equilibrium_ratio": 0.1, "k_ph": 2.0}}
    towel = thing("towel", moisture_ratio=0.6, processes=[dries])
    found = live(cell, thing("lamp", states={"is_on": False}), towel, kettle())
    assert {node: set(among) for node, among in found.stores.items()} == {
        "cell": {"cell", "lamp"},
        "towel": {"towel"},
    }


def test_what_runs_and_what_melts_or_boils():
    vessel = {"container": {"capacity_l": 9.0}, "liquids": {"water": 1.0}}
    flow = {"flow": {"lpm": 1.0}}
    boils = {"boils": {"substance": "water"}}
    melts = {"phase": {"at_c": 30.0, "latent_j": 3e4}}
    burns = {"burns": {"substance": "water", "kgph": 1.0, **ON}}
    lit = {"states": {"is_on": False}, **vessel}
    assert live(thing("tank", **vessel)).liquid_runs
    assert live(thing("tap", source="water", processes=[flow])).liquid_runs
    assert live(thing("stove", processes=[burns], **lit)).liquid_runs
    assert not live(kettle()).liquid_runs
    assert live(kettle(boils, **vessel)).melts_or_boils
    assert live(kettle(melts, melted_percent=0.0)).melts_or_boils
    assert not live(kettle(), thing("tank", processes=[flow], **vessel)).melts_or_boils


def test_numbers_that_no_label_can_tell():
    vessel = {"container": {"capacity_l": 9.0}, "liquids": {"water": 1.0}}
    rig = thing("rig", apparatus={"model": "maglev/1"})
    found = live(kettle(), rig, thing("tank", **vessel), thing("rag", uses_count=3))
    assert found.unlabelled("kettle") == {"temperature_c"}
    assert found.unlabelled("rag") == set()
    assert {"mass_kg", "content_l", "water_kg", "oil_kg"} <= found.unlabelled("tank")
    assert "temperature_c" not in found.unlabelled("tank")
    used = live(thing("rag", uses_count=3), uses_up={"clean": 1})
    assert used.unlabelled("rag") == {"uses_count"}
    assert used.numbers == {"rag": ("uses_count",)}


def test_contents_are_whole_grams_and_nothing_is_no_content():
    kilograms = {"water": 1.0006, "oil": 0.0, "petrol": 0.25}
    can = thing("can", container={"capacity_l": 9.0}, liquids=kilograms)
    assert live(can).vessels == {"can": {"water": 1001, "petrol": 250}}


def test_of_a_liquid_that_is_not_in_a_vessel_there_is_nothing():
    can = thing("can", container={"capacity_l": 9.0}, liquids={"water": 1.0})
    world = episode(can, thing("cup")).world
    assert number_of(world, "can", "water_kg") == 1.0
    assert number_of(world, "can", "oil_kg") == 0.0
    assert number_of(world, "can", "gravel_kg") is None
    assert number_of(world, "can", "water_l") is None
    assert number_of(world, "cup", "oil_kg") is None
