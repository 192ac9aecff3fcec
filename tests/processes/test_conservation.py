"""Energy, mass and volume are booked alike on both sides, and stay within their bounds."""

from __future__ import annotations

from random import Random

import pytest

from earsim import Episode
from earsim.world import World
from earsim.world.limits import free_for_liquids_l
from earsim.world.live import CONTENT, TEMPERATURE
from earsim.world.timeline import FLOOR
from tests.processes.small_worlds import (
    SCENES,
    episode,
    heat,
    of_any_verb,
    on_a_counter,
    scenario,
    scene,
    thing,
)

EXACT = 1e-9


def give(played: Episode, *commands: str) -> Episode:
    for command in commands:
        played.step({"ada": command})
    return played


def at(world: World, node: str, name: str = TEMPERATURE) -> float:
    return world.timeline.value(node, name)


def grams(world: World) -> dict[str, float]:
    """Of each substance, in vessels and on the floor."""
    found: dict[str, float] = {}
    for node, name in world.timeline.laws:
        if name in world.blueprint.live.substances and (node == FLOOR or node in world.location):
            found[name] = found.get(name, 0.0) + at(world, node, name)
    return found


# -- heat ------------------------------------------------------------------------------------------


def chamber(power_w: float = 0.0) -> Episode:
    """A closed compartment that loses nothing, with a warm thing in it."""
    air = {"compartment": {"air_jpk": 500.0, "wall_wpk": 0.0}}
    warm = heat(84.0, conductance_wpk=0.7), {"heats": {"power_w": power_w}}
    box = {"container": {}, "states": {"is_open": False}, "temperature_c": 4.0}
    vial = thing("vial", "chamber", *warm, relation="in", temperature_c=37.0)
    return episode(scenario([thing("chamber", "kitchen", air, **box), vial]))


@pytest.mark.parametrize("power_w", [0.0, -3.0, 20.0])
def test_a_closed_compartment_keeps_its_energy(power_w):
    played = chamber(power_w)
    for seconds in (1, 60, 600, 3600):
        give(played, f"WAIT {seconds}")
        stored = 500.0 * at(played.world, "chamber") + 84.0 * at(played.world, "vial")
        given = 500.0 * 4.0 + 84.0 * 37.0 + power_w * played.world.clock
        assert stored == pytest.approx(given, rel=EXACT)


def test_what_melts_takes_its_heat_from_the_air_around_it():
    air = {"compartment": {"air_jpk": 800.0, "wall_wpk": 0.0}}
    box = {"container": {}, "states": {"is_open": False}, "temperature_c": 30.0}
    ice = heat(40.0, conductance_wpk=1.5), {"phase": {"at_c": 0.0, "latent_j": 9000.0}}
    pack = thing("pack", "chest", *ice, relation="in", temperature_c=-10.0)
    played = episode(scenario([thing("chest", "kitchen", air, **box), pack]))
    for seconds in (50, 100, 600, 3600):
        give(played, f"WAIT {seconds}")
        latent = 90.0 * at(played.world, "pack", "melted_percent")
        stored = 800.0 * at(played.world, "chest") + 40.0 * at(played.world, "pack") + latent
        # arrival at the melting point is booked on a whole millisecond
        assert stored == pytest.approx(800.0 * 30.0 - 40.0 * 10.0, rel=1e-5)
    assert 0.0 < at(played.world, "pack", "melted_percent") <= 100.0


@pytest.mark.parametrize("name", ["cooling", "fridge", "box", "ice", "icebox", "tanks"])
def test_no_temperature_leaves_the_hull_of_what_it_has_met(name):
    specs = SCENES[name]()
    for spec in specs:  # nothing heats
        kept = [each for each in spec.get("processes", []) if "heats" not in each]
        spec["processes"] = kept
    played, rng = episode(scenario(specs)), Random(name)
    starts = [spec["temperature_c"] for spec in specs if "temperature_c" in spec]
    low, high = min([*starts, -8.0, 12.0]), max([*starts, 21.0])
    for _ in range(40):
        give(played, of_any_verb(rng, played.admissible("ada")))
        for node, number in played.world.timeline.laws:
            if number == TEMPERATURE:
                assert low - EXACT <= at(played.world, node) <= high + EXACT, node


def test_pouring_keeps_the_heat_of_both_together():
    cup = {"heat": {"material": "ceramic", "area_m2": 1e-9}}
    vessel = {"container": {"capacity_l": 1.0}, "mass_kg": 0.4}
    hot = thing("hot", "kitchen", cup, **vessel, liquids={"water": 0.7}, temperature_c=90.0)
    cold = thing("cold", "kitchen", cup, **vessel, liquids={"milk": 0.6}, temperature_c=5.0)
    played = episode(scenario([hot, cold]))

    def heat_j(world: World) -> float:
        total = 0.0
        for node in ("hot", "cold"):
            capacity = 0.4 * 850.0
            for name in world.timeline.contents[node]:
                specific = {"water": 4186.0, "milk": 3900.0}[name]
                capacity += at(world, node, name) / 1000 * specific
            total += capacity * at(world, node)
        return total

    give(played, "GOTO hot", "GRAB hot", "GOTO cold")
    before = heat_j(played.world)
    assert played.step({"ada": "POUR hot INTO cold"}).outcomes["ada"].accepted
    assert 5.0 < at(played.world, "cold") < 90.0
    assert heat_j(played.world) == pytest.approx(before, rel=1e-7)  # 5 s with next to no loss
    assert at(played.world, "cold", CONTENT) <= 1.0


