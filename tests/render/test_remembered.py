"""Hoses, settings and runs in the pictures of a team whose members know what they saw."""

from typing import Any

import pytest

from earsim import Engine, Episode, digest
from earsim.render.graph import observed_graph
from earsim.schema import Scenario

RIG = {"model": "maglev/1", "levels": {"Kp": [3.0, 12.0]}}
OBJECTS: list[dict[str, Any]] = [
    {"id": "rig", "kind": "furniture", "in": "lab", "mass_kg": 40, "apparatus": RIG},
    {"id": "bench", "kind": "furniture", "in": "lab", "mass_kg": 30},
    {"id": "pump", "kind": "item", "on": "bench", "mass_kg": 2, "fittings": {"hose": 1}},
    {"id": "tank", "kind": "item", "on": "bench", "mass_kg": 2, "fittings": {"hose": 2}},
]


@pytest.fixture
def played() -> Episode:
    """Both know everything; then Bo goes to the store."""
    rooms = [{"id": "lab", "connects": ["store"]}, {"id": "store"}]
    task = {"id": "t", "category": "direct_command", "instruction": "-", "goal": {"any": []}}
    content = {
        "id": "lab/t",
        "scene": {"schema": "earsim.scene/1", "id": "lab"} | {"rooms": rooms, "objects": OBJECTS},
        "agents": [{"id": "ada", "max_mass_kg": 20}, {"id": "bo", "max_mass_kg": 20}],
        "task": task,
        "knowledge": "own",
    }
    episode = Episode(Engine(Scenario.model_validate(content)), budget=10**6)
    return give(episode, ("EXPLORE", "EXPLORE"), ("WAIT", "GOTO store"))


def give(episode: Episode, *commands: tuple[str, str]) -> Episode:
    for ada, bo in commands:
        outcomes = episode.step({"ada": ada, "bo": bo}).outcomes
        assert all(outcome.accepted for outcome in outcomes.values()), outcomes
    return episode


SET_UP = [
    ("GOTO bench", "WAIT"),
    ("CONNECT pump tank", "WAIT"),
    ("GOTO rig", "WAIT"),
    ("CONFIGURE rig Kp=12", "WAIT"),
    ("RUN rig", "WAIT"),
]


def told(episode: Episode, agent: str) -> tuple[str, ...]:
    """The lines of the three things in what an agent reads."""
    lines = episode.full(agent).splitlines()
    return tuple([next(line for line in lines if f"({node}" in line) for node in ("rig", "tank")])


def edges(episode: Episode, agent: str) -> list[dict[str, Any]]:
    found = observed_graph(episode.world, agent)["edges"]
    return [edge for edge in found if edge["relation"] == "connected"]


def apparatus(episode: Episode, agent: str) -> dict[str, Any]:
    nodes = observed_graph(episode.world, agent)["nodes"]
    return next(node for node in nodes if node["id"] == "rig")["apparatus"]


def test_what_is_set_up_out_of_sight_stays_unknown_until_one_comes_to_see_it(played):
    before = told(played, "bo")
    give(played, *SET_UP)
    assert told(played, "bo") == before
    assert edges(played, "bo") == []
    assert apparatus(played, "bo")["settings"]["Kp"] != 12
    assert "Kp 12" in told(played, "ada")[0]
    assert "op_1 in progress" in told(played, "ada")[0]
    assert "connected to" in told(played, "ada")[1]
    give(played, ("WAIT", "GOTO lab"))
    assert told(played, "bo") == told(played, "ada")
    assert edges(played, "bo") == edges(played, "ada") != []
    assert apparatus(played, "bo") == apparatus(played, "ada")
    assert apparatus(played, "bo")["settings"]["Kp"] == 12


def test_whoever_stands_by_sees_how_far_a_run_is(played):
    give(played, *SET_UP, ("WAIT", "GOTO lab"))
    percents = []
    for _ in range(3):
        give(played, ("WAIT 2", "WAIT 2"))
        percents.append(apparatus(played, "bo")["run"]["percent"])
        assert f"{percents[-1]:g} %" in told(played, "ada")[0]
        assert told(played, "ada")[0] == told(played, "bo")[0]
    assert percents == sorted(set(percents))


def test_what_was_seen_is_remembered_as_it_was(played):
    give(played, *SET_UP, ("WAIT", "GOTO lab"), ("WAIT", "GOTO store"))
    then = told(played, "bo")
    give(played, ("STOP rig", "WAIT"), ("GOTO bench", "WAIT"), ("DISCONNECT pump tank", "WAIT"))
    assert told(played, "bo") == then
    assert "failed" in told(played, "ada")[0]
    assert edges(played, "ada") == []
    assert len(edges(played, "bo")) == 1


def test_a_colleague_who_tells_of_a_thing_passes_on_how_it_is_set_up(played):
    give(played, *SET_UP, ("GOTO store", "WAIT"), ("TELL rig", "WAIT"))
    assert "Kp 12" in told(played, "bo")[0]
    assert "connected" not in told(played, "bo")[1]


def test_what_was_seen_later_is_not_replaced_by_what_another_saw_before(played):
    """Ada leaves; Bo sets the apparatus up anew, and is told of it by Ada as it was."""
    give(played, *SET_UP, ("GOTO store", "GOTO lab"), ("WAIT", "GOTO rig"), ("WAIT", "STOP rig"))
    give(played, ("WAIT", "CONFIGURE rig Kp=3"), ("WAIT", "GOTO store"))
    now = told(played, "bo")[0]
    give(played, ("TELL rig", "WAIT"))
    assert told(played, "bo")[0] == now
    give(played, ("WAIT", "TELL rig"))
    assert told(played, "ada")[0] == now
    assert "Kp 3" in now


def test_a_copy_remembers_the_same(played):
    give(played, *SET_UP, ("WAIT", "GOTO lab"), ("WAIT", "GOTO store"))
    fork = played.world.copy()
    assert digest(fork) == digest(played.world)
    assert fork.beliefs["bo"].remembered == played.world.beliefs["bo"].remembered
    give(played, ("WAIT", "GOTO lab"))
    assert digest(played.world) != digest(fork)
