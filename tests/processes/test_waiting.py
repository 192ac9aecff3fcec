"""However time is cut, copied, stopped or played beside another world, it comes to the same."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from earsim import Engine, Episode, digest
from earsim.processes import clock
from earsim.processes.clock import STOPPED
from earsim.world import World
from tests.processes.small_worlds import (
    SCENES,
    crossing,
    episode,
    heat,
    scenario,
    scene,
    state,
    thing,
)

ROOT = Path(__file__).resolve().parents[2]


def values(world: World) -> dict[tuple[str, str], float]:
    return {key: world.timeline.value(*key) for key in world.timeline.laws}


def give(played: Episode, *commands: str) -> Episode:
    for command in commands:
        played.step({"ada": command})
    return played


# -- cutting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENES)
def test_a_wait_of_a_minute_is_six_of_ten_seconds_bit_for_bit(name):
    whole, parts, seconds = (episode(scene(name)) for _ in range(3))
    for _ in range(2):
        give(whole, "WAIT 60")
        give(parts, *["WAIT 10"] * 6)
        give(seconds, *["WAIT 1"] * 60)
        assert values(whole.world) == values(parts.world) == values(seconds.world)
        assert digest(whole.world) == digest(parts.world) == digest(seconds.world)
        assert whole.full("ada") == parts.full("ada") == seconds.full("ada")


def boiling(grams: float = 0.29) -> Episode:
    """A kettle that boils, with a condition over time about it."""
    objects = SCENES["kettle"]()
    objects[1]["liquids"] = {"water": grams}
    low = {"quantity": {"object": "kettle", "of": "content_l", "at_most": 0.2}}
    played = episode(scenario(objects, goal={"held_for": {"goal": low, "seconds": 20.0}}))
    give(played, "WAIT 60")
    assert played.world.states["kettle"]["is_boiling"] is True
    assert 0.05 < played.world.timeline.value("kettle", "content_l") < grams
    return played


def test_boiling_goes_on_alike_however_often_one_looks():
    whole, parts = boiling(), boiling()
    give(whole, "WAIT 30")
    give(parts, *["WAIT 1"] * 30)
    assert values(whole.world) == values(parts.world)
    assert digest(whole.world) == digest(parts.world)


def test_snapshots_forks_copies_and_pickles_of_a_boil_go_on_as_it_does():
    played = boiling()
    moment, fork, copy = played.snapshot(), played.fork(), played.world.copy()
    thawed = pickle.loads(pickle.dumps(played.world))
    rest = ("WAIT 13", "GOTO kettle", "TURN_OFF kettle", "WAIT 60", "TURN_ON kettle", "WAIT 10")
    give(played, *rest)
    give(fork, *rest)
    for world in (copy, thawed):
        for command in rest:
            played.engine.step(world, {"ada": command})
    for world in (fork.world, copy, thawed):
        assert values(world) == values(played.world)
        assert digest(world) == digest(played.world)
    met = played.verdict.ever
    played.restore(moment)
    give(played, *rest)
    assert digest(played.world) == digest(fork.world)
    assert played.verdict.ever is met is True


def test_interleaved_worlds_are_as_each_alone():
    engine = Engine(scene("tanks"))
    plans = (["TURN_OFF pump", "WAIT 7"], ["WAIT 20", "EXPLORE"], ["WAIT 3"])
    worlds = [engine.start() for _ in plans]
    for step in range(8):
        for world, plan in zip(worlds, plans, strict=True):
            engine.step(world, {"ada": plan[step % len(plan)]})
    for world, plan in zip(worlds, plans, strict=True):
        alone = engine.start()
        for step in range(8):
            engine.step(alone, {"ada": plan[step % len(plan)]})
        assert digest(alone) == digest(world)
        assert values(alone) == values(world)


_PROGRAM = """
from tests.processes.small_worlds import SCENES, episode, scene
from earsim import digest
for name in SCENES:
    played = episode(scene(name))
    for command in ("WAIT 30", "GOTO yard", "WAIT 30", "GOTO kitchen"):
        played.step({"ada": command})
    print(name, digest(played.world), played.full("ada"), played.admissible("ada"))
