"""Stray decisions: what a student might say instead of the right thing."""

import re

import pytest

from earsim import Engine, Episode
from earsim.envs.policy import observations_of
from earsim.schema import parse
from earsim_training.export.demonstrations.perturbation import Perturbation

SCENE = """\
schema: earsim.scene/1
id: flat
rooms: [{id: kitchen, name: Kitchen, connects: [hall]}, {id: hall, name: Hall}]
objects:
  - {id: table, name: Table, kind: furniture, in: kitchen, mass_kg: 20}
  - {id: cup, name: Cup, kind: item, on: table, mass_kg: 0.3}
  - {id: ring, name: Ring, kind: item, in: kitchen, mass_kg: 0.3}
  - {id: hat, name: Hat, kind: item, in: hall, mass_kg: 0.3}
tasks:
  - id: it
    category: direct_command
    agents: [{id: ada, max_mass_kg: 40}]
    goal: {all: [{at: {object: cup, in: hall}}]}
    instruction: Bring the cup to the hall.
"""


@pytest.fixture
def episode():
    return Episode(Engine(parse(SCENE).scenarios()[0]))


def strays(episode, right, count=300, rate=1.0):
    """What is said instead of a command in so many episodes."""
    told = observations_of(episode)
    drawn = (Perturbation(rate, str(n)).instead(told, {"ada": right}) for n in range(count))
    return [None if each is None else each["ada"] for each in drawn]


def test_as_many_go_astray_as_is_asked_for(episode):
    assert strays(episode, "EXPLORE", rate=0.0) == [None] * 300
    assert None not in strays(episode, "EXPLORE")
    assert 20 < 300 - strays(episode, "EXPLORE", rate=0.15).count(None) < 80


def test_half_are_the_right_command_with_something_likely_mistaken(episode):
    episode.step({"ada": "EXPLORE"})
    found = strays(episode, "PLACE cup on table", count=1_000)
    mistaken = [each for each in found if re.fullmatch(r"PLACE (\w+ on table|cup on \w+)", each)]
    assert 400 < len(mistaken) < 600
    assert {"PLACE hall on table", "PLACE cup on kitchen"} <= set(mistaken)
    assert "PLACE cup on table" not in found
    assert found.count("PLACE ring on table") < 10  # the task says nothing of it
    assert not any("hat" in each.split() for each in found)  # nobody has seen it


def test_no_stray_command_is_the_right_one(episode):
    assert "EXPLORE" not in strays(episode, "EXPLORE", count=1_000)


def test_what_was_refused_is_said_again_now_and_then(episode):
    straying, again, refusals = Perturbation(0.3, "any"), 0, 0
    before = None
    for _ in range(30):
        episode = Episode(episode.engine)
        for _ in range(20):
            stray = straying.instead(observations_of(episode), {"ada": "GOTO cup"})
            episode.step(stray or {"ada": "EXPLORE"})
            if before is not None:
                refusals += 1
                again += stray == before
            refused = not observations_of(episode)["ada"].outcome.accepted
            before = stray if refused else None
    assert refusals > 60
    assert 0.3 < again / refusals < 0.6


def test_the_same_seed_goes_the_same_ways_astray(episode):
    assert strays(episode, "GOTO hall") == strays(episode, "GOTO hall")
