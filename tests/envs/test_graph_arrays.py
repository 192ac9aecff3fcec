import math
from random import Random

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import earsim
from earsim.envs import SINGLE_ID, TEAM_ID, GraphArrays
from earsim.envs.graph_rows import NUMBERS, RELATIONS, TYPES, signed_log
from earsim.errors import UsageError
from tests.playing import SINGLE, TEAM, likely_command


def made(**kwargs) -> GraphArrays:
    arrays = {key: kwargs.pop(key) for key in ("max_nodes", "numbers", "states") if key in kwargs}
    kwargs = {"scenario": SINGLE[0], "ruleset": "physical", "observation": "graph", **kwargs}
    return GraphArrays(gym.make(SINGLE_ID, **kwargs), **arrays)


def cell(env: GraphArrays, observation, node: str, column: str) -> float:
    return float(observation["nodes"][env.ids.index(node), env.columns.index(column)])


def edge(env: GraphArrays, observation, relation: str, source: str, target: str) -> bool:
    rows = env.ids.index(source), env.ids.index(target)
    return bool(observation["edges"][RELATIONS.index(relation)][rows])


def test_shapes_types_and_columns_are_as_documented():
    env = made(max_nodes=60, numbers=("mass_kg", "charge_percent"), states=("is_open",))
    observation, _ = env.reset()
    assert env.columns == (
        *(f"type:{name}" for name in TYPES),
        "is:me",
        "is:here",
        "is:held",
        "is:mine",
        "is:known",
        "is:container",
        "is:tool",
        "is:changed_together",
        "number:mass_kg",
        "number:charge_percent",
        "state:is_open",
    )
    assert observation["nodes"].shape == (60, len(env.columns))
    assert observation["nodes"].dtype == np.float32
    assert observation["edges"].shape == (len(RELATIONS), 60, 60)
    assert observation["edges"].dtype == observation["mask"].dtype == np.int8
    assert observation["mask"].shape == (60,)
    assert env.observation_space.contains(observation)


def test_rows_fill_as_things_are_discovered_and_stay_where_they_are():
    env = made()
    before, _ = env.reset()
    blueprint = env.unwrapped.episode.engine.blueprint
    assert env.ids == tuple(blueprint.ids())
    hidden = [row for row, node in enumerate(env.ids) if node in blueprint.things]
    assert not before["mask"][hidden].any()
    assert not before["nodes"][hidden].any()
    assert not before["edges"][:, hidden].any()
    after, *_ = env.step("EXPLORE")
    assert cell(env, after, "letter_box", "type:furniture") == 1
    assert (before["nodes"][before["mask"] == 1][:, : len(TYPES)].sum(axis=1) == 1).all()
    assert not after["mask"][len(env.ids) :].any()


def test_cells_say_what_the_scene_says():
    env = made(observability="full")
    observation, _ = env.reset()
    things = env.unwrapped.episode.engine.blueprint.things
    hidden = env.unwrapped.episode.engine.blueprint.hidden
    assert 0 < len(hidden) < len(things)
    for node, thing in things.items():
        mass = cell(env, observation, node, "number:mass_kg")
        told = 0.0 if node in hidden else thing.mass_kg  # else it has to be felt
        assert mass == pytest.approx(math.log1p(told), rel=1e-6)
        assert cell(env, observation, node, "is:container") == thing.is_container
        assert cell(env, observation, node, "is:tool") == bool(thing.provides)
        assert cell(env, observation, node, "is:me") == 0
    states = env.unwrapped.episode.world.states
    assert states["letter_box"] == {"is_open": False}
    assert cell(env, observation, "letter_box", "state:is_open") == -1
    assert cell(env, observation, "letter_box", "state:is_locked") == 0
    assert cell(env, observation, "cellar_door", "is:known") == 1
    assert cell(env, observation, "henk", "is:me") == 1
    assert edge(env, observation, "in", "henk", "entrance_hall")


def test_doors_not_looked_at_are_shown_as_unknown():
    env = made()
    observation, _ = env.reset()
    doors = list(env.unwrapped.episode.engine.blueprint.doors.values())
    here = env.unwrapped.episode.world.agents["henk"].room
    for door in doors:
        assert cell(env, observation, door.id, "type:door") == 1
        assert cell(env, observation, door.id, "is:known") == (here in door.between)
    assert len({here in door.between for door in doors}) == 2


def test_taking_something_moves_its_flags_and_edges():
    env = made()
    env.reset()
    observation = {}
    for command in ("EXPLORE", "GOTO letter_box", "OPEN letter_box", "GRAB cellar_key"):
        observation, *_, info = env.step(command)
        assert info["last_outcome"].accepted, info["last_outcome"]
    assert edge(env, observation, "held", "cellar_key", "henk")
    assert [cell(env, observation, "cellar_key", f"is:{f}") for f in ("held", "mine", "here")] == [
        1
    ] * 3
    assert cell(env, observation, "letter_box", "is:held") == 0
    assert cell(env, observation, "letter_box", "is:here") == 1
    assert cell(env, observation, "letter_box", "state:is_open") == 1
    observation, *_ = env.step("GOTO switch_room")
    assert cell(env, observation, "letter_box", "is:here") == 0
    assert cell(env, observation, "cellar_key", "is:here") == 1


