"""What PettingZoo asks of a parallel environment, asked by PettingZoo's own tests."""

import json
import subprocess
import sys

import pytest

import earsim
from earsim.errors import NotReset
from tests.playing import SINGLE, TEAM

pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")

from pettingzoo.test import parallel_api_test, parallel_seed_test

FORMS = ("full", "delta", "graph")


@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scenario", [TEAM[1], SINGLE[0]])
def test_pettingzoo_has_no_objection(scenario, form, ruleset):
    kwargs = {"scenario": scenario, "observation": form, "ruleset": ruleset}
    parallel_api_test(earsim.parallel_env(**kwargs), num_cycles=60)
    parallel_seed_test(lambda: earsim.parallel_env(**kwargs), num_cycles=60)


def test_it_has_a_name_and_render_modes():
    env = earsim.parallel_env(TEAM[0], render_mode="ansi")
    assert str(env) == env.metadata["name"] == "omniear_v0"
    assert env.metadata["render_modes"] == ["ansi", "human", "rgb_array"]
    env.reset()
    assert "Henk (henk, agent)" in env.render()
    env.close()
    env.close()


def test_all_agents_leave_together():
    env = earsim.parallel_env(TEAM[0])
    assert env.agents == []
    assert env.possible_agents == ["henk", "oda"]
    env.reset()
    assert env.agents == env.possible_agents
    env.step({"henk": "DONE", "oda": "LOOK"})
    assert env.agents == env.possible_agents
    *_, terminated, truncated, infos = env.step({"henk": "DONE", "oda": "DONE"})
    assert (terminated, truncated) == ({"henk": True, "oda": True}, {"henk": False, "oda": False})
    assert set(infos) == {"henk", "oda"}
    assert env.agents == []
    assert env.step({}) == ({}, {}, {}, {}, {})
    env.reset()
    assert env.agents == env.possible_agents


def test_the_budget_truncates_for_all():
    env = earsim.parallel_env(TEAM[0], budget=1)
    env.reset()
    _, _, terminated, truncated, _ = env.step({})
    assert (terminated, truncated) == ({"henk": False, "oda": False}, {"henk": True, "oda": True})
    assert env.agents == []


def test_the_reward_is_shared():
    env = earsim.parallel_env(TEAM[0], ruleset="physical")
    env.reset()
    scenario = earsim.open_suite("starter").load(TEAM[0])
    total = {"henk": 0.0, "oda": 0.0}
    done = {"henk": "DONE", "oda": "DONE"}
    for commands in (*scenario.task.walkthrough, done):
        rewards = env.step(commands)[1]
        total = {agent: total[agent] + rewards.get(agent, 0.0) for agent in total}
    assert total == {"henk": 1.0, "oda": 1.0}


def test_the_state_is_the_whole_world_and_changes_nothing():
    for ruleset in earsim.RULESETS:
        env = earsim.parallel_env(TEAM[0], ruleset=ruleset)
        env.reset()
        before = earsim.digest(env.episode.world)
        state = env.state()
        assert earsim.digest(env.episode.world) == before
        assert env.state_space.contains(state)
        assert json.loads(json.dumps(state)) == state
        assert [node["id"] for node in state["nodes"]] == list(env.episode.engine.blueprint.rank)


def test_going_back_brings_the_agents_back():
    env = earsim.parallel_env(TEAM[0])
    env.reset()
    moment = env.snapshot()
    env.step({"henk": "DONE", "oda": "DONE"})
    env.restore(moment)
    assert env.agents == env.possible_agents


def test_it_must_be_reset_first():
    env = earsim.parallel_env(TEAM[0])
    for use in (lambda: env.step({}), env.state, env.render, env.snapshot):
        with pytest.raises(NotReset):
            use()


_WITHOUT = """
import sys
sys.modules["pettingzoo"] = None
import earsim
try:
    earsim.parallel_env
except earsim.EarSimError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.slow
def test_without_pettingzoo_the_error_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", _WITHOUT], capture_output=True, text=True)
    assert done.stdout.startswith("MissingExtra"), done.stderr
    assert "pip install 'earsim[pettingzoo]'" in done.stdout


def test_importing_earsim_does_not_import_pettingzoo():
    script = "import sys, earsim; print('pettingzoo' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
