"""Going back and branching off: the same commands lead to the same worlds."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import get_args

import gymnasium as gym
import pytest
from pydantic import TypeAdapter

import earsim
from earsim import Engine, Episode, open_suite
from earsim.envs import SINGLE_ID, TEAM_ID
from earsim.envs.options import Observation
from earsim.errors import UsageError
from earsim.goals import compile_goal
from earsim.goals.tree import PREDICATES
from earsim.schema import Goal
from tests.playing import SINGLE, TEAM, any_commands

ENVS = [(SINGLE_ID, SINGLE[0]), (TEAM_ID, TEAM[0])]


def follow(env, script) -> list[tuple]:
    """Everything that comes of a script, the digest of the world included."""
    episode = env.episode
    told = []
    for commands in script:
        team = isinstance(env, earsim.envs.OmniEARTeamEnv)
        result = env.step(commands if team else next(iter(commands.values())))
        told.append((result, earsim.digest(episode.world)))
    return told


def prepared(env_id, scenario, ruleset, seed, observation="full"):
    settings = {"ruleset": ruleset, "reward": "progress", "observation": observation}
    env = gym.make(env_id, scenario=scenario, **settings).unwrapped
    env.reset()
    rng = Random(seed)
    for _ in range(25):
        follow(env, [any_commands(rng, env.episode)])
    twin = env.fork()
    script = []
    for _ in range(25):
        script.append(any_commands(rng, twin))
        twin.step(script[-1])
    return env, script, earsim.digest(twin.world)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize(("env_id", "scenario"), ENVS)
@pytest.mark.parametrize("observation", get_args(Observation))
@pytest.mark.parametrize("seed", range(3))
def test_what_follows_a_snapshot_follows_its_restoration(
    env_id, scenario, ruleset, seed, observation
):
    env, script, end = prepared(env_id, scenario, ruleset, seed, observation)
    moment = env.snapshot()
    first = follow(env, script)
    assert first[-1][1] == end
    for _ in range(2):
        env.restore(moment)
        assert follow(env, script) == first


@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize(("env_id", "scenario"), ENVS)
def test_a_fork_goes_its_own_way(env_id, scenario, ruleset):
    env, script, end = prepared(env_id, scenario, ruleset, 5)
    before = earsim.digest(env.episode.world)
    twin = env.fork()
    for commands in script:
        twin.step(commands)
    assert earsim.digest(twin.world) == end
    assert earsim.digest(env.episode.world) == before
    assert follow(env, script)[-1][1] == end


def test_a_snapshot_outlives_the_episode_it_was_taken_in():
    env, script, end = prepared(*ENVS[0], "physical", 2)
    moment = env.snapshot()
    env.reset()
    follow(env, script)
    env.restore(moment)
    assert follow(env, script)[-1][1] == end


def test_counters_and_verdicts_come_back_too():
    env = gym.make(SINGLE_ID, scenario=SINGLE[0], budget=9).unwrapped
    env.reset()
    moment = env.snapshot()
    env.step("DONE")
    assert env.episode.over
    env.restore(moment)
    episode = env.episode
    assert (episode.over, episode.decisions, episode.claimed_at) == (False, 0, None)
    assert episode.feedback(episode.agents[0]) == ""


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize("observation", get_args(Observation))
@pytest.mark.parametrize(("env_id", "scenario"), ENVS)
def test_a_pickled_environment_goes_on_where_it_stood(env_id, scenario, ruleset, observation):
    env, script, end = prepared(env_id, scenario, ruleset, 4, observation)
    twin = pickle.loads(pickle.dumps(env))
    followed = follow(env, script)
    assert follow(twin, script) == followed
    assert followed[-1][1] == end


def test_episodes_engines_and_snapshots_can_be_pickled():
    env, script, end = prepared(*ENVS[1], "physical", 6)
    for thing in (env.fork(), env.episode.engine, env.snapshot(), env.episode.verdict):
        assert type(pickle.loads(pickle.dumps(thing))) is type(thing)
    moment = pickle.loads(pickle.dumps(env.snapshot()))
    env.reset()
    env.restore(moment)
    assert follow(env, script)[-1][1] == end


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["starter", "time", "laboratory"])
def test_an_episode_of_every_scenario_can_be_pickled(suite):
    scenarios = open_suite(suite)
    for scenario_id in scenarios.ids:
        episode = Episode(Engine(scenarios.load(scenario_id)))
        episode.step({episode.agents[0]: "EXPLORE"})
        twin = pickle.loads(pickle.dumps(episode))
        assert earsim.digest(twin.world) == earsim.digest(episode.world)
        assert twin.admissible(twin.agents[0]) == episode.admissible(episode.agents[0])


def test_a_pettingzoo_environment_can_be_pickled():
    env = earsim.parallel_env(scenario=TEAM[0])
    env.reset()
    wait = dict.fromkeys(env.agents, "WAIT")
    env.step(wait)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.step(wait)[:4] == env.step(wait)[:4]


def digest_after(env, script):
    follow(env, script)
    return earsim.digest(env.episode.world)


@pytest.mark.slow
def test_a_spawned_process_goes_on_with_an_environment():
    env, script, end = prepared(*ENVS[0], "physical", 7)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert pool.submit(digest_after, env, script).result() == end


def test_a_goal_of_every_kind_can_be_pickled():
    facts = {
        "at": {"object": "box", "in": "hall"},
        "inside_room": {"object": "box", "room": "hall"},
        "has_state": {"object": "box", "state": "is_open"},
        "quantity": {"object": "box", "of": "mass_kg", "at_least": 1},
        "held_by": {"object": "box", "agent": "ann"},
        "done_jointly": {"object": "box", "state": "is_open"},
        "measured": {"apparatus": "rig", "result": "error", "at_most": 0.1},
        "operation": {"apparatus": "rig"},
        "spent": {"account": "runs", "at_most": 3},
        "submitted": {"name": "answer", "equals": 1},
        "performed": {"apparatus": "bench", "protocol": [{"action": "spin"}]},
    }
    assert set(facts) == set(PREDICATES)
    leaves = [{key: fact} for key, fact in facts.items()]
    tree = {"all": [{"any": leaves}, {"not": leaves[0]}, *leaves]}
    goal = compile_goal(TypeAdapter(Goal).validate_python(tree), {})
    assert len(pickle.loads(pickle.dumps(goal)).parts) == len(goal.parts)


def test_a_snapshot_of_another_scenario_is_refused():
    env = gym.make(SINGLE_ID).unwrapped
    env.reset(options={"scenario": SINGLE[0]})
    moment = env.snapshot()
    env.reset(options={"scenario": SINGLE[1]})
    with pytest.raises(UsageError, match=SINGLE[0]):
        env.restore(moment)
