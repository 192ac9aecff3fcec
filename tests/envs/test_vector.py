"""Vector environments tell what each environment tells alone, whatever carries it."""

import copy
import json
import multiprocessing
from random import Random

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector.utils import (
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)

import earsim
from earsim.envs import SINGLE_ID, TEAM_ID, DiscreteActions, GraphArrays, split_infos
from earsim.envs.spaces import MAX_BYTES, GraphSpace, TextSpace
from tests.playing import SINGLE

COMMANDS = ("EXPLORE", "LOOK", "DONE", "GOTO switch_room", "GRAB \N{SNOWMAN}", "", "x" * 4096)

MODES = {
    "default": {},
    "sync": {"vectorization_mode": "sync"},
    "async": {"vectorization_mode": "async"},
    "async-fork": {"vectorization_mode": "async", "vector_kwargs": {"context": "fork"}},
    "async-spawn": {"vectorization_mode": "async", "vector_kwargs": {"context": "spawn"}},
    "async-pipes": {"vectorization_mode": "async", "vector_kwargs": {"shared_memory": False}},
}


# What is spawned imports everything again: in the fast set graphs alone are.
TEXT_MODES = [
    pytest.param(
        kwargs, id=mode, marks=pytest.mark.slow if mode in ("async-spawn", "async-fork") else ()
    )
    for mode, kwargs in MODES.items()
]


def wide_scenario(length: int) -> dict:
    """A scenario whose instruction has many characters of several bytes."""
    raw = json.loads(earsim.open_suite("starter").load(SINGLE[0]).model_dump_json(by_alias=True))
    raw["task"]["instruction"] = "25 °C, 3 m², \N{GRINNING FACE} 日本語 " * length
    return raw


class Alone:
    """One environment that is reset like those of a vector: in the step after its episode ended."""

    def __init__(self, env: gym.Env, seed: int) -> None:
        self.env = env
        self.told = env.reset(seed=seed)
        self.ended = False

    def step(self, command) -> None:
        if self.ended:
            self.told = self.env.reset()
            self.reward, self.ended = 0.0, False
            return
        observation, self.reward, terminated, truncated, info = self.env.step(command)
        self.told = (observation, info)
        self.ended = terminated or truncated


def compare(vector: gym.vector.VectorEnv, alone: list[Alone], commands_of, seed: int) -> None:
    rng = Random(seed)
    count = vector.num_envs
    observations, infos = vector.reset(seed=seed)
    for step in range(50):
        assert_same(observations, infos, alone)
        assert vector.observation_space.contains(observations)
        commands = [commands_of(rng, step) for _ in range(count)]
        for env, command in zip(alone, commands, strict=True):
            env.step(command)
        observations, rewards, terminated, truncated, infos = vector.step(batch(commands))
        assert list(rewards) == [env.reward for env in alone]
        assert list(terminated | truncated) == [env.ended for env in alone]
    vector.close()


def batch(commands):
    if isinstance(commands[0], dict):
        return {agent: tuple(c[agent] for c in commands) for agent in commands[0]}
    return tuple(commands)


def assert_same(observations, infos, alone: list[Alone]) -> None:
    split = split_infos(infos, len(alone))
    for index, env in enumerate(alone):
        observation, info = env.told
        if isinstance(observation, dict) and not isinstance(observations, tuple):
            assert {key: part[index] for key, part in observations.items()} == observation
        else:
            assert observations[index] == observation
        assert split[index] == info


@pytest.mark.slow
@pytest.mark.parametrize("mode", TEXT_MODES)
def test_one_agent(mode):
    kwargs = {"ruleset": "ear-bench", "admissible_commands": True, "budget": 20}
    vector = gym.make_vec(SINGLE_ID, num_envs=3, **mode, **kwargs)
    alone = [Alone(gym.make(SINGLE_ID, **kwargs), 5 + i) for i in range(3)]
    compare(vector, alone, lambda rng, step: rng.choice(COMMANDS), 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "mode"),
    [
        ("delta", "default"),
        ("delta", "async"),
        pytest.param("delta", "async-spawn", marks=pytest.mark.slow),
        ("graph", "default"),
        ("graph", "async"),
        ("graph", "async-spawn"),
    ],
)
def test_other_forms(form, mode):
    kwargs = {"observation": form, "budget": 20}
    vector = gym.make_vec(SINGLE_ID, num_envs=2, **MODES[mode], **kwargs)
    alone = [Alone(gym.make(SINGLE_ID, **kwargs), 1 + i) for i in range(2)]
    compare(vector, alone, lambda rng, step: rng.choice(COMMANDS), 1)


