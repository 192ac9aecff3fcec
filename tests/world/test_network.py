"""A world as a NetworkX graph: everything in it, as it is now, and files that bring it back."""

from typing import Any

import networkx as nx
import pytest

from earsim import Engine, Scenario, World, open_suite, to_networkx
from earsim.schema import SceneFile, parse
from earsim.world.consumables import GONE
from tests.world.small import episode, thing

COTTAGE = """\
schema: earsim.scene/1
id: cottage
rooms:
  - {id: hall, name: Hall, area_m2: 12, connects: [den], temperature_c: 19}
  - {id: den, name: Den, attributes: {floor: [oak, cork], note: null}}
  - {id: loft, name: Loft}
doors:
  - {id: hatch, name: Hatch, between: [den, loft], states: {is_locked: true}, key: pin}
objects:
  - {id: chest, name: Chest, kind: furniture, in: hall, mass_kg: 30, size_m: [1, 0.5, 0.4],
     container: {capacity_l: 150}, states: {is_open: true}}
  - {id: pin, name: "Pin <1>", kind: item, in: chest, mass_kg: 0.1, attributes: {age: 7}}
  - {id: rag, name: Rag, kind: item, on: chest, mass_kg: 0.2, provides: [clean]}
  - {id: piano, name: Piano, kind: item, in: hall, mass_kg: 60, states: {is_dirty: true},
     attributes: {is_dirty: a bit}}
tasks:
  - id: clean
    category: explicit_collaboration
    agents: [{id: eva, name: Eva, max_mass_kg: 40}, {id: tom, name: Tom, max_mass_kg: 40, in: den}]
    goal: {all: [{has_state: {object: piano, state: is_dirty, equals: false}}]}
    instruction: Clean the piano.
"""


def scenario() -> Scenario:
    loaded = parse(COTTAGE)
    assert isinstance(loaded, SceneFile)
    return loaded.scenarios()[0]


def played(*decisions: dict[str, str]) -> World:
    engine = Engine(scenario())
    world = engine.start()
    for commands in decisions:
        for outcome in engine.step(world, commands).outcomes.values():
            assert outcome.reason is None, outcome
    return world


def edges(graph: Any, relation: str) -> set[tuple[str, str]]:
    return {(a, b) for a, b, found in graph.edges(data="relation") if found == relation}


def test_nodes_are_all_there_is_in_file_order():
    graph = to_networkx(played())
    assert dict(graph.nodes(data="type")) == {
        "hall": "room", "den": "room", "loft": "room", "hatch": "door", "chest": "furniture",
        "pin": "item", "rag": "item", "piano": "item", "eva": "agent", "tom": "agent",
    }  # fmt: skip
    assert list(graph)[:4] == ["hall", "den", "loft", "hatch"]
    assert graph.graph == {"scene": "cottage", "clock_s": 0.0}


def test_nodes_tell_names_numbers_states_and_attributes():
    nodes = to_networkx(played()).nodes
    assert nodes["hall"] == {
        "type": "room", "label": "Hall", "area_m2": 12.0, "temperature_c": 19.0,
    }  # fmt: skip
    assert nodes["den"] == {"type": "room", "label": "Den", "attribute:floor": '["oak", "cork"]'}
    assert nodes["hatch"] == {
        "type": "door", "label": "Hatch", "state:is_open": False, "state:is_locked": True,
        "key": "pin",
    }  # fmt: skip
    assert nodes["chest"] == {
        "type": "furniture", "label": "Chest", "mass_kg": 30.0, "length_m": 1.0, "width_m": 0.5,
        "height_m": 0.4, "capacity_l": 150.0, "container": True, "state:is_open": True,
    }  # fmt: skip
    assert nodes["rag"]["provides"] == '["clean"]'
    assert nodes["piano"]["state:is_dirty"] is True
    assert nodes["piano"]["attribute:is_dirty"] == "a bit"
    assert nodes["eva"] == {
        "type": "agent", "label": "Eva", "hands": 2.0, "max_mass_kg": 40.0, "load_kg": 0.0,
    }  # fmt: skip


def test_edges_say_what_is_where_and_where_ways_lead():
    graph = to_networkx(played())
    assert edges(graph, "in") == {
        ("chest", "hall"), ("pin", "chest"), ("piano", "hall"), ("eva", "hall"), ("tom", "den"),
    }  # fmt: skip
    assert edges(graph, "on") == {("rag", "chest")}
    assert edges(graph, "between") == {("hatch", "den"), ("hatch", "loft")}
    doors = {(a, b): door for a, b, door in graph.edges(data="door") if b in {"hall", "loft"}}
    assert edges(graph, "leads_to") == {
        ("hall", "den"), ("den", "hall"), ("den", "loft"), ("loft", "den"),
    }  # fmt: skip
    assert doors["den", "loft"] == "hatch"
    assert doors["den", "hall"] is None


def test_the_graph_is_of_now():
    world = played(
        {"eva": "EXPLORE", "tom": "GOTO hall"},
        {"eva": "GOTO chest", "tom": "GOTO piano"},
        {"eva": "GRAB rag"},
        {"eva": "GOTO piano"},
        {"eva": "CLEAN piano"},
        {"eva": "PLACE rag on piano"},
        {"eva": "CORP_GRAB piano", "tom": "CORP_GRAB piano"},
    )
    graph = to_networkx(world)
    assert graph.nodes["piano"]["state:is_dirty"] is False
    assert edges(graph, "carried") == {("piano", "eva"), ("piano", "tom")}
    assert edges(graph, "on") == {("rag", "piano")}
    assert graph.graph["clock_s"] == world.clock
    assert to_networkx(played()).nodes["piano"]["state:is_dirty"] is True


