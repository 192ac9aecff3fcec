"""Scenes in which numbers change by themselves: every face tells the same of them."""

import pickle

import gymnasium as gym
import numpy as np
import pytest

import earsim
from earsim.envs import DiscreteActions, GraphArrays, split_infos
from earsim.envs.graph_rows import LINKED_RELATIONS, GraphLayout, GraphRows, signed_log
from earsim.render.graph import observed_graph
from earsim.schema import SceneFile

KITCHEN = {
    "id": "kitchen",
    "rooms": [
        {"id": "kitchen", "temperature_c": 21.0},
        {"id": "hall", "temperature_c": 18.0, "connects": ["kitchen"]},
    ],
    "objects": [
        {"id": "tap", "kind": "furniture", "in": "kitchen", "mass_kg": 5.0, "source": "water",
         "temperature_c": 12.0, "drains": True},
        {"id": "outlet", "kind": "furniture", "in": "kitchen", "mass_kg": 0.2,
         "fittings": {"mains": 1}, "supplies": ["mains"]},
        {"id": "kettle", "kind": "item", "on": "tap", "mass_kg": 0.9, "temperature_c": 20.0,
         "container": {"capacity_l": 1.7}, "liquids": {}, "fittings": {"mains": 1},
         "needs": ["is_plugged_in"],
         "states": {"is_on": False, "is_boiling": False, "is_plugged_in": False},
         "marks": [{"name": "line", "of": "content_l", "at": 1.0}],
         "processes": [
             {"heat": {"material": "steel", "area_m2": 0.08}},
             {"heats": {"power_w": 2000.0, "while": {"is_on": True}}},
             {"boils": {"substance": "water"}},
             {"state": {"name": "is_boiling", "of": "temperature_c", "at_least": 100.0}}]},
        {"id": "wipe", "kind": "item", "on": "tap", "mass_kg": 0.01, "provides": ["clean"],
         "uses_count": 1},
        {"id": "pan", "kind": "item", "on": "tap", "mass_kg": 1.0, "states": {"is_dirty": True}},
    ],
    "uses_up": {"clean": 1},
}  # fmt: skip
GOAL = {"has_state": {"object": "kettle", "state": "is_boiling"}}
ADA, BOB = {"id": "ada", "max_mass_kg": 20.0}, {"id": "bob", "in": "hall", "max_mass_kg": 20.0}
BOILS = (
    *("EXPLORE", "GOTO tap", "GRAB kettle", "FILL kettle FROM tap", "GOTO outlet"),
    *("CONNECT kettle outlet", "TURN_ON kettle", "WAIT 60", "WAIT UNTIL kettle is_boiling"),
)


def scenario(*agents, **more):
    task = {
        "id": "tea",
        "category": "direct_command",
        "instruction": "Boil water in the kettle.",
        "agents": list(agents or (ADA,)),
        "goal": GOAL,
        **more,
    }
    return SceneFile.model_validate({**KITCHEN, "tasks": [task]}).scenarios()[0]


def boiling(*agents, **more):
    episode = earsim.Episode(earsim.Engine(scenario(*agents, **more)))
    for command in BOILS:
        episode.step({"ada": command})
    return episode


def graph_of(episode, agent="ada"):
    graph = observed_graph(episode.world, agent)
    return {node["id"]: node for node in graph["nodes"]}, graph["edges"]


def test_infos_tell_how_long_a_decision_took_in_every_environment():
    one = gym.make("OmniEAR-v0", scenario=scenario())
    many = gym.make_vec("OmniEAR-v0", num_envs=2, scenario=scenario())
    team = gym.make("OmniEAR-Team-v0", scenario=scenario(ADA, BOB))
    parallel = earsim.parallel_env(scenario=scenario(ADA, BOB))
    firsts = [one.reset()[1], *split_infos(many.reset()[1], 2), team.reset()[1]]
    assert [info["elapsed_s"] for info in firsts] == [0, 0, 0, 0]
    parallel.reset()
    clock = 0
    for command in BOILS:
        info = one.step(command)[-1]
        clock += info["elapsed_s"]
        assert one.unwrapped.episode.world.clock == clock
        both = {"ada": command, "bob": ""}
        told = [*split_infos(many.step([command] * 2)[-1], 2), team.step(both)[-1]]
        told += parallel.step(both)[-1].values()
        assert {each["elapsed_s"] for each in told} == {info["elapsed_s"]}
    assert one.unwrapped.episode.world.clock > 300
    many.close()


def test_a_graph_tells_live_numbers_as_they_are_seen_and_with_their_time_once_they_are_not():
    episode = boiling()
    nodes, edges = graph_of(episode)
    kettle = nodes["kettle"]
    assert kettle["numbers"]["temperature_c"] == 100.0
    assert kettle["numbers"]["water_kg"] == kettle["numbers"]["content_l"] == 1.7
    assert "read_at" not in kettle, "all that is seen now"
    assert kettle["marks"] == {"line": {"of": "content_l", "at": 1.0}}
    assert (nodes["tap"]["source"], nodes["outlet"]["supplies"]) == ("water", ["mains"])
    joined = {"source": "kettle", "relation": "connected", "target": "outlet", "kind": "mains"}
    assert joined in edges
    for command in ("RELEASE kettle", "GOTO hall", "WAIT 600"):
        episode.step({"ada": command})
    kettle = graph_of(episode)[0]["kettle"]
    assert kettle["numbers"]["temperature_c"] == 100.0
    assert kettle["read_at"]["temperature_c"] == episode.world.clock - 610
    assert kettle["numbers"]["content_l"] > episode.world.timeline.value("kettle", "content_l")


