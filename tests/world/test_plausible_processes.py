"""Processes beyond any machine, cold below absolute zero, and fittings to which nothing leads."""

from typing import Any

import pytest

from earsim.schema import Scene
from earsim.world.plausible_processes import implausible_processes, odd_fittings, turned_in

COLDEST_C = -273.15


def thing(id: str, *processes: Any, **more: Any) -> dict[str, Any]:
    given = {"kind": "item", "in": "hall", "mass_kg": 1.0, "processes": list(processes), **more}
    return {"id": id, **given}


def scene(*objects: dict[str, Any], rooms_c: tuple[float, ...] = (20.0, 30.0)) -> Scene:
    rooms = [{"id": f"room{place}", "temperature_c": c} for place, c in enumerate(rooms_c)]
    rooms[0]["id"] = "hall"
    return Scene.model_validate({"id": "s", "rooms": rooms, "objects": list(objects)})


def told(check: Any, *objects: dict[str, Any]) -> list[str]:
    found = check(scene(*objects))
    return [f"{'.'.join(map(str, p.loc))}: {p.reason} ({p.expected})" for p in found]


def cooler(power_w: float, *more: Any, body: Any = None) -> dict[str, Any]:
    """A steel block of 2 W/K whose machine takes heat away."""
    body = body or {"heat": {"material": "steel", "conductance_wpk": 2.0}}
    heats = {"heats": {"power_w": power_w, "while": {"is_on": True}}}
    return thing("block", body, heats, *more, temperature_c=20.0, states={"is_on": False})


def tank(lpm: float) -> dict[str, Any]:
    vessel = {"container": {"capacity_l": 9.0}, "liquids": {"water": 1.0}}
    return thing("tank", {"flow": {"lpm": lpm}}, **vessel)


def burner(kgph: float) -> dict[str, Any]:
    law = {"burns": {"kgph": kgph, "substance": "petrol", "while": {"is_on": True}}}
    vessel = {"container": {"capacity_l": 9.0}, "liquids": {"petrol": 1.0}}
    return thing("burner", law, states={"is_on": False}, **vessel)


@pytest.mark.parametrize(
    ("made", "most", "place", "unit"),
    [
        (cooler, 1e8, "processes.1.heats.power_w", "W"),
        (tank, 1e6, "processes.0.flow.lpm", "litres a minute"),
        (burner, 1e6, "processes.0.burns.kgph", "kg an hour"),
    ],
)
def test_powers_and_flows_end_where_machines_end(made: Any, most: float, place: str, unit: str):
    assert told(implausible_processes, made(most)) == []
    assert told(implausible_processes, thing("cup"), made(most + 2e3)) == [
        f"objects.1.{place}: {most + 2e3:g} {unit} (at most {most:g} {unit})"
    ]
    assert len(told(implausible_processes, made(most + 0.5))) == 1


def test_the_size_of_a_power_is_without_its_sign():
    found = told(implausible_processes, cooler(-1.1e8))
    assert found[0] == "objects.0.processes.1.heats.power_w: -1.1e+08 W (at most 1e+08 W)"


def test_what_is_cooled_for_long_stays_above_absolute_zero():
    """A block of 2 W/K in the colder room, at 20 degrees, loses at most 2 x 293.15 W."""
    assert told(implausible_processes, thing("cup"), cooler(-586)) == []
    assert told(implausible_processes, cooler(900)) == []
    assert told(implausible_processes, cooler(-586.3)) == [], "which ends at absolute zero"
    place = "objects.1.processes.1.heats.power_w"
    assert told(implausible_processes, thing("cup"), cooler(-600)) == [
        (
            f"{place}: it takes 600 W from 'block', which leads below absolute zero "
            "(at most 586.3 W of 2 W/K)"
        )
    ]


def test_all_that_takes_heat_away_counts_and_nothing_else():
    def heats(power_w: float, **more: Any) -> dict[str, Any]:
        return {"heats": {"power_w": power_w, "while": {"is_on": True}, **more}}

    two = told(implausible_processes, cooler(9000, heats(-300), heats(-300)))
    assert len(two) == 1
    assert two[0].startswith("objects.0.processes.2.heats.power_w: it takes 600 W from")
    assert told(implausible_processes, cooler(9000, heats(-300))) == []
    (found,) = told(implausible_processes, cooler(0, heats(-600)))
    assert found.startswith("objects.0.processes.2.heats.power_w: it takes 600 W from")


