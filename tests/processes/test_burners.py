"""Power that several things on a burner share, and what takes heat from a plate."""

from __future__ import annotations

import math

import pytest

from earsim import Episode
from earsim.world.live import TEMPERATURE
from tests.processes.small_worlds import episode, heat, scenario, thing


def give(played: Episode, *commands: str) -> Episode:
    for command in commands:
        assert played.step({"ada": command}).outcomes["ada"].accepted
    return played


def at(played: Episode, node: str, name: str = TEMPERATURE) -> float:
    assert played.world.timeline is not None
    return played.world.timeline.value(node, name)


def burner(*on: str) -> Episode:
    heats = {"heats": {"power_w": 30.0, "to": "on", "while": {"is_on": True}}}
    pans = [thing(pan, "burner", heat(80.0, conductance_wpk=0.0), temperature_c=20.0) for pan in on]
    return episode(scenario([thing("burner", "kitchen", heats, states={"is_on": True}), *pans]))


@pytest.mark.parametrize("many", [1, 2, 3])
def test_a_burner_gives_each_of_the_things_on_it_an_equal_share(many):
    pans = [f"pan{number}" for number in range(many)]
    played = give(burner(*pans), "WAIT 60")
    seconds = played.world.timeline.now_ms / 1000
    for pan in pans:
        assert at(played, pan) == pytest.approx(20.0 + 30.0 / many * seconds / 80.0)


def test_what_has_no_area_takes_no_heat_from_the_plate_it_stands_on():
    plate = thing("plate", "kitchen", heat(900.0, conductance_wpk=0.0), temperature_c=90.0)
    pan = thing("pan", "plate", heat(80.0, conductance_wpk=1.0), temperature_c=20.0)
    flat = thing("flat", "plate", heat(80.0, area_m2=0.01), temperature_c=20.0)
    played = give(episode(scenario([plate, pan])), "WAIT 60")
    seconds = played.world.timeline.now_ms / 1000
    assert at(played, "plate") == 90.0
    assert at(played, "pan") == pytest.approx(21.0 - math.exp(-seconds / 80.0))
    touching = give(episode(scenario([plate, flat])), "WAIT 60")
    assert at(touching, "plate") < 89.0
    assert at(touching, "flat") > 21.0