def test_what_was_used_up_is_in_no_graph():
    episode = earsim.Episode(earsim.Engine(scenario()))
    for command in ("EXPLORE", "GOTO tap", "GRAB wipe", "CLEAN pan"):
        episode.step({"ada": command})
    nodes, edges = graph_of(episode)
    assert "wipe" not in nodes
    assert all("wipe" not in (edge["source"], edge["target"]) for edge in edges)
    assert {edge["target"] for edge in edges} <= nodes.keys()
    whole = earsim.to_networkx(episode.world)
    assert "wipe" not in whole
    assert "-" not in whole


def test_the_whole_world_as_a_graph_has_live_numbers_and_links():
    graph = earsim.to_networkx(boiling().world)
    assert graph.nodes["kettle"]["temperature_c"] == 100.0
    (edge,) = graph.get_edge_data("kettle", "outlet").values()
    assert edge == {"relation": "connected", "kind": "mains"}


@pytest.mark.parametrize("agents", [(ADA,), (ADA, BOB)], ids=["alone", "team"])
def test_arrays_kept_up_to_date_are_those_written_anew(agents):
    layout = GraphLayout(16, ("temperature_c", "content_l"), ("is_boiling", "is_on"), links=True)
    kept = GraphRows.empty(layout)
    episode = earsim.Episode(earsim.Engine(scenario(*agents)))
    rank, column = episode.engine.blueprint.rank, layout.column
    for command in (*BOILS, "WAIT 60", "GOTO tap", "DISCONNECT kettle outlet", "RELEASE kettle",
                    "GRAB wipe", "CLEAN pan", "GOTO hall", "WAIT 60"):  # fmt: skip
        episode.step({"ada": command})
        kept.write(episode.world, "ada")
        anew = GraphRows.empty(layout)
        anew.write(episode.world, "ada")
        nodes, _ = graph_of(episode)
        for name, array in kept.arrays.items():
            np.testing.assert_array_equal(array, anew.arrays[name], command)
        if "kettle" in nodes:
            row, numbers = kept.arrays["nodes"][rank["kettle"]], nodes["kettle"]["numbers"]
            told = numbers.get("temperature_c", 0.0)
            assert row[column["number:temperature_c"]] == np.float32(signed_log(told)), command
    assert kept.arrays["mask"][rank["wipe"]] == 0
    assert kept.arrays["edges"].shape == (len(LINKED_RELATIONS), 16, 16)


def test_links_have_a_layer_of_their_own_where_they_are_asked_for():
    env = GraphArrays(
        gym.make("OmniEAR-v0", scenario=scenario(), observation="graph"), 16, links=True
    )
    env.reset()
    for command in BOILS:
        arrays = env.step(command)[0]
    layer = arrays["edges"][LINKED_RELATIONS.index("connected")]
    kettle, outlet = env.ids.index("kettle"), env.ids.index("outlet")
    assert layer.nonzero()[0].tolist() == sorted((kettle, outlet))
    assert layer[kettle, outlet] == layer[outlet, kettle] == 1
    assert arrays in env.observation_space


def test_deltas_tell_of_numbers_while_they_change():
    episode = boiling()
    episode.changes("ada")
    episode.step({"ada": "TURN_OFF kettle"})
    episode.changes("ada")
    episode.step({"ada": "WAIT 600"})
    (line,) = [each for each in episode.changes("ada").splitlines() if "(kettle" in each]
    assert line.startswith("+ ")
    assert f"temperature {graph_of(episode)[0]['kettle']['numbers']['temperature_c']} °C" in line
    episode.step({"ada": "GOTO hall"})
    assert "out of sight" not in episode.changes("ada")


def test_admissible_commands_as_numbers_hold_the_waits():
    env = DiscreteActions(gym.make("OmniEAR-v0", scenario=scenario()), 64)
    _, info = env.reset()
    for command in BOILS[:4]:
        admissible = env.unwrapped.episode.admissible("ada")
        assert info["action_mask"].sum() == len(admissible)
        *_, info = env.step(admissible.index(command))
    listed = env.unwrapped.episode.admissible("ada")
    assert {"WAIT 10", "WAIT 600", "WAIT UNTIL kettle is_boiling"} <= set(listed)
    *_, info = env.step(listed.index("WAIT 60"))
    assert info["elapsed_s"] == 60


@pytest.mark.parametrize("via", ["snapshot", "fork", "pickle"])
def test_an_episode_goes_on_in_the_middle_of_a_boil(via):
    episode = boiling()
    then = ("WAIT 60", "GOTO tap", "WAIT 10", "TURN_OFF kettle", "WAIT 600")

    def told(played):
        found = []
        for command in then:
            played.step({"ada": command})
            found.append((earsim.digest(played.world), played.full("ada"), played.noticed("ada")))
        return found

    if via == "snapshot":
        moment = pickle.loads(pickle.dumps(episode.snapshot()))
        expected = told(episode)
        episode.restore(moment)
        assert told(episode) == expected
    else:
        other = episode.fork() if via == "fork" else pickle.loads(pickle.dumps(episode))
        assert told(other) == told(episode)


def test_what_changes_by_itself_is_told_to_those_who_see_it():
    episode = earsim.Episode(earsim.Engine(scenario(ADA, BOB, knowledge="own")))
    for command in BOILS[:-2]:
        episode.step({"ada": command})
    episode.step({"ada": "WAIT 600", "bob": "WAIT 600"})
    assert "kettle: is_boiling changes to true (at 3" in episode.noticed("ada")
    assert "is_boiling" not in episode.noticed("bob")


def test_what_was_waited_for_is_told_once():
    episode = boiling()
    assert "is_boiling has come" in episode.feedback("ada")
    assert episode.noticed("ada") == ""