def test_what_was_changed_together_is_told():
    world = played()
    assert "changed_together" not in to_networkx(world).nodes["piano"]
    world.jointly["piano"] = ("is_dirty", "is_on")
    assert to_networkx(world).nodes["piano"]["changed_together"] == '["is_dirty", "is_on"]'


def test_what_agents_stand_at_and_hold():
    graph = to_networkx(played({"eva": "EXPLORE"}, {"eva": "GOTO chest"}, {"eva": "GRAB rag"}))
    assert edges(graph, "near") == {("eva", "chest"), ("tom", "den")}
    assert edges(graph, "held") == {("rag", "eva")}
    assert graph.nodes["eva"]["abilities"] == '["clean"]'


def test_the_scene_hangs_together_for_the_algorithms_of_networkx():
    graph = to_networkx(played())
    assert nx.is_weakly_connected(graph)
    assert nx.has_path(graph, "pin", "loft")


SUITES = ("starter", "eval-single", "eval-multi")


@pytest.fixture(scope="module", params=[None, *SUITES])
def world(request: pytest.FixtureRequest) -> World:
    """The start of our cottage, and of the first scenario of suites of both rulesets."""
    if request.param is None:
        return played()
    if request.param != "starter":
        request.getfixturevalue("bench_suites")
    return Engine(next(iter(open_suite(request.param)))).start()


@pytest.fixture(scope="module")
def bench_suites(ear_bench_dir: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EAR_BENCH_DIR", str(ear_bench_dir))
        yield


def content(graph: Any) -> Any:
    """Nodes, and edges without their keys, which a simple graph has not."""
    told = [
        (a, b, {name: value for name, value in data.items() if name != "id"})
        for a, b, data in graph.edges(data=True)
    ]
    return dict(graph.nodes(data=True)), sorted(told, key=str)


def test_every_node_of_an_edge_is_described(world: World):
    graph = to_networkx(world)
    assert all("type" in data and "label" in data for _, data in graph.nodes(data=True))
    assert list(graph) == list(world.blueprint.ids())


def test_the_same_world_gives_the_same_graph(world: World):
    first, second = to_networkx(world), to_networkx(world.copy())
    assert list(first.nodes(data=True)) == list(second.nodes(data=True))
    assert list(first.edges(keys=True, data=True)) == list(second.edges(keys=True, data=True))


def test_node_link_data_brings_the_graph_back(world: World):
    graph = to_networkx(world)
    back = nx.node_link_graph(nx.node_link_data(graph, edges="edges"), edges="edges")
    assert back.graph == graph.graph
    assert list(back.nodes(data=True)) == list(graph.nodes(data=True))
    assert list(back.edges(keys=True, data=True)) == list(graph.edges(keys=True, data=True))


def test_graphml_brings_the_graph_back(world: World, tmp_path: Any):
    graph = to_networkx(world)
    nx.write_graphml(graph, tmp_path / "world.graphml")
    back = nx.read_graphml(tmp_path / "world.graphml")
    assert content(back) == content(graph)
    assert graph.graph.items() <= back.graph.items()


def test_the_format_of_gephi_holds_it_as_well(world: World, tmp_path: Any):
    graph = to_networkx(world)
    nx.write_gexf(graph, tmp_path / "world.gexf")
    back = nx.read_gexf(tmp_path / "world.gexf")
    assert list(back) == list(graph)


def test_a_thing_has_its_key_its_numbers_of_now_and_what_it_is_connected_to():
    chest = thing("chest", container={"capacity_l": 9.0}, key="pin", tilt_deg=5.0)
    chest |= {"states": {"is_open": False, "is_locked": True}, "attributes": {"älter": ["ä", 1]}}
    jug = thing("jug", container={"capacity_l": 2.0}, liquids={"water": 0.5}, fittings={"hose": 1})
    hose = thing("hose", fittings={"hose": 2})
    world = episode(chest, thing("pin"), jug, hose, thing("rag", uses_count=1)).world
    world.timeline.links = (("jug", "hose", "hose"),)
    world.location["rag"] = GONE
    graph = to_networkx(world)
    assert graph.nodes["chest"] == {
        "type": "item", "label": "chest", "mass_kg": 1.0, "capacity_l": 9.0, "tilt_deg": 5.0,
        "container": True, "key": "pin", "state:is_open": False, "state:is_locked": True,
        "attribute:älter": '["ä", 1]',
    }  # fmt: skip
    assert graph.nodes["jug"] == {
        "type": "item", "label": "jug", "mass_kg": 1.5, "capacity_l": 2.0, "content_l": 0.5,
        "water_kg": 0.5, "container": True,
    }  # fmt: skip
    assert "rag" not in graph
    ((_, _, told),) = [
        edge for edge in graph.edges(data=True) if edge[2]["relation"] == "connected"
    ]
    assert told == {"relation": "connected", "kind": "hose"}
    assert edges(graph, "connected") == {("jug", "hose")}
    assert all(isinstance(value, float) for _, value in graph.nodes(data="mass_kg") if value)
