"""What is connected to what, how many ends are left, and what can be taken along."""

from earsim.episode import Episode
from earsim.world.links import (
    connect,
    disconnect,
    fitting_between,
    free_fittings,
    is_linked,
    is_loose,
    links,
)
from tests.world.small import done, episode, thing


def workshop() -> Episode:
    """A kind of fitting may have the name of a thing."""
    plugged = {"is_plugged_in": False, "is_connected": False}
    return done(
        episode(
            thing("hose", fittings={"hose": 2}),
            thing("pipe", fittings={"hose": 2}),
            thing("tap", source="water", fittings={"hose": 1}),
            thing("can", fittings={"hose": 1}, container={"capacity_l": 5.0}, liquids={}),
            thing("lamp", fittings={"mains": 1, "usb": 1}, states={**plugged}),
            thing("fan", fittings={"mains": 1, "usb": 1}, states={**plugged}),
            thing("socket", fittings={"mains": 2}, supplies=["mains"]),
            thing("cup"),
        ),
        "EXPLORE",
    )


def test_a_fitting_joins_two_things_of_which_one_leads_on_or_supplies():
    world = workshop().world
    assert fitting_between(world, "pipe", "tap") == "hose"
    assert fitting_between(world, "tap", "pipe") == "hose"
    assert fitting_between(world, "lamp", "socket") == "mains"
    assert fitting_between(world, "socket", "lamp") == "mains"
    assert fitting_between(world, "tap", "can") is None, "neither is a hose"
    assert fitting_between(world, "lamp", "fan") is None, "neither gives power"
    assert fitting_between(world, "lamp", "pipe") is None
    assert fitting_between(world, "lamp", "cup") is None
    assert list(free_fittings(world, "lamp", "fan")) == ["mains", "usb"]
    assert list(free_fittings(world, "pipe", "pipe")) == []


def test_where_no_time_passes_nothing_is_joined():
    world = workshop().world
    connect(world, "tap", "pipe")
    assert not is_loose(world, "tap")
    world.timeline = None
    assert is_loose(world, "tap")
    assert list(free_fittings(world, "tap", "can")) == []


def test_every_end_is_joined_once():
    world = workshop().world
    assert connect(world, "tap", "pipe") == "hose"
    assert fitting_between(world, "hose", "tap") is None, "the tap has one end"
    assert connect(world, "pipe", "can") == "hose"
    assert fitting_between(world, "hose", "pipe") is None
    assert links(world) == (("tap", "pipe", "hose"), ("pipe", "can", "hose"))
    connect(world, "socket", "lamp")
    assert fitting_between(world, "socket", "fan") == "mains", "the socket has two"
    connect(world, "socket", "fan")
    assert world.states["lamp"] == {"is_plugged_in": True, "is_connected": True}


def test_two_things_are_linked_in_either_order():
    world = workshop().world
    connect(world, "tap", "pipe")
    assert is_linked(world, "tap", "pipe")
    assert is_linked(world, "pipe", "tap")
    assert not is_linked(world, "tap", "hose"), "which is the name of the fitting alone"
    assert not is_linked(world, "tap", "can")


def test_what_is_joined_at_no_end_or_a_hose_at_one_is_loose():
    world = workshop().world
    assert all(is_loose(world, node) for node in ("hose", "pipe", "tap", "lamp", "cup"))
    connect(world, "tap", "pipe")
    assert is_loose(world, "pipe")
    assert not is_loose(world, "tap")
    connect(world, "pipe", "can")
    assert not is_loose(world, "pipe")
    assert is_loose(world, "hose"), "of the fitting's name, and joined to nothing"


def test_what_is_parted_is_free_again():
    world = workshop().world
    connect(world, "lamp", "socket")
    connect(world, "tap", "pipe")
    disconnect(world, "socket", "lamp")
    assert links(world) == (("tap", "pipe", "hose"),)
    assert world.states["lamp"] == {"is_plugged_in": False, "is_connected": False}
    assert fitting_between(world, "lamp", "socket") == "mains"


def test_what_is_joined_to_anything_is_connected_and_to_a_supply_plugged_in():
    lead = thing("lead", fittings={"mains": 2}, states={"is_connected": False})
    lamp = thing("lamp", fittings={"mains": 1}, states={"is_plugged_in": False})
    socket = thing("socket", fittings={"mains": 1}, supplies=["mains"])
    world = done(episode(lead, lamp, socket), "EXPLORE").world
    connect(world, "lamp", "lead")
    assert world.states["lead"] == {"is_connected": True}
    assert world.states["lamp"] == {"is_plugged_in": False}
    connect(world, "lead", "socket")
    disconnect(world, "lead", "lamp")
    assert world.states["lead"] == {"is_connected": True}
    disconnect(world, "lead", "socket")
    assert world.states["lead"] == {"is_connected": False}


def test_a_thing_with_the_name_of_a_fitting_is_connected_while_it_is_itself_joined():
    """A hose called hose, beside a pipe that leads on by a fitting of that name."""
    world = episode(
        thing("hose", fittings={"hose": 2}, states={"is_connected": False}),
        thing("pipe", fittings={"hose": 2}),
        *(thing(id, source="water", fittings={"hose": 1}) for id in ("tap", "well")),
    ).world
    connect(world, "hose", "tap")
    connect(world, "pipe", "well")
    assert world.states["hose"] == {"is_connected": True}
    disconnect(world, "hose", "tap")
    assert world.states["hose"] == {"is_connected": False}