"""


@pytest.mark.slow
def test_hash_seeds_make_no_difference():
    told = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM], cwd=ROOT, env=env, capture_output=True, check=True
        )
        told.add(done.stdout)
    assert len(told) == 1
    assert told.pop()


# -- order -----------------------------------------------------------------------------------------


def test_what_has_nothing_to_do_with_each_other_changes_nothing_of_each_other():
    parts = {name: SCENES[name]() for name in ("cooling", "ice", "laundry", "stove")}
    together = episode(scenario([spec for specs in parts.values() for spec in specs]))
    back = episode(scenario([spec for specs in reversed(parts.values()) for spec in specs]))
    for seconds in (7, 60, 33):
        give(together, f"WAIT {seconds}")
        give(back, f"WAIT {seconds}")
    assert values(together.world) == values(back.world)
    for specs in parts.values():
        alone = episode(scenario(specs))
        for seconds in (7, 60, 33):
            give(alone, f"WAIT {seconds}")
        found = {key: value for key, value in values(alone.world).items() if key[0]}
        assert found == {key: values(together.world)[key] for key in found}
        assert all(together.world.states[n] == alone.world.states[n] for n in alone.world.location)


def test_the_order_of_switches_that_have_nothing_to_do_with_each_other_does_not_matter():
    played = []
    for first, second in (("iron", "fan"), ("fan", "iron")):
        begun = episode(scenario([*SCENES["cooling"](), *SCENES["laundry"]()], agents=2))
        begun.step({"ada": f"GOTO {first}", "bo": f"GOTO {second}"})
        begun.step({"ada": f"TURN_ON {first}", "bo": f"TURN_ON {second}"})
        begun.step({"ada": "WAIT 60", "bo": "WAIT 60"})
        played.append(begun)
    one, other = played
    assert values(one.world) == values(other.world)
    assert one.world.states == other.world.states


# -- many edges ------------------------------------------------------------------------------------


def thermostat(low: float, power_w: float = 500.0) -> Episode:
    """It turns a heater off at 60 degrees, and on again not far below."""
    heater = (
        heat(1.0, conductance_wpk=1.0),
        {"heats": {"power_w": power_w, "while": {"is_on": True}}},
        crossing("temperature_c", {"is_on": False}, at_least=60.0),
        crossing("temperature_c", {"is_on": True}, at_most=low),
    )
    return episode(scenario([thing("oven", "kitchen", *heater, temperature_c=25.0,
                                   states={"is_on": True})]))  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("low", [55.0, 59.9, 60.0])
def test_a_number_passes_no_value_unnoticed_however_close_the_next(low):
    played = thermostat(low)
    give(played, "WAIT 20")
    turned = [event for event in played.world.timeline.events if event.name == "is_on"]
    assert len(turned) > 100
    assert {event.value for event in turned[::2]} != {event.value for event in turned[1::2]}
    assert low - 1.0 < played.world.timeline.value("oven", "temperature_c") < 61.0


def test_what_would_go_on_for_ever_ends_the_wait_with_an_event(monkeypatch):
    monkeypatch.setattr(clock, "MOST_MOMENTS", 1_000)
    played = thermostat(59.9)
    before = played.world.clock
    decision = played.step({"ada": "WAIT 3600"})
    stopped = [e for e in played.world.timeline.events if e.name == STOPPED]
    assert len(stopped) == 1
    assert 0 < decision.elapsed_s < 60
    assert played.world.clock == before + decision.elapsed_s
    assert stopped[0].at_ms <= played.world.clock * 1000 < stopped[0].at_ms + 1000
    assert decision.outcomes["ada"].facts["seconds"] == decision.elapsed_s
    assert 58.0 < played.world.timeline.value("oven", "temperature_c") < 61.0


def test_the_limit_is_that_of_the_documents():
    assert clock.MOST_MOMENTS == 20_000


@pytest.mark.slow
def test_twenty_thousand_edges_end_a_wait():
    played = thermostat(59.9)
    decision = played.step({"ada": "WAIT 3600"})
    assert any(event.name == STOPPED for event in played.world.timeline.events)
    assert len(played.world.timeline.events) > 10_000
    assert decision.elapsed_s < 3600


@pytest.mark.slow
def test_states_that_follow_from_each_other_for_ever_hold_no_moment_up():
    """On while it is not hot, and hot at the very temperature that it starts from."""
    oven = (
        heat(100.0, conductance_wpk=1.0),
        {"heats": {"power_w": 500.0, "while": {"is_hot": False}}},
        state("is_hot", "temperature_c", at_least=60.0),
    )
    played = episode(
        scenario([thing("oven", "kitchen", *oven, temperature_c=60.0, states={"is_hot": True})])
    )
    give(played, "WAIT 10")
    assert abs(played.world.timeline.value("oven", "temperature_c") - 60.0) < 0.1


def test_a_number_is_waited_for_by_what_is_left_of_its_law():
    """The law is that of the yard, which began a minute after the clock did and ten seconds ago."""
    cup = thing("cup", "kitchen", heat(150.0, conductance_wpk=1.2), temperature_c=60.0)
    cup["marks"] = [
        {"name": "mild", "of": "temperature_c", "at": 25.0},
        {"name": "hot", "of": "temperature_c", "at": 70.0},
    ]
    played = episode(scenario([cup]))
    give(played, "EXPLORE", "GOTO cup", "GRAB cup", "WAIT 60", "GOTO yard", "WAIT 10")
    now = played.world.timeline.value("cup", "temperature_c")
    assert 25.0 < now < 45.0
    waited = played.step({"ada": "WAIT UNTIL cup hot"}).outcomes["ada"]
    assert (waited.facts["came"], waited.facts["vain"]) == (False, "still")
    waited = played.step({"ada": "WAIT UNTIL cup mild"}).outcomes["ada"]
    assert waited.facts["came"] is True
    assert played.world.timeline.value("cup", "temperature_c") == pytest.approx(25.0, abs=0.4)
