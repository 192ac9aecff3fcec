"""The policies `oracle` and `expert`: through every face, one for all, one each, or only asked."""

import subprocess
import sys

import gymnasium as gym
import pytest

import earsim
from earsim import Engine, Episode, open_suite
from earsim.actions.outcome import Reason
from earsim.envs.policy import PolicyContext, observations_of
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.world import digest
from tests.playing import SINGLE

POLICIES = ("oracle", "expert")
RULESETS = ("physical", "ear-bench")
PAIR = "boat_shed/keelson_to_the_bench"


def scenario_of(scenario_id):
    return open_suite("starter").load(scenario_id)


def context_of(episode):
    return PolicyContext.of(episode)


def recorded(policy, scenario_id, ruleset):
    """The digests of an episode as the runner plays it."""
    settings = EpisodeSettings(ruleset=ruleset)
    played = play(scenario_of(scenario_id), make_policy(policy), name=policy, settings=settings)
    assert played.result.success_final
    return [step.digest for step in played.steps]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("scenario", [*SINGLE, PAIR])
@pytest.mark.parametrize("name", POLICIES)
def test_it_wins_and_ends_for_a_reason(name, scenario, ruleset):
    settings = EpisodeSettings(ruleset=ruleset)
    played = play(scenario_of(scenario), make_policy(name), name=name, settings=settings)
    assert (played.result.success_final, played.result.termination) == (True, "done")
    assert played.memory["ended"] == "reached"
    reasons = {outcome.reason for step in played.steps for outcome in step.outcomes}
    unforeseen = {Reason.OVERWEIGHT} if (name, ruleset) == ("expert", "physical") else set()
    assert reasons - {None} <= unforeseen


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", POLICIES)
def test_one_per_agent_is_as_good_as_one_for_all(name, ruleset):
    episode = Episode(Engine(scenario_of(PAIR), ruleset))
    policies = {agent: make_policy(name) for agent in episode.agents}
    for policy in policies.values():
        policy.reset(context_of(episode))
    digests = []
    while not (episode.over or episode.truncated):
        seen = observations_of(episode)
        commands = {}
        for agent, policy in policies.items():
            own = policy.act({agent: seen[agent]})
            assert set(own) <= {agent}
            commands |= own
        episode.step(commands)
        digests.append(digest(episode.world))
    assert digests == recorded(name, PAIR, ruleset)


@pytest.mark.slow
@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize(
    ("env_id", "scenario"), [("OmniEAR-v0", SINGLE[0]), ("OmniEAR-Team-v0", PAIR)]
)
def test_it_plays_in_gymnasium(name, env_id, scenario):
    env = gym.make(f"earsim:{env_id}", scenario=scenario)
    env.reset(seed=0)
    assert through(env, name, lambda commands: step_of(env, env_id, commands)) == recorded(
        name, scenario, None
    )


def step_of(env, env_id, commands):
    if env_id == "OmniEAR-v0":
        (command,) = commands.values()
        return env.step(command)
    return env.step({agent: commands.get(agent, "") for agent in env.unwrapped.agents})


@pytest.mark.slow
@pytest.mark.parametrize("name", POLICIES)
def test_it_plays_in_pettingzoo(name):
    pytest.importorskip("pettingzoo")
    env = earsim.parallel_env(PAIR)
    env.reset(seed=0)
    assert through(env, name, env.step) == recorded(name, PAIR, None)


def through(env, name, step):
    """The digests of an episode of an environment."""
    episode = env.unwrapped.episode
    policy = make_policy(name)
    policy.reset(context_of(episode))
    digests = []
    while not (episode.over or episode.truncated):
        step(policy.act(observations_of(episode)))
        digests.append(digest(episode.world))
    return digests


@pytest.mark.parametrize("name", POLICIES)
def test_it_can_be_asked_while_somebody_else_plays(name):
    episode = Episode(Engine(scenario_of(SINGLE[0])))
    walkthrough, asked = make_policy("walkthrough"), make_policy(name)
    for policy in (walkthrough, asked):
        policy.reset(context_of(episode))
    for _ in range(5):
        assert asked.act(observations_of(episode))
        episode.step(walkthrough.act(observations_of(episode)))
    while not (episode.over or episode.truncated):
        episode.step(asked.act(observations_of(episode)))
    assert episode.success


@pytest.mark.parametrize("name", POLICIES)
def test_one_policy_plays_one_episode_after_another(name):
    policy = make_policy(name)
    scenario, other = scenario_of(SINGLE[0]), scenario_of(SINGLE[1])
    first = play(scenario, policy, name=name)
    play(other, policy, name=name)
    assert play(scenario, policy, name=name) == first


def test_the_expert_never_beats_a_proved_oracle():
    lengths = {name: len(recorded(name, SINGLE[0], None)) for name in POLICIES}
    assert lengths["oracle"] <= lengths["expert"]


UNTOUCHED = """
import sys
import gymnasium as gym
import earsim
for env_id, scenario, action in (
    ("OmniEAR-v0", "old_exchange/headset_behind_glass", "EXPLORE"),
    ("OmniEAR-Team-v0", "boat_shed/keelson_to_the_bench", {"smilla": "EXPLORE"}),
):
    env = gym.make(f"earsim:{env_id}", scenario=scenario)
    env.reset(seed=0)
    env.unwrapped.step(action)
loaded = [name for name in sys.modules if name.startswith("earsim.planner")]
assert not loaded, loaded
"""


@pytest.mark.slow
def test_environments_never_plan():
    done = subprocess.run([sys.executable, "-c", UNTOUCHED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


PLAYED = """
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim import open_suite
scenario = open_suite("starter").load("boat_shed/keelson_to_the_bench")
for name in ("oracle", "expert"):
    print([step.digest for step in play(scenario, make_policy(name), name=name).steps])
"""


@pytest.mark.slow
def test_it_does_the_same_in_every_process(capsys):
    exec(PLAYED, {})
    elsewhere = subprocess.run(
        [sys.executable, "-c", PLAYED],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "1", "PATH": ""},
    )
    assert elsewhere.stdout == capsys.readouterr().out != ""
