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


def test_in_text(world):
    assert "can iron; needs is_plugged_in, is_on" in thing_facts(world, "iron")
    assert "on wheels for 6 kg" in thing_facts(world, "cart")
    assert "and Shed (shed), 0.5 m wide: is_open true" in door_line(world, "hatch", seen=True)
    assert "open to Shed (shed), 0.8 m wide" in room_line(world.blueprint, "yard", ways=True)
    assert "open to Workshop (shop), stairs" in room_line(world.blueprint, "attic", ways=True)
