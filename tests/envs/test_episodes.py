"""Rewards, ends and budgets."""

import gymnasium as gym
import pytest

import earsim
from earsim.envs import SINGLE_ID, TEAM_ID
from tests.playing import SINGLE, TEAM

TASK = "cold_store/logger_to_the_freezer"
"""A task of one part: the temperature logger belongs in the freezer room."""


def single(**kwargs):
    kwargs = {"scenario": TASK, "ruleset": "ear-bench", **kwargs}
    env = gym.make(SINGLE_ID, **kwargs)
    env.reset()
    return env


def run(env, commands):
    return [env.step(command)[1:] for command in commands]


@pytest.fixture(params=list(earsim.RULESETS))
def ruleset(request):
    return request.param


def walkthrough_of(env):
    """The plan of the scenario file up to where the goal holds."""
    plan = env.unwrapped.episode.engine.scenario.task.walkthrough
    return [command for command in plan if command != "DONE"]


def test_sparse_pays_once_when_a_solved_episode_ends():
    env = single(ruleset="physical")
    results = run(env, walkthrough_of(env))
    assert all(reward == 0 for reward, *_ in results)
    assert results[-1][-1]["won"]
    reward, terminated, truncated, info = env.step("DONE")[1:]
    assert (reward, terminated, truncated, info["won"]) == (1.0, True, False, True)


def test_sparse_pays_nothing_for_a_false_claim(ruleset):
    reward, terminated, _, info = single(ruleset=ruleset).step("DONE")[1:]
    assert (reward, terminated, info["won"]) == (0.0, True, False)


def test_nothing_is_paid_after_the_end():
    env = single(ruleset="physical")
    run(env, [*walkthrough_of(env), "DONE"])
    assert [env.step(command)[1] for command in ("DONE", "LOOK", "")] == [0, 0, 0]


@pytest.mark.parametrize(
    "scenario", [TASK, SINGLE[0], SINGLE[1], "home_before_winter/softest_tyre"]
)
def test_progress_sums_to_the_share_that_was_gained(scenario):
    env = single(scenario=scenario, ruleset="physical", reward="progress")
    episode = env.unwrapped.episode
    before = episode.score / episode.max_score
    results = run(env, [*walkthrough_of(env), "DONE"])
    assert sum(reward for reward, *_ in results) == pytest.approx(1.0 - before)
    assert episode.score == episode.max_score


def test_progress_takes_back_what_is_undone():
    env = single(ruleset="physical", reward="progress", scenario=TASK)
    rewards = [reward for reward, *_ in run(env, walkthrough_of(env))]
    assert rewards[-1] == 1.0
    back = run(env, ["GOTO logger", "GRAB logger", "GOTO chill_room"])
    assert sum(reward for reward, *_ in back) == -1.0


def test_an_episode_may_end_with_the_goal():
    env = single(ruleset="physical", end_on="goal")
    results = run(env, walkthrough_of(env))
    assert [terminated for _, terminated, *_ in results[:-1]] == [False] * (len(results) - 1)
    assert results[-1][:3] == (1.0, True, False)


def test_it_otherwise_ends_with_the_claim_only():
    env = single(ruleset="physical")
    assert not any(terminated for _, terminated, *_ in run(env, walkthrough_of(env)))


def test_the_budget_truncates(ruleset):
    env = single(ruleset=ruleset, budget=3)
    ends = [(terminated, truncated) for _, terminated, truncated, _ in run(env, ["LOOK"] * 3)]
    assert ends == [(False, False), (False, False), (False, True)]


def test_a_claim_with_the_last_decision_terminates(ruleset):
    _, terminated, truncated, _ = run(single(ruleset=ruleset, budget=2), ["LOOK", "DONE"])[-1]
    assert (terminated, truncated) == (True, False)


def test_sparse_pays_a_latched_success_when_the_budget_runs_out():
    env = single(ruleset="physical")
    plan = walkthrough_of(env)
    env = single(ruleset="physical", budget=len(plan))
    assert run(env, plan)[-1][:3] == (1.0, False, True)


def test_the_budget_is_that_of_the_task_unless_one_is_given():
    scenario = earsim.open_suite("starter").load(TASK)
    assert single().reset()[1]["budget"] == scenario.task.budget
    assert single(budget=7).reset()[1]["budget"] == 7


def test_full_observability_shows_everything_at_once(ruleset):
    env = single(ruleset=ruleset, observability="full")
    text, _ = env.reset()
    blueprint = env.unwrapped.episode.engine.blueprint
    assert all(f"({node}, " in text for node in blueprint.things)
    partial, _ = single(ruleset=ruleset).reset()
    assert not any(f"({node}, " in partial for node in blueprint.things)


def test_a_team_ends_when_all_have_said_so(ruleset):
    env = gym.make(TEAM_ID, scenario=TEAM[0], ruleset=ruleset)
    env.reset()
    look = {"henk": "LOOK", "oda": "LOOK"}
    assert not env.step({**look, "henk": "DONE"})[2]
    assert env.step({"henk": "DONE", "oda": "DONE"})[2]


def test_reset_tells_what_stays_the_same():
    scenario = earsim.open_suite("starter").load(TASK)
    _, info = single().reset()
    assert info["scenario_id"] == TASK
    assert info["scenario_hash"] == scenario.hash
    assert info["ruleset"] == "ear-bench/1"
    assert info["category"] == "direct_command"
    assert info["instruction"] in single().reset()[0]
    assert (info["won"], info["score"], info["max_score"], info["moves"]) == (False, 0, 1, 0)


def test_step_tells_the_typed_outcome():
    *_, info = single().step("GRAB moon")
    outcome = info["last_outcome"]
    assert (outcome.verb, outcome.reason) == ("GRAB", earsim.Reason.NO_SUCH_OBJECT)
    assert info["moves"] == 1
