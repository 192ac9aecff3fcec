"""What works: tools that are in order, batteries and fuel that last, and leads that give power."""

from typing import Any

from earsim.world import World
from earsim.world.power import faults, has_energy, has_supply, works
from tests.world.small import episode, thing

PLUGGED = {"needs": ["is_plugged_in"], "states": {"is_plugged_in": True}}


def wired(*links: tuple[str, str], **switch: Any) -> World:
    """A lamp, two leads, of which any may be joined to any, and a socket with a switch."""
    made = episode(
        thing("lamp", fittings={"mains": 1}, **PLUGGED),
        *(thing(id, fittings={"mains": 2}, supplies=["mains"], **PLUGGED) for id in ("a", "b")),
        thing("socket", fittings={"mains": 2}, supplies=["mains"], needs=["is_on"],
              states={"is_on": True}),
        thing("hose", fittings={"hose": 2}),
        thing("tap", fittings={"hose": 1, "mains": 1}, source="water"),
    ).world  # fmt: skip
    made.timeline.links = tuple([(*link, "mains") for link in links])
    return made


def test_where_nothing_runs_on_anything_all_has_energy():
    still = episode(thing("cup")).world
    assert has_supply(still, "cup")
    assert has_energy(still, "cup")
    assert works(still, "cup")
    assert has_supply(wired(), "lamp"), "plugged in nowhere"


def test_what_is_broken_or_lacks_a_state_does_not_work():
    saw = thing("saw", needs=["is_on", "is_sharp"],
                states={"is_on": False, "is_sharp": True, "is_broken": True})  # fmt: skip
    world = episode(saw).world
    assert list(faults(world, "saw")) == ["is_broken", "is_on"]
    assert not works(world, "saw")
    world.set_state("saw", "is_broken", False)
    assert not works(world, "saw")
    world.set_state("saw", "is_on", True)
    assert (works(world, "saw"), list(faults(world, "saw"))) == (True, [])


def test_power_comes_through_leads_from_a_socket_that_works():
    world = wired(("lamp", "a"), ("b", "a"), ("b", "socket"))
    assert all(has_supply(world, node) for node in ("lamp", "a", "b", "socket"))
    world.set_state("socket", "is_on", False)
    assert [has_supply(world, node) for node in ("lamp", "a", "b")] == [False] * 3
    assert has_supply(world, "socket")
    assert not has_energy(world, "lamp")
    assert not works(world, "lamp")


def test_leads_that_are_plugged_into_each_other_give_none():
    world = wired(("lamp", "a"), ("a", "b"))
    assert [has_supply(world, node) for node in ("lamp", "a", "b")] == [False] * 3


def test_a_battery_and_fuel_have_to_last():
    things = [
        thing("torch", charge_percent=50.0, capacity_wh=1.0,
              processes=[{"discharge": {"power_w": 1.0}}]),
        thing("stove", container={"capacity_l": 1.0}, liquids={"petrol": 0.1},
              processes=[{"burns": {"substance": "petrol", "kgph": 1.0}}]),
    ]  # fmt: skip
    world = episode(*things).world
    for node, name in (("torch", "charge_percent"), ("stove", "petrol")):
        assert has_energy(world, node)
        world.timeline.set(node, name, 1e-6)
        assert has_energy(world, node)
        world.timeline.set(node, name, 0.0)
        assert not has_energy(world, node)
        assert not works(world, node)
