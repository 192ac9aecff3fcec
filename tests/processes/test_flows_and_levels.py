"""What runs, and what turns, at the moments and in the amounts that follow by hand."""

import math
from random import Random

import pytest

from earsim import Episode, digest
from earsim.dynamics.constants import GRAVITY_MPS2
from earsim.processes.flow import spilled_g
from earsim.world.live import CONTENT
from tests.processes.small_worlds import crossing, episode, heat, scenario, state, thing


def give(played: Episode, *commands: str) -> Episode:
    for command in commands:
        assert played.step({"ada": command}).outcomes["ada"].accepted
    return played


def at(played: Episode, node: str, name: str) -> float:
    assert played.world.timeline is not None
    return played.world.timeline.value(node, name)


def passed_s(played: Episode) -> float:
    assert played.world.timeline is not None
    return played.world.timeline.now_ms / 1000


def test_a_tank_that_is_pumped_out_is_empty_and_stays_so():
    """A third of a litre a second has no last digit: just before the end some of it is left."""
    pump = {"flow": {"from": "tank", "to": "vat", "lpm": 20.0, "while": {"is_on": True}}}
    played = episode(
        scenario(
            [
                thing("tank", "kitchen", container={"capacity_l": 200.0}, liquids={"water": 100.0}),
                thing("vat", "kitchen", container={"capacity_l": 200.0}, liquids={}),
                thing("pump", "kitchen", pump, states={"is_on": True}),
            ]
        )
    )
    give(played, "WAIT 600", "WAIT 60")
    assert at(played, "tank", "water") == 0.0
    assert at(played, "tank", CONTENT) == 0.0
    assert at(played, "vat", "water") == pytest.approx(100_000.0, rel=1e-12)


@pytest.mark.parametrize("seconds", [10, 60])
def test_what_runs_out_by_its_own_weight_follows_torricelli(seconds):
    hole_m2, area_m2 = 2e-5, 0.02
    weight = {"hole_m2": hole_m2, "area_m2": area_m2, "discharge_ratio": 0.7}
    tank = thing("tank", "kitchen", {"flow": weight}, container={"capacity_l": 5.0},
                 liquids={"water": 3.0})  # fmt: skip
    played = give(episode(scenario([tank])), f"WAIT {seconds}")
    k = 0.7 * hole_m2 * math.sqrt(2 * GRAVITY_MPS2) / area_m2
    height_m = (math.sqrt(0.003 / area_m2) - 0.5 * k * passed_s(played)) ** 2
    assert at(played, "tank", CONTENT) == pytest.approx(1000 * area_m2 * height_m, rel=1e-9)


def test_a_pump_that_slows_down_takes_less_from_where_it_pumps():
    """At a litre one pump hands over to a slower one; both vessels know."""
    pumps = [
        {"flow": {"from": "butt", "to": "vat", "lpm": lpm, "while": {name: True}, "of": "vat"}}
        for name, lpm in (("is_fast", 6.0), ("is_slow", 0.6))
    ]
    slows = crossing(CONTENT, {"is_fast": False, "is_slow": True}, at_least=1.0)
    played = episode(
        scenario(
            [
                thing("butt", "kitchen", *pumps, container={"capacity_l": 9.0},
                      liquids={"water": 5.0}),
                thing("vat", "kitchen", slows, container={"capacity_l": 9.0}, liquids={},
                      states={"is_fast": True, "is_slow": False}),
            ]
        )
    )  # fmt: skip
    give(played, "WAIT 30")
    arrived = 1000.0 + 10.0 * (passed_s(played) - 10.0)
    assert at(played, "vat", "water") == pytest.approx(arrived, rel=1e-9)
    assert at(played, "butt", "water") == pytest.approx(5000.0 - arrived, rel=1e-9)


def test_all_that_turns_within_a_millisecond_turns():
    """A kelvin a second, so the two values lie between the same two milliseconds."""
    values = {"is_low": 49.9995, "is_high": 49.9998}
    oven = (
        heat(100.0, conductance_wpk=0.0),
        {"heats": {"power_w": 100.0}},
        *(state(name, "temperature_c", at_least=value) for name, value in values.items()),
    )
    cold = dict.fromkeys(values, False)
    played = episode(scenario([thing("oven", "kitchen", *oven, temperature_c=21.0, states=cold)]))
    give(played, "WAIT 60")
    turned = [event for event in played.world.timeline.events if event.node == "oven"]
    assert {event.name for event in turned} == set(values)
    assert len({event.at_ms for event in turned}) == 1
    assert played.world.states["oven"] == dict.fromkeys(values, True)


@pytest.mark.parametrize("litres", [498, 499])
def test_what_is_filled_to_a_level_is_at_it_however_kilograms_are_rounded(litres):
    """Diesel has 0.84 kg a litre: the volume that follows from its mass is off in the last bits."""
    full = state("is_full", CONTENT, at_least=float(litres))
    short = state("is_short", CONTENT, at_most=float(litres))
    diesel = {"diesel": round(litres * 0.84, 3)}
    tank = thing("tank", "kitchen", full, short, container={"capacity_l": 600.0},
                 liquids=diesel, states={"is_full": False, "is_short": False})  # fmt: skip
    played = episode(scenario([tank]))
    assert at(played, "tank", CONTENT) != litres
    assert played.world.states["tank"] == {"is_full": True, "is_short": True}


