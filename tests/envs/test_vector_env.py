"""The vector environment of `make_vec` tells what Gymnasium's own tells, in batches and workers."""

import os
import signal
from random import Random

import gymnasium as gym
import numpy as np
import pytest

from earsim.envs import SINGLE_ID, TEAM_ID, DiscreteActions, GraphArrays, OmniEARVectorEnv
from earsim.envs.vector_workers import OmniEARVectorWorkers
from earsim.errors import NotReset, UnknownName, UsageError
from earsim.worker import WorkerDied
from tests.playing import SINGLE

COMMANDS = ("EXPLORE", "LOOK", "DONE", "GOTO switch_room", "GRAB \N{SNOWMAN}", "", "x" * 4096)
TEAM = {"agents": ["henk", "oda"], "budget": 20}


def gymnasiums_own(env_id, num_envs, *, mode="NextStep", wrappers=(), **kwargs):
    return gym.make_vec(
        env_id,
        num_envs=num_envs,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        wrappers=wrappers,
        disable_env_checker=True,
        **kwargs,
    )


def assert_equal(one, other) -> None:
    """Nested results of a vector environment: same keys, types, values."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_equal(one[key], other[key])
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        if one.dtype == object:
            assert_equal(list(one), list(other))
        else:
            assert (one == other).all()
    elif isinstance(one, list | tuple) and any(isinstance(v, dict | np.ndarray) for v in one):
        for mine, theirs in zip(one, other, strict=True):
            assert_equal(mine, theirs)
    else:
        assert one == other


def play_both(ours, theirs, commands_of, *, steps=60, seed=5) -> None:
    rng = Random(seed)
    assert_equal(ours.reset(seed=seed), theirs.reset(seed=seed))
    ends = 0
    for _ in range(steps):
        commands = commands_of(rng, theirs)
        one, other = ours.step(commands), theirs.step(commands)
        assert_equal(one, other)
        ends += int((one[2] | one[3]).sum())
        if theirs.metadata["autoreset_mode"].value == "Disabled" and (one[2] | one[3]).any():
            mask = one[2] | one[3]
            told = [env.reset(options={"reset_mask": mask.copy()}) for env in (ours, theirs)]
            assert_equal(*told)
    assert ends
    ours.close()
    theirs.close()


def any_commands(rng, env):
    return tuple(rng.choice(COMMANDS) for _ in range(env.num_envs))


def team_commands(rng, env):
    return {agent: any_commands(rng, env) for agent in TEAM["agents"]}


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("form", ["full", "delta", "graph"])
def test_every_form_in_every_mode(form, mode):
    kwargs = {"observation": form, "budget": 20, "admissible_commands": True}
    ours = gym.make_vec(SINGLE_ID, num_envs=3, autoreset_mode=mode, **kwargs)
    assert isinstance(ours, OmniEARVectorEnv)
    play_both(ours, gymnasiums_own(SINGLE_ID, 3, mode=mode, **kwargs), any_commands)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_team(mode):
    ours = gym.make_vec(TEAM_ID, num_envs=2, autoreset_mode=mode, **TEAM)
    assert isinstance(ours, OmniEARVectorEnv)
    play_both(ours, gymnasiums_own(TEAM_ID, 2, mode=mode, **TEAM), team_commands)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "mode"),
    [
        (0, "NextStep"),
        (0, "SameStep"),
        (2, "SameStep"),
        pytest.param(2, "NextStep", marks=pytest.mark.slow),
    ],
)
def test_stacked_arrays_and_numbers_are_those_of_the_wrappers(workers, mode):
    kwargs = {"observation": "graph", "budget": 9, "scenario": SINGLE[0]}
    ours = gym.make_vec(
        SINGLE_ID,
        num_envs=3,
        workers=workers,
        autoreset_mode=mode,
        max_nodes=64,
        max_actions=40,
        numbers=("mass_kg",),
        **kwargs,
    )
    theirs = gymnasiums_own(
        SINGLE_ID,
        3,
        mode=mode,
        wrappers=[
            lambda env: GraphArrays(env, max_nodes=64, numbers=("mass_kg",)),
            lambda env: DiscreteActions(env, max_actions=40),
        ],
        **kwargs,
    )
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    play_both(ours, theirs, lambda rng, env: np.array([rng.randrange(45) for _ in range(3)]))


@pytest.mark.slow
@pytest.mark.parametrize("copy", [pytest.param(True, marks=pytest.mark.slow), False])
def test_workers_tell_what_one_process_tells(copy):
    kwargs = {"budget": 12, "admissible_commands": True, "suite": "starter"}
    ours = gym.make_vec(SINGLE_ID, num_envs=5, workers=2, copy=copy, **kwargs)
    assert isinstance(ours, OmniEARVectorWorkers)
    theirs = gymnasiums_own(SINGLE_ID, 5, **kwargs)
    rng = Random(1)
    for _ in range(2):
        observations, infos = ours.reset(seed=3)
        expected, their_infos = theirs.reset(seed=3)
        assert tuple(observations) == expected
        assert_equal(infos, their_infos)
        for _ in range(25):
            commands = any_commands(rng, theirs)
            observations, *told = ours.step(commands)
            expected, *their_told = theirs.step(commands)
            assert observations[2] == expected[2]
            assert tuple(observations) == expected
            assert_equal(told, their_told)
    assert ours.get_attr("render_mode") == (None,) * 5
    ours.close()
    theirs.close()


@pytest.mark.slow
def test_a_team_in_workers():
    ours = gym.make_vec(TEAM_ID, num_envs=3, workers=2, **TEAM)
    play_both(ours, gymnasiums_own(TEAM_ID, 3, **TEAM), team_commands, steps=25)


@pytest.mark.slow
def test_a_worker_that_dies_is_an_error_and_no_silence():
    env = gym.make_vec(SINGLE_ID, num_envs=2, workers=2, scenario=SINGLE[0])
    env.reset()
    os.kill(env._workers[1].process.pid, signal.SIGKILL)
    for _ in range(2):
        with pytest.raises(WorkerDied):
            env.step(("LOOK", "LOOK"))
    env.close()


@pytest.mark.slow
def test_replies_never_answer_another_question():
    env = gym.make_vec(SINGLE_ID, num_envs=2, workers=2, scenario=SINGLE[0])
    env.reset()
    env.step_async(("EXPLORE", "LOOK"))
    for other in (
        lambda: env.step_async(("LOOK", "LOOK")),
        env.reset,
        lambda: env.call("render_mode"),
        lambda: env.set_attr("render_mode", None),
    ):
        with pytest.raises(UsageError, match="step_wait"):
            other()
    *_, infos = env.step_wait()
    assert [outcome.verb for outcome in infos["last_outcome"]] == ["EXPLORE", "LOOK"]
    env.set_attr("render_mode", ["ansi", None])
    assert env.get_attr("render_mode") == ("ansi", None)
    with pytest.raises(UsageError, match="1 values for 2"):
        env.set_attr("render_mode", ["ansi"])
    env.close()
    with pytest.raises(UsageError, match="closed"):
        env.step(("LOOK", "LOOK"))


def test_views_are_built_when_they_are_looked_at():
    env = gym.make_vec(SINGLE_ID, num_envs=3, copy=False, scenario=SINGLE[0])
    observations, _ = env.reset()
    assert len(observations) == 3
    assert observations[-1] == observations[0] == env.envs[1].look()
    before = observations[0]
    told, *_ = env.step(("EXPLORE", "LOOK", "LOOK"))
    assert told[0] != before
    assert told[1:] == (env.envs[1].look(), env.envs[2].look())
    assert list(told) == [told[0], told[1], told[2]]
    assert observations[0] == before
    with pytest.raises(IndexError):
        told[3]
    _, stacked = (
        gym.make_vec(
            SINGLE_ID, num_envs=2, scenario=SINGLE[0], observation="graph", max_nodes=64, copy=copy
        )
        for copy in (True, False)
    )
    first, _ = stacked.reset()
    second, *_ = stacked.step(("EXPLORE", "LOOK"))
    assert second["nodes"] is first["nodes"]


def test_scenarios_for_each_and_resetting_some():
    env = gym.make_vec(SINGLE_ID, num_envs=2)
    ids = env.envs[0].source.ids
    _, infos = env.reset(options={"scenario": ids[:2]})
    assert list(infos["scenario_id"]) == list(ids[:2])
    env.step(("EXPLORE", "EXPLORE"))
    _, infos = env.reset(options={"scenario": ids[3], "reset_mask": np.array([False, True])})
    assert list(infos["_scenario_id"]) == [False, True]
    assert infos["scenario_id"][1] == ids[3]
    assert env.get_attr("episode")[0].decisions == 1


def test_environments_of_a_batch_share_what_never_changes():
    env = gym.make_vec(SINGLE_ID, num_envs=4, scenario=SINGLE[0])
    env.reset()
    assert len({id(one.episode.engine) for one in env.envs}) == 1
    assert len({id(one.episode.world) for one in env.envs}) == 4
    assert len({id(one.np_random) for one in env.envs}) == 4


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_misuse_is_told_in_one_sentence(workers):
    env = gym.make_vec(
        SINGLE_ID, num_envs=2, scenario=SINGLE[0], workers=workers, autoreset_mode="Disabled"
    )
    with pytest.raises(NotReset):
        env.step(("LOOK", "LOOK"))
    env.reset()
    for wrong in ("LOOK", ("LOOK",), None, 7):
        with pytest.raises(UsageError, match="one action for each of 2 environments"):
            env.step(wrong)
    env.step(("LOOK", "DONE"))
    with pytest.raises(UsageError, match="environment 1 has ended"):
        env.step(("LOOK", "LOOK"))
    for mask in (np.array([True]), [1, 0], np.array([False, False])):
        with pytest.raises(UsageError, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(UsageError, match="3 seeds for 2 environments"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(UsageError, match="one for each of 2"):
        env.reset(options={"scenario": ["a", "b", "c"]})
    with pytest.raises(UsageError, match="expected a dictionary"):
        env.reset(options="x")
    with pytest.raises(UsageError, match="'scenaro' is unknown"):
        env.reset(options={"scenaro": "a"})
    for seed in ("a", 1.5):
        with pytest.raises(UsageError, match="seed="):
            env.reset(seed=seed)
    env.close()


@pytest.mark.parametrize(
    ("kwargs", "words"),
    [
        ({"autoreset_mode": "soon"}, "autoreset_mode='soon': choose one of NextStep"),
        ({"num_envs": 0}, "num_envs=0"),
        ({"workers": -1}, "workers=-1"),
        ({"workers": "two"}, "workers='two'"),
        ({"max_nodes": 64}, 'needs observation="graph"'),
        ({"max_actions": 0}, "max_actions=0"),
        ({"budget": 0}, "budget=0"),
        ({"copy": "yes"}, "copy='yes'"),
        ({"observation": "graph", "max_nodes": "a"}, "max_nodes='a'"),
        ({"observation": "graph", "max_nodes": -1}, "max_nodes=-1"),
        ({"observation": "graph", "max_nodes": 9, "numbers": "mass_kg"}, "a list of names"),
    ],
)
def test_wrong_arguments(kwargs, words):
    with pytest.raises(UsageError, match=words):
        gym.make_vec(SINGLE_ID, **{"num_envs": 2, **kwargs})


@pytest.mark.slow
def test_an_unknown_scenario_is_told_by_workers():
    with pytest.raises(UnknownName):
        gym.make_vec(SINGLE_ID, num_envs=2, scenario="nowhere/nothing", workers=2)


def test_it_can_be_made_again_from_its_specification():
    env = gym.make_vec(SINGLE_ID, num_envs=2, scenario=SINGLE[0], max_actions=30)
    again = gym.make_vec(env.unwrapped.spec)
    assert again.num_envs == 2
    assert again.action_space == env.action_space


def test_gymnasiums_vector_wrappers_fit():
    env = gym.make_vec(SINGLE_ID, num_envs=2, scenario=SINGLE[0], budget=3)
    env = gym.wrappers.vector.RecordEpisodeStatistics(env)
    env.reset(seed=0)
    for _ in range(3):
        *_, infos = env.step(("LOOK", "LOOK"))
    assert list(infos["episode"]["l"]) == [3, 3]
