"""Design policies in a world: the same searches, with runs that have to be got ready and paid."""

import asyncio
import inspect

import pytest

from earsim import Engine, open_suite
from earsim.envs.policy import PolicyContext, observations_of
from earsim.episode import Episode
from earsim.errors import UsageError
from earsim.planner.laboratory.design_outcome import design_outcomes, reward
from earsim_agents.science.design.policies import (
    BayesPolicy,
    BrutePolicy,
    CaedPolicy,
    ScanPolicy,
)
from earsim_agents.science.design.proposer import propose
from earsim_agents.scripted_server.client import ScriptedClient


def played(policy, task):
    episode = Episode(Engine(open_suite("laboratory").load(task)), end_on="done", budget=60)
    policy.reset(PolicyContext.of(episode))
    while not (episode.over or episode.truncated):
        commands = policy.act(observations_of(episode))
        if inspect.iscoroutine(commands):
            commands = asyncio.run(commands)
        episode.step(dict(commands))
    return episode


def scripted(**options):
    return CaedPolicy(client=ScriptedClient(propose), model="scripted", **options)


def test_brute_doubles_until_the_goal_holds():
    policy = BrutePolicy()
    episode = played(policy, "heat_bay/good_to_a_percent")
    assert episode.success
    assert [tried["cells"] for tried in policy.memory["tried"]] == [8, 16, 32]
    [outcome] = design_outcomes(episode.engine, episode.world)
    assert (outcome.r0, outcome.rm, outcome.runs) == (1.0, 1.0, 3)
    assert reward((outcome,)) == 1.0


@pytest.mark.slow
def test_scan_makes_one_run_that_is_worth_the_stored_optimum():
    episode = played(ScanPolicy(), "heat_bay/fine_for_fifteen")
    assert episode.success
    [outcome] = design_outcomes(episode.engine, episode.world)
    assert outcome.runs == 1
    assert outcome.r0 == outcome.best > 7
    assert reward((outcome,)) == 2.0


def test_caed_asks_in_roles_before_it_pays_for_anything():
    policy = scripted(turns="multi")
    episode = played(policy, "heat_bay/the_true_flow")
    assert episode.success
    calls = policy.take_calls()
    assert {call.role for call in calls} == {"propose", "refine"}
    assert policy.memory["answers"].keys() == {"plate_bench"}


def test_what_a_surrogate_does_not_cover_ends_the_design_and_says_so():
    policy = scripted()
    episode = played(policy, "heat_bay/cure_the_old_bench")
    assert not episode.success
    assert "wall is plain" in policy.memory["ended"]
    assert policy.memory["tried"] == []


def test_a_run_beyond_a_limit_ends_the_search():
    policy = BrutePolicy()
    played(policy, "heat_bay/fine_for_fifteen")
    assert "That takes 22.3744 eur" in policy.memory["ended"]
    assert not any(tried["converged"] for tried in policy.memory["tried"])


def test_a_task_without_a_design_has_no_outcome():
    episode = played(BrutePolicy(), "heat_bay/pull_the_plug")
    assert episode.success
    assert design_outcomes(episode.engine, episode.world) == ()
    assert reward(()) == 0.0


@pytest.mark.slow
def test_bayes_runs_what_it_suggests():
    pytest.importorskip("bayes_opt")
    policy = BayesPolicy(turns="single")
    episode = played(policy, "heat_bay/good_to_a_percent")
    assert len(policy.memory["tried"]) == 1
    assert design_outcomes(episode.engine, episode.world)[0].runs == 1


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(UsageError, match="ratio, feasible_first"):
        BayesPolicy(objective="cost")
    with pytest.raises(UsageError, match="take turns=multi"):
        scripted(signal="truth")
