"""Every registered policy keeps the contract: it plays, it repeats itself, its memory is JSON."""

import json

import pytest

from earsim.errors import UsageError
from earsim.evaluation.policies import POLICIES, make_policy
from earsim.evaluation.runner import play
from earsim.schema import load_scenarios, save_trajectory


@pytest.fixture
def scenarios(scene):
    return load_scenarios(scene)


@pytest.fixture
def options(scenarios, here):
    """What each policy needs to be made."""
    recorded = play(scenarios[1], make_policy("random"), name="random")
    save_trajectory(recorded, here / "recorded.jsonl")
    return {
        "replay": {"trajectories": str(here / "recorded.jsonl")},
        "human": {"ask": lambda told: "EXPLORE"},
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_repeats_itself_and_saves_its_memory(name, scenarios, options):
    policy = make_policy(name, **options.get(name, {}))
    first = play(scenarios[1], policy, name=name, seed=3)
    assert play(scenarios[1], policy, name=name, seed=3) == first
    assert json.loads(json.dumps(first.memory)) == first.memory
    assert first.steps


def test_random_draws_only_what_is_admissible(scenarios):
    played = play(scenarios[0], make_policy("random"), name="random", seed=1)
    assert all(outcome.reason is None for step in played.steps for outcome in step.outcomes)


def test_random_depends_on_seed_and_nothing_before(scenarios):
    policy = make_policy("random")
    alone = play(scenarios[1], policy, name="random", seed=1)
    play(scenarios[0], policy, name="random", seed=1)
    assert play(scenarios[1], policy, name="random", seed=1) == alone
    assert play(scenarios[1], policy, name="random", seed=2).steps != alone.steps


def test_replay_gives_the_recorded_commands_then_done(scenarios, options, here):
    again = play(scenarios[1], make_policy("replay", **options["replay"]), name="replay", seed=0)
    recorded = play(scenarios[1], make_policy("random"), name="random")
    assert [step.digest for step in again.steps] == [step.digest for step in recorded.steps]


def test_a_scenario_without_walkthrough_is_refused(scenarios):
    task = scenarios[0].task.model_copy(update={"walkthrough": ()})
    bare = scenarios[0].model_copy(update={"task": task})
    with pytest.raises(UsageError, match="hut/light has no walkthrough"):
        play(bare, make_policy("walkthrough"), name="walkthrough")


def test_wrong_options_are_named():
    with pytest.raises(UsageError, match=r"policy 'random'.*temperature"):
        make_policy("random", temperature=1)
