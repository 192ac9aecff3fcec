"""An empty battery, and a tank without fuel, keep nothing switched on."""

from earsim.engine import Engine
from earsim.schema.scenario import SceneFile
from tests.world.small import done, episode, thing

TASK = {
    "id": "t",
    "category": "direct_command",
    "instruction": "-",
    "agents": [{"id": "ada", "max_mass_kg": 20.0}],
    "goal": {"held_by": {"object": "tool"}},
}


def after_turning_it_on(**tool):
    """The states of a tool that was switched on by somebody next to it, and what happened."""
    thing = {"id": "tool", "kind": "item", "in": "shed", "mass_kg": 1.0, **tool}
    scene = {"id": "s", "rooms": [{"id": "shed"}], "objects": [thing], "tasks": [TASK]}
    rules = Engine(SceneFile.model_validate(scene).scenarios()[0])
    world = rules.start()
    for command in ("EXPLORE", "GOTO tool", "TURN_ON tool"):
        rules.step(world, {"ada": command})
    return world.states["tool"], world.timeline.events


def torch(charge):
    return {
        "states": {"is_on": False},
        "charge_percent": charge,
        "capacity_wh": 10.0,
        "processes": [{"discharge": {"power_w": 36.0, "while": {"is_on": True}}}],
    }


def test_an_empty_torch_goes_off_as_soon_as_it_is_switched_on():
    states, events = after_turning_it_on(**torch(0.0))
    assert states == {"is_on": False}
    assert [event[2:] for event in events] == [("is_on", False)]


def test_a_charged_one_stays_on():
    states, events = after_turning_it_on(**torch(50.0))
    assert states == {"is_on": True}
    assert events == ()


def test_a_burner_without_fuel_goes_off_too():
    burner = {
        "container": {"capacity_l": 1.0},
        "liquids": {},
        "states": {"is_on": False},
        "processes": [{"burns": {"substance": "petrol", "kgph": 1.0, "while": {"is_on": True}}}],
    }
    assert after_turning_it_on(**burner)[0] == {"is_on": False}
    assert after_turning_it_on(**{**burner, "liquids": {"petrol": 0.5}})[0] == {"is_on": True}


def test_what_an_empty_battery_forbids_is_off_the_list_though_it_shows_the_same():
    """Three hundredths of a percent show as none, and last for less than a second."""
    rig = thing(
        "rig",
        kind="furniture",
        apparatus={"model": "maglev/1"},
        charge_percent=1.23,
        capacity_wh=1.0,
        processes=[{"discharge": {"power_w": 3.6}}],
    )
    played = done(episode(rig), "EXPLORE", "GOTO rig")
    assert played.world.clock == 12
    assert played.world.readings["rig"]["charge_percent"].value == 0.0
    assert "RUN rig" in played.admissible("ada")
    done(played, "WAIT 1")
    assert "RUN rig" not in played.admissible("ada")