@pytest.mark.slow
@pytest.mark.parametrize("mode", TEXT_MODES)
def test_a_team(mode):
    kwargs = {"agents": ["henk", "oda"], "admissible_commands": True, "budget": 20}
    vector = gym.make_vec(TEAM_ID, num_envs=2, **mode, **kwargs)
    alone = [Alone(gym.make(TEAM_ID, **kwargs), 5 + i) for i in range(2)]
    compare(
        vector,
        alone,
        lambda rng, step: {"henk": rng.choice(COMMANDS), "oda": rng.choice(COMMANDS)},
        5,
    )


@pytest.mark.parametrize("mode", TEXT_MODES)
def test_long_text_beyond_ascii_and_shorter_text_after_it(mode):
    kwargs = {"scenario": wide_scenario(500), "observation": "delta", "budget": 7}
    vector = gym.make_vec(SINGLE_ID, num_envs=2, **mode, **kwargs)
    alone = [Alone(gym.make(SINGLE_ID, **kwargs), 0) for _ in range(2)]
    assert len(alone[0].told[0].encode()) > 15_000
    compare(vector, alone, lambda rng, step: rng.choice(COMMANDS), 0)


def wrapped_transcript(mode: str) -> list[dict]:
    """All arrays of a vector of wrapped environments over two episodes of random choices."""
    vector = gym.make_vec(
        SINGLE_ID,
        num_envs=2,
        wrappers=[GraphArrays, DiscreteActions],
        observation="graph",
        scenario=SINGLE[0],
        budget=9,
        **MODES[mode],
    )
    observations, infos = vector.reset(seed=3)
    rng = np.random.default_rng(0)
    told = []
    for _ in range(20):
        assert vector.observation_space.contains(observations)
        masks = np.array(vector.call("action_masks"))
        assert (masks == infos["action_mask"].astype(bool)).all()
        told.append({**observations, "masks": masks})
        actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
        observations, *_, infos = vector.step(np.array(actions))
    vector.close()
    return told


@pytest.mark.parametrize("mode", ["async", pytest.param("async-spawn", marks=pytest.mark.slow)])
def test_array_wrappers_vectorise(mode):
    for one, other in zip(wrapped_transcript("sync"), wrapped_transcript(mode), strict=True):
        assert all((one[key] == other[key]).all() for key in one)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_shared_memory_keeps_every_string(method):
    space = TextSpace()
    memory = create_shared_memory(space, n=3, ctx=multiprocessing.get_context(method))
    view = read_from_shared_memory(space, memory, n=3)
    assert list(view) == ["", "", ""]
    texts = ["x" * MAX_BYTES, "\ud800 lone", "", "日" * 1000, "\N{GRINNING FACE}\x00", "ab"]
    for text in texts:
        write_to_shared_memory(space, 1, text, memory)
        assert list(view) == ["", text, ""]
        assert copy.deepcopy(view) == ("", text, "")
    kept = copy.deepcopy(view)
    write_to_shared_memory(space, 1, "later", memory)
    assert kept[1] == "ab"
    assert (view[1], view[-2], view[1:]) == ("later", "later", ("later", ""))
    with pytest.raises(IndexError):
        view[3]


def test_shared_memory_keeps_graphs():
    space = GraphSpace()
    memory = create_shared_memory(space, n=1, ctx=multiprocessing.get_context("fork"))
    view = read_from_shared_memory(space, memory, n=1)
    assert list(view) == [{"nodes": [], "edges": []}]
    graph = {"nodes": [{"id": "ä", "numbers": {"mass_kg": 1.5}}], "edges": []}
    write_to_shared_memory(space, 0, graph, memory)
    assert list(view) == [graph]


def test_an_observation_that_is_too_large_says_what_to_do():
    space = TextSpace()
    memory = create_shared_memory(space, n=1, ctx=multiprocessing.get_context("fork"))
    with pytest.raises(ValueError, match="shared_memory=False"):
        write_to_shared_memory(space, 0, "x" * (MAX_BYTES + 1), memory)


def test_infos_come_apart_where_only_some_environments_tell_something():
    infos = {
        "won": np.array([True, False]),
        "_won": np.array([True, True]),
        "budget": np.array([7, 0]),
        "_budget": np.array([True, False]),
        "agents": {"_a": np.array(["x", None], dtype=object), "__a": np.array([True, False])},
        "_agents": np.array([True, False]),
    }
    first, second = split_infos(infos, 2)
    assert first == {"won": True, "budget": 7, "agents": {"_a": "x"}}
    assert second == {"won": False}
    assert type(first["won"]) is bool
    assert type(first["budget"]) is int


def test_final_infos_come_apart_too():
    vector = gym.make_vec(SINGLE_ID, num_envs=2, autoreset_mode="SameStep", scenario=SINGLE[0])
    vector.reset()
    *_, infos = vector.step(("DONE", "LOOK"))
    first, second = split_infos(infos, 2)
    assert first["final_info"]["last_outcome"].verb == "DONE"
    assert first["moves"] == 0
    assert "final_info" not in second
    assert second["moves"] == 1
