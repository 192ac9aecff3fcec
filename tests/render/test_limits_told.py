"""What limits tools, loads and ways is told before it refuses anything."""

import pytest

from earsim.engine import Engine
from earsim.render.graph import observed_graph
from earsim.render.things import door_line, room_line, thing_facts
from tests.golden.transcript import Header


@pytest.fixture
def world():
    header = Header.read(
        "{scene: yard.yaml, ruleset: physical/2, agents: [{id: ada, max_mass_kg: 20}]}", "header"
    )
    engine: Engine = header.episode().engine
    return engine.start(discovered=True)


def test_in_the_graph(world):
    graph = observed_graph(world, "ada")
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert nodes["iron"]["needs"] == ["is_plugged_in", "is_on"]
    assert nodes["cart"]["wheels"] == {"max_load_kg": 6}
    assert nodes["shelf"]["numbers"]["max_load_kg"] == 5
    assert nodes["hatch"]["width_m"] == 0.5
    assert "wheels" not in nodes["shelf"]
    ways = {(edge["source"], edge["target"]): edge for edge in graph["edges"]}
    assert ways["yard", "shed"]["width_m"] == ways["shed", "yard"]["width_m"] == 0.8
    assert ways["attic", "shop"]["stairs"] is True
    assert ways["shop", "yard"].keys() == {"source", "relation", "target"}


def test_what_is_left_of_accounts_is_in_every_observation():
    header = Header.read(
        "{scene: rigs.yaml, ruleset: physical/2, agents: [{id: ada, max_mass_kg: 20}],"
        " discovered: true, limits: {eur: 6.5, kwh: 1, clock_s: 900}}",
        "header",
    )
    episode = header.episode()
    assert "6.5 of 6.5 EUR and 1 of 1 kWh left." in episode.changes("ada")
    for command in RIG_READY:
        assert episode.step({"ada": command}).outcomes["ada"].accepted, command
    graph = observed_graph(episode.world, "ada")
    spent_kwh = 30 / 3600 * 0.36  # what the run is known to take
    assert graph["accounts"] == {
        "eur": {"left": 4.5, "limit": 6.5},
        "kwh": {"left": pytest.approx(1 - spent_kwh), "limit": 1},
        "clock_s": {"left": 900 - episode.world.clock, "limit": 900},
    }
    assert "4.5 of 6.5 EUR and 0.997 of 1 kWh left." in episode.changes("ada")
    episode.step({"ada": "STOP rig"})
    assert observed_graph(episode.world, "ada")["accounts"]["kwh"]["left"] > 1 - spent_kwh


def test_a_task_without_limits_has_no_accounts(world):
    assert observed_graph(world, "ada").keys() == {"nodes", "edges"}


RIG_READY = (
    "GOTO badge", "GRAB badge", "GOTO store", "GOTO ball", "GRAB ball", "GOTO lab", "GOTO rig",
    "PLACE ball on rig", "TURN_ON rig", "RUN rig",
)  # fmt: skip


def test_what_a_stopped_run_cost_counts_its_time_and_its_start():
    header = Header.read(
        "{scene: rigs.yaml, ruleset: physical/2, agents: [{id: ada, max_mass_kg: 20}],"
        " discovered: true}",
        "header",
    )
    episode = header.episode()
    for command in (*RIG_READY, "WAIT 9"):
        episode.step({"ada": command})
    outcome = episode.step({"ada": "STOP rig"}).outcomes["ada"]
    assert outcome.facts["cost"] == {"eur": 2.0, "kwh": pytest.approx(9 / 3600 * 0.36)}
    assert episode.feedback("ada").endswith("It has cost 2 EUR and 0.0009 kWh.")
    lab = episode.world.timeline.lab
    assert {"eur": lab.booked("eur"), "kwh": lab.booked("kwh")} == outcome.facts["cost"]


def test_in_text(world):
    assert "can iron; needs is_plugged_in, is_on" in thing_facts(world, "iron")
    assert "on wheels for 6 kg" in thing_facts(world, "cart")
    assert "and Shed (shed), 0.5 m wide: is_open true" in door_line(world, "hatch", seen=True)
    assert "open to Shed (shed), 0.8 m wide" in room_line(world.blueprint, "yard", ways=True)
    assert "open to Workshop (shop), stairs" in room_line(world.blueprint, "attic", ways=True)