@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize("scenario", [*SINGLE, *TEAM])
def test_every_edge_of_the_graph_is_there_and_no_other(scenario, ruleset):
    env = made(scenario=scenario, ruleset=ruleset)
    observation, _ = env.reset()
    graph_env = env.unwrapped
    rng = Random(2)
    for _ in range(40):
        graph = earsim.envs.observation.observe(
            graph_env.episode, env._bare.episode.agents[0], env.unwrapped.options
        )
        expected = {(e["relation"], e["source"], e["target"]) for e in graph["edges"]}
        found = {
            (RELATIONS[r], env.ids[i], env.ids[j])
            for r, i, j in np.argwhere(observation["edges"]).tolist()
        }
        assert found == {entry for entry in expected if entry[0] in RELATIONS}
        episode = graph_env.episode
        observation, *_ = env.step(likely_command(rng, episode, episode.agents[0]))


def told_by_the_graph(env: GraphArrays, graph) -> dict[str, np.ndarray]:
    """What the documentation of GraphArrays says of a graph, cell by cell."""
    row = {node: index for index, node in enumerate(env.ids)}
    column = {name: index for index, name in enumerate(env.columns)}
    nodes = np.zeros((env.max_nodes, len(env.columns)), np.float32)
    edges = np.zeros((len(RELATIONS), env.max_nodes, env.max_nodes), np.int8)
    mask = np.zeros(env.max_nodes, np.int8)
    for edge in graph["edges"]:
        if edge["relation"] in RELATIONS and edge["target"] in row:
            edges[RELATIONS.index(edge["relation"]), row[edge["source"]], row[edge["target"]]] = 1
    for node in graph["nodes"]:
        told = {**of_its_place(env, graph, node), **of_itself(node)}
        for name, value in told.items():
            if name in column:
                nodes[row[node["id"]], column[name]] = value
        mask[row[node["id"]]] = 1
    return {"nodes": nodes, "edges": edges, "mask": mask}


def of_its_place(env: GraphArrays, graph, node) -> dict[str, bool]:
    me = env.unwrapped.episode.agents[0]
    holder = {e["source"]: e["target"] for e in graph["edges"] if e["relation"] != "leads_to"}
    agents = {other["id"] for other in graph["nodes"] if other["type"] == "agent"}
    around = [node["id"]]
    while around[-1] in holder and holder[around[-1]] not in around:
        around.append(holder[around[-1]])
    return {
        "is:me": node["id"] == me,
        "is:here": me in around or holder.get(me) in around,
        "is:held": node["id"] not in agents and not agents.isdisjoint(around),
        "is:mine": node["id"] != me and me in around,
    }


def of_itself(node) -> dict[str, float]:
    told = {
        f"type:{node['type']}": 1,
        "is:known": node["type"] != "door" or bool(node["states"]),
        "is:container": node.get("container", False),
        "is:tool": bool(node.get("provides")),
        "is:changed_together": bool(node.get("changed_together")),
    }
    numbers = {**node.get("attributes", {}), **node.get("numbers", {})}
    for name, value in numbers.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            told[f"number:{name}"] = signed_log(value)
    for name, state in node.get("states", {}).items():
        if isinstance(state, bool):
            told[f"state:{name}"] = 1 if state else -1
    return told


@pytest.mark.slow
@pytest.mark.parametrize("observability", ["partial", "full"])
@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize("scenario", [*SINGLE, *TEAM])
def test_arrays_that_are_kept_up_to_date_are_those_of_the_graph(scenario, ruleset, observability):
    env = made(scenario=scenario, ruleset=ruleset, observability=observability)
    observation, _ = env.reset()
    bare = env.unwrapped
    rng = Random(3)
    kept = bare.snapshot()
    for number in range(80):
        graph = earsim.envs.observation.observe(bare.episode, bare.episode.agents[0], bare.options)
        expected = told_by_the_graph(env, graph)
        assert all((observation[name] == expected[name]).all() for name in expected)
        if number == 30:
            kept = bare.snapshot()
        if number == 60:
            bare.restore(kept)
        commands = {a: likely_command(rng, bare.episode, a) for a in bare.episode.agents}
        others = {a: c for a, c in commands.items() if a != bare.episode.agents[0]}
        if others and number % 2:
            bare.episode.step(others)  # what others do in between shows as well
        observation, *_ = env.step(commands[bare.episode.agents[0]])


def test_arrays_are_fresh_every_time():
    env = made()
    first, _ = env.reset()
    second, *_ = env.step("LOOK")
    assert all(not np.shares_memory(first[key], second[key]) for key in first)


def test_it_says_what_it_needs():
    with pytest.raises(UsageError, match='observation="graph"'):
        GraphArrays(gym.make(SINGLE_ID))
    with pytest.raises(UsageError, match="OmniEAR-v0"):
        GraphArrays(gym.make(TEAM_ID, observation="graph"))
    with pytest.raises(UsageError, match="max_nodes=5"):
        made(max_nodes=5).reset()


def test_it_can_be_made_again_from_its_specification():
    env = made(max_nodes=70)
    assert env.spec is not None
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e6, 1e6))
def test_signed_log_keeps_sign_and_order_within_its_range(large, small):
    assert -710 <= signed_log(large) <= 710
    assert signed_log(-large) == -signed_log(large)
    assert (large < small) <= (signed_log(large) <= signed_log(small))


def test_names_with_a_column_are_distinct():
    assert len(set(NUMBERS)) == len(NUMBERS)