# -- liquids ---------------------------------------------------------------------------------------


def plumbing() -> list[dict[str, object]]:
    """The tanks without what makes liquid or takes it away."""
    tanks = SCENES["tanks"]()
    return on_a_counter([spec for spec in tanks if spec["id"] not in ("tap", "gully")])


def test_liquid_is_neither_made_nor_lost():
    poured = 0
    for seed in range(12):
        played, rng = episode(scenario(plumbing())), Random(seed)
        before = grams(played.world)
        assert before == {"water": 8000.0, "oil": 2500.0}
        for _ in range(40):
            command = of_any_verb(rng, played.admissible("ada"))
            give(played, command)
            poured += command.split()[0] in ("POUR", "EMPTY")
            assert grams(played.world) == pytest.approx(before, rel=EXACT), command
    assert poured > 8


@pytest.mark.parametrize("to", ["floor", "bowl"])
def test_what_is_poured_into_a_tank_that_runs_out_is_not_lost(to):
    """More in it presses more: what it runs into gets that, too."""
    played = episode(scenario(plumbing()))
    give(played, "GOTO counter", "GRAB hose", "CONNECT hose tank", "CONNECT hose bowl")
    if to == "floor":
        give(played, "DISCONNECT hose bowl")
    give(played, "RELEASE hose", "GOTO counter", "GRAB jug", "OPEN valve", "WAIT 5")
    before = grams(played.world)
    assert 0.0 < at(played.world, "tank", CONTENT) < 3.0
    assert played.step({"ada": "POUR jug INTO tank"}).outcomes["ada"].accepted
    for _ in range(3):
        give(played, "WAIT 5")
        assert grams(played.world) == pytest.approx(before, rel=EXACT)
    kept = at(played.world, FLOOR, "oil") if to == "floor" else at(played.world, "bowl", "oil")
    assert kept > 0.0


@pytest.mark.parametrize("name", ["kettle", "tanks", "stove", "hob"])
def test_contents_are_within_their_vessels_and_the_sum_of_their_parts(name):
    played, rng = episode(scene(name)), Random(name)
    for _ in range(60):
        give(played, of_any_verb(rng, played.admissible("ada")))
        world = played.world
        for vessel, names in world.timeline.contents.items():
            assert all(at(world, vessel, each) >= -EXACT for each in names), vessel
            content = at(world, vessel, CONTENT)
            assert -EXACT <= content <= free_for_liquids_l(world, vessel) + EXACT
            density = world.blueprint.live.substances
            parts = [at(world, vessel, n) / 1000 / density[n].density_kgpl for n in names]
            assert content == pytest.approx(sum(parts), abs=1e-8)


def test_what_is_filled_in_and_emptied_out_is_what_is_said():
    played = episode(scene("kettle"))
    give(played, "GOTO kettle", "TURN_OFF kettle", "GRAB kettle", "GOTO sink")
    before = grams(played.world)["water"]
    filled = played.step({"ada": "FILL kettle FROM sink"}).outcomes["ada"].facts["grams"]
    assert grams(played.world)["water"] - before == pytest.approx(filled["water"], abs=EXACT)
    emptied = played.step({"ada": "EMPTY kettle"}).outcomes["ada"].facts
    assert emptied["to"] == "sink"
    assert at(played.world, "kettle", CONTENT) == 0.0
    assert emptied["grams"]["water"] == round(before + filled["water"])


def test_what_is_emptied_without_a_drain_is_on_the_floor():
    played = episode(scenario(plumbing()))
    give(played, "GOTO jug", "GRAB jug")
    facts = played.step({"ada": "EMPTY jug"}).outcomes["ada"].facts
    assert facts["spilled"] is True
    assert at(played.world, FLOOR, "oil") == pytest.approx(500.0, rel=EXACT)
    assert at(played.world, "jug", CONTENT) == 0.0


# -- batteries -------------------------------------------------------------------------------------


def test_a_battery_gives_what_it_held_and_no_more():
    """1 Wh at 60 %, 40 W: 54 s."""
    played = episode(scene("battery"))
    for clock in (20, 40, 53):
        give(played, f"WAIT {clock - played.world.clock}")
        given_wh = 40.0 * clock / 3600.0
        charge = at(played.world, "lamp", "charge_percent")
        assert (60.0 - charge) / 100.0 == pytest.approx(given_wh, rel=EXACT)
    give(played, "WAIT 10")
    assert at(played.world, "lamp", "charge_percent") == 0.0
    (event,) = [e for e in played.world.timeline.events if e.name == "empty"]
    assert (event.node, event.at_ms) == ("lamp", 54_000)
    assert played.world.states["lamp"]["is_on"] is False


def test_a_battery_is_charged_to_the_brim_and_no_further():
    """7,200 % an hour is 2 % a second."""
    played = episode(scene("battery"))
    give(played, "GOTO lamp", "TURN_OFF lamp", "GRAB lamp", "GOTO socket", "CONNECT lamp socket")
    before, since = at(played.world, "lamp", "charge_percent"), played.world.clock
    give(played, "WAIT 10")
    charge = at(played.world, "lamp", "charge_percent")
    assert charge - before == pytest.approx(2.0 * (played.world.clock - since), rel=EXACT)
    give(played, "WAIT 60", "WAIT 60")
    assert at(played.world, "lamp", "charge_percent") == 100.0