def test_what_runs_out_by_its_own_weight_arrives_below():
    """Beside what a pump brings there; the floor gets what runs over."""
    weight = {"hole_m2": 2e-5, "area_m2": 0.02, "to": "vat"}
    pump = {"from": "butt", "to": "vat", "lpm": 1.2, "while": {"is_on": True}}
    vessels = [
        thing("tank", "kitchen", {"flow": weight}, container={"capacity_l": 5.0},
              liquids={"water": 3.0}),
        thing("butt", "kitchen", container={"capacity_l": 5.0}, liquids={"water": 4.0}),
        thing("vat", "kitchen", container={"capacity_l": 2.0}, liquids={}),
    ]  # fmt: skip
    parts = [*vessels, thing("pump", "kitchen", {"flow": pump}, states={"is_on": True})]
    played = episode(scenario(parts))
    for seconds in (5, 155):
        give(played, f"WAIT {seconds}")
        left = {node: at(played, node, "water") for node in ("tank", "butt", "vat")}
        assert left["butt"] == pytest.approx(4000.0 - 20.0 * passed_s(played), abs=0.02)
        assert at(played, "vat", CONTENT) == pytest.approx(left["vat"] / 1000, rel=1e-9)
        spilled = spilled_g(played.world.timeline, "water")
        assert sum(left.values()) + spilled == pytest.approx(7000.0, abs=1e-6)
    assert left["vat"] == pytest.approx(2000.0, abs=1e-6)
    assert spilled > 500.0
    other = give(episode(scenario(parts)), *["WAIT 10"] * 16)
    for node in left:
        assert at(other, node, "water") == at(played, node, "water")


def test_a_load_grows_lighter_as_it_leaks():
    weight = {"hole_m2": 2e-6, "area_m2": 0.02}
    can = thing("can", "kitchen", {"flow": weight}, container={"capacity_l": 5.0},
                liquids={"water": 3.0})  # fmt: skip
    played = give(episode(scenario([can])), "EXPLORE", "GOTO can", "GRAB can")
    before = played.world.agents["ada"].load
    give(played, "WAIT 60")
    left = at(played, "can", "water")
    assert left < 2990.0
    assert played.world.agents["ada"].load == pytest.approx(1.0 + left / 1000, abs=2e-3)
    assert played.world.agents["ada"].load < before


def test_a_leak_goes_on_when_something_else_is_spilled():
    leak = {"lpm": 1.2, "from": "tank", "while": {"is_open": True}}
    tank = thing("tank", "kitchen", {"flow": leak}, container={"capacity_l": 5.0},
                 liquids={"water": 4.0}, states={"is_open": True})  # fmt: skip
    jug = thing("jug", "kitchen", container={"capacity_l": 1.0}, liquids={"water": 0.5})
    played = give(episode(scenario([tank, jug])), "EXPLORE", "GOTO jug", "GRAB jug")
    for command, poured in (("WAIT 10", 0.0), ("EMPTY jug", 500.0), ("WAIT 30", 500.0)):
        give(played, command)
        on_floor = spilled_g(played.world.timeline, "water")
        assert on_floor == pytest.approx(20.0 * passed_s(played) + poured, abs=1e-6)


@pytest.mark.parametrize("seed", [1, 2, 7])
def test_a_mixture_runs_alike_however_the_wait_is_cut(seed):
    """Water and oil run out below, where a pump brings water, until it runs over, and on."""
    weight = {"hole_m2": 2e-5, "area_m2": 0.02, "to": "vat"}
    pump = {"from": "butt", "to": "vat", "lpm": 1.3, "while": {"is_on": True}}
    vessels = [
        thing("tank", "kitchen", {"flow": weight}, container={"capacity_l": 5.0},
              liquids={"water": 2.0, "oil": 0.7}),
        thing("butt", "kitchen", container={"capacity_l": 5.0}, liquids={"water": 4.0}),
        thing("vat", "kitchen", container={"capacity_l": 2.0}, liquids={}),
    ]  # fmt: skip
    parts = [*vessels, thing("pump", "kitchen", {"flow": pump}, states={"is_on": True})]
    rng = Random(seed)
    left, cuts = rng.randint(60, 900), []
    while left > 0:
        cuts.append(min(left, rng.randint(1, 90)))
        left -= cuts[-1]
    whole = give(episode(scenario(parts)), f"WAIT {sum(cuts)}")
    pieces = give(episode(scenario(parts)), *[f"WAIT {seconds}" for seconds in cuts])
    for name in ("water", "oil"):
        found = [(at(each, "tank", name), at(each, "vat", name)) for each in (whole, pieces)]
        assert found[0] == found[1]
    assert digest(whole.world) == digest(pieces.world)


def test_what_runs_does_not_depend_on_which_levels_are_asked_about():
    """To the last digit: a number that passes a value goes on by the law that it had."""

    def left(*levels: float) -> list[float]:
        weight = {"hole_m2": 2e-5, "area_m2": 0.02, "to": "vat"}
        marks = [
            {"name": f"level_{place}", "of": CONTENT, "at": litres}
            for place, litres in enumerate(levels)
        ]
        tank = thing("tank", "kitchen", {"flow": weight}, container={"capacity_l": 5.0},
                     liquids={"water": 2.0, "oil": 1.0}, marks=marks)  # fmt: skip
        vat = thing("vat", "kitchen", container={"capacity_l": 5.0}, liquids={})
        played = give(episode(scenario([tank, vat])), "WAIT 120")
        return [at(played, node, name) for node in ("tank", "vat") for name in ("water", "oil")]

    assert left(2.83, 2.1, 1.37) == left()