def test_a_body_that_leaks_nothing_is_cooled_without_end():
    insulated = {"heat": {"material": "steel", "conductance_wpk": 0.0}}
    (found,) = told(implausible_processes, cooler(-1, body=insulated))
    assert "it takes 1 W from 'block'" in found
    assert "(at most 0 W of 0 W/K)" in found


def test_a_leak_is_that_of_the_wall_or_of_the_surface():
    surface = {"heat": {"material": "steel", "area_m2": 0.2}}  # 10 W/(m2 K) to still air
    assert told(implausible_processes, cooler(-586, body=surface)) == []
    assert len(told(implausible_processes, cooler(-587, body=surface))) == 1

    def fridge(power_w: float) -> dict[str, Any]:
        wall = {"compartment": {"air_jpk": 6000.0, "wall_wpk": 2.0}}
        return cooler(power_w, body=wall) | {
            "container": {"capacity_l": 9.0},
            "states": {"is_on": False, "is_open": False},
        }

    assert told(implausible_processes, fridge(-586)) == []
    assert len(told(implausible_processes, fridge(-587))) == 1


def test_what_warms_a_little_takes_nothing_away():
    warm = {"heats": {"power_w": 0.5, "while": {"is_on": True}}}
    assert "it takes 600 W from" in told(implausible_processes, cooler(-600, warm))[0]


def test_where_nothing_is_cooled_or_nothing_leaks_there_is_no_limit_to_see():
    assert told(implausible_processes, cooler(0)) == []
    assert told(implausible_processes, tank(5)) == []


def socket(id: str, **more: Any) -> dict[str, Any]:
    return thing(id, fittings={"mains": 1}, **more)


def test_a_fitting_alone_in_a_scene_is_odd():
    near = thing("cable", fittings={"main": 2})
    assert told(odd_fittings, socket("lamp")) == [
        (
            "objects.0.fittings.mains: nothing else has the fitting 'mains' of 'lamp' "
            "(another object with it)"
        )
    ]
    lamp, cable = told(odd_fittings, socket("lamp"), near)
    assert lamp.endswith("of 'lamp' (did you mean 'main'?)")
    assert cable.startswith("objects.1.fittings.main: nothing else has the fitting 'main'")


def test_between_two_ends_something_leads():
    two = socket("lamp"), socket("fan")
    fix = "(an object with 'fittings: {mains: 2}' between, or 'supplies' of one)"
    assert told(odd_fittings, *two) == [
        f"objects.{place}.fittings.mains: nothing leads 'mains' from '{name}' to anything {fix}"
        for place, name in enumerate(("lamp", "fan"))
    ]
    assert told(odd_fittings, socket("lamp"), socket("fan", supplies=["mains"])) == []
    assert told(odd_fittings, *two, thing("cable", fittings={"mains": 2})) == []


def test_what_holds_or_moves_a_liquid_does_not_lead_it_on():
    ends = socket("tap"), socket("nozzle")
    vessel = {"container": {"capacity_l": 9.0}, "liquids": {}}
    assert len(told(odd_fittings, *ends, thing("can", fittings={"mains": 2}, **vessel))) == 3
    pump = thing("pump", {"flow": {"lpm": 1.0}}, fittings={"mains": 2}, **vessel)
    assert len(told(odd_fittings, *ends, pump)) == 3


def test_states_that_change_by_themselves():
    hot = {"state": {"name": "is_hot", "of": "temperature_c", "at_least": 60.0}}
    off = {"crossing": {"of": "temperature_c", "at_least": 90.0, "sets": {"is_on": False}}}
    kettle = cooler(9.0, hot, off)
    kettle["states"] = {"is_on": False, "is_hot": False}
    states = {"is_on": False}
    lamp = thing("lamp", fittings={"mains": 1}, states=states)
    runs = {"discharge": {"power_w": 5.0, "of": "torch", "while": {"is_lit": True}}}
    torch = thing("torch", states={"is_lit": False})
    cell = thing("cell", runs, charge_percent=80.0, capacity_wh=50.0)
    turned = turned_in(scene(kettle, lamp, torch, cell, burner(1.0), thing("cup")))
    assert turned == {
        "block": {"is_hot", "is_on"},
        "lamp": {"is_plugged_in", "is_connected"},
        "torch": {"is_lit"},
        "cell": set(),
        "burner": {"is_on"},
        "cup": set(),
    }
