"""`earsim export-graph`: files that NetworkX reads back as the world they were written from."""

import json

import networkx as nx
import pytest


@pytest.mark.slow
def test_a_scenario_as_graphml(earsim, scene, here):
    result = earsim("export-graph", f"{scene}/light", "--out", "made/hut.graphml")
    assert result.exit_code == 0
    assert result.stdout == "made/hut.graphml: 6 nodes, 7 edges\n"
    graph = nx.read_graphml(here / "made" / "hut.graphml")
    assert graph.nodes["lamp"] == {
        "type": "item", "label": "Lamp :skull:", "mass_kg": 1.0, "container": False,
        "state:is_on": False,
    }  # fmt: skip
    assert graph.edges["lamp", "chest", "e3"]["relation"] == "on"
    assert "eva" in graph


def test_edges_have_ids_of_their_own_as_graphml_wants(earsim, scene, here):
    earsim("export-graph", scene, "--out", "hut.graphml")
    told = (here / "hut.graphml").read_text(encoding="utf-8")
    assert told.count("<edge ") == 5
    assert all(told.count(f'id="e{number}"') == 1 for number in range(5))


def test_a_scene_as_json(earsim, scene, here):
    assert earsim("export-graph", scene, "--out", "hut.json").exit_code == 0
    data = json.loads((here / "hut.json").read_text(encoding="utf-8"))
    graph = nx.node_link_graph(data, edges="edges")
    assert list(graph) == ["hall", "loft", "chest", "lamp", "piano"]


@pytest.mark.parametrize("form", ["graphml", "json"])
def test_the_same_scene_gives_the_same_bytes(earsim, scene, here, form):
    for name in ("one", "two"):
        earsim("export-graph", scene, "--out", f"{name}.{form}")
    assert (here / f"one.{form}").read_bytes() == (here / f"two.{form}").read_bytes()


def test_what_xml_cannot_hold_is_replaced(earsim, scene, here):
    scene.write_text(scene.read_text().replace("name: Loft", 'name: "Lo\\uFFFFft <&>"'))
    assert earsim("export-graph", scene, "--out", "hut.graphml").exit_code == 0
    graph = nx.read_graphml(here / "hut.graphml")
    assert graph.nodes["loft"]["label"] == "Lo\N{REPLACEMENT CHARACTER}ft <&>"


def test_another_ending_names_those_there_are(earsim, scene, here):
    result = earsim("export-graph", scene, "--out", "hut.txt")
    assert result.exit_code == 2
    assert "hut.txt: a graph is a .graphml or .json file" in result.stderr
    assert not (here / "hut.txt").exists()


@pytest.mark.slow
def test_an_unknown_scene_names_the_nearest(earsim):
    result = earsim("export-graph", "crystal_lab/purest_sulphat", "--out", "x.json")
    assert result.exit_code == 2
    assert "did you mean 'crystal_lab/purest_sulphate'" in result.stderr
