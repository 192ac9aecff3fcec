"""What Gymnasium asks of an environment, asked by Gymnasium's own checker."""

import gc
import json
import warnings
import weakref
from functools import partial

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env

import earsim
import earsim.suites
from earsim.envs import SINGLE_ID, TEAM_ID, DiscreteActions, GraphArrays
from earsim.errors import NotReset, UnknownName, UsageError
from tests.playing import SINGLE, TEAM

FORMS = ("full", "delta", "graph")
WRAPPED = {
    "discrete": lambda env: DiscreteActions(env),
    "arrays": lambda env: GraphArrays(env),
    "both": lambda env: DiscreteActions(GraphArrays(env), max_actions=20),
}


@pytest.mark.parametrize("ruleset", list(earsim.RULESETS))
@pytest.mark.parametrize("admissible", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("env_id", "scenario"), [(SINGLE_ID, SINGLE[1]), (TEAM_ID, TEAM[1])])
def test_the_checker_has_no_objection(env_id, scenario, form, admissible, ruleset):
    env = gym.make(
        env_id,
        scenario=scenario,
        observation=form,
        admissible_commands=admissible,
        ruleset=ruleset,
    )
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("env_id", [SINGLE_ID, TEAM_ID])
def test_nor_where_a_whole_suite_is_played(env_id):
    check_env(gym.make(env_id).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("env_id", [SINGLE_ID, TEAM_ID])
def test_what_make_returns_plays_without_a_warning(env_id):
    env = gym.make(env_id)  # wrapped in Gymnasium's passive checker
    for seed in range(3):
        env.reset(seed=seed)
        for command in ("LOOK", "LOOK", "", "", "JUMP", "JUMP", "EXPLORE", "DONE", "DONE"):
            team = env_id == TEAM_ID
            env.step(dict.fromkeys(env.unwrapped.agents, command) if team else command)


@pytest.mark.slow
@pytest.mark.parametrize("wrap", WRAPPED.values(), ids=WRAPPED)
def test_the_checker_objects_to_wrappers_only_because_they_wrap(wrap):
    env = wrap(gym.make(SINGLE_ID, observation="graph"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(env, skip_render_check=True)
    told = [str(warning.message) for warning in caught]
    assert all("different from the unwrapped version" in message for message in told), told


def test_the_id_works_with_the_module_in_front():
    env = gym.make(f"earsim:{SINGLE_ID}")
    assert env.spec is not None
    assert env.spec.id == SINGLE_ID


def test_registering_again_changes_nothing():
    before = gym.registry[SINGLE_ID]
    earsim.envs.register()
    assert gym.registry[SINGLE_ID] is before


def test_the_specification_is_json():
    env = gym.make(
        SINGLE_ID, scenario=SINGLE[0], ruleset="ear-bench", reward="progress", end_on="goal"
    )
    assert env.spec is not None
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.reset(seed=1)[0] == env.reset(seed=1)[0]


def test_a_scenario_can_be_given_as_a_dictionary():
    scenario = earsim.open_suite("starter").load(SINGLE[0])
    raw = json.loads(scenario.model_dump_json(by_alias=True))
    env = gym.make(SINGLE_ID, scenario=raw)
    assert env.reset()[1]["scenario_hash"] == scenario.hash


@pytest.mark.parametrize(
    "wrong",
    [
        {"observability": "none"},
        {"observation": "text"},
        {"reward": "dense"},
        {"end_on": "never"},
        {"budget": 0},
        {"render_mode": "vr"},
    ],
    ids=str,
)
def test_an_argument_with_a_value_it_cannot_have_is_refused(wrong):
    with pytest.raises(UsageError, match=str(next(iter(wrong.values())))):
        earsim.envs.OmniEAREnv(**wrong)


def test_an_unknown_argument_is_a_type_error():
    with pytest.raises(TypeError, match="scenarios"):
        gym.make(SINGLE_ID, scenarios="x")


def test_an_unknown_scenario_is_named_with_near_misses():
    with pytest.raises(UnknownName, match=SINGLE[0]):
        gym.make(SINGLE_ID, scenario=SINGLE[0] + "s")


@pytest.mark.parametrize("env_id", [SINGLE_ID, TEAM_ID])
def test_using_an_environment_before_its_reset_says_so(env_id):
    env = gym.make(env_id).unwrapped
    for use in (lambda: env.step({}), env.render, env.snapshot, env.fork):
        with pytest.raises(NotReset, match="reset"):
            use()


def test_whole_suites_are_played_by_those_they_are_for():
    for env_id, is_team in ((SINGLE_ID, False), (TEAM_ID, True)):
        ids = gym.make(env_id).unwrapped.source.ids
        assert ids
        suite = earsim.open_suite("starter")
        assert all(suite.category(id_).is_collaboration == is_team for id_ in ids)


def test_a_team_plays_only_scenarios_with_its_agents():
    env = gym.make(TEAM_ID, agents=["henk", "oda"]).unwrapped
    played = set()
    for seed in range(8):
        env.reset(seed=seed)
        assert env.episode.agents == ("henk", "oda")
        played.add(env.episode.engine.scenario.id)
    assert len(played) > 1
    assert TEAM[1] not in played
    with pytest.raises(UsageError, match="nobody"):
        gym.make(TEAM_ID, agents=["nobody"])
    with pytest.raises(UsageError, match="other agents"):
        env.reset(options={"scenario": TEAM[1]})


def test_closing_twice_is_allowed():
    env = gym.make(SINGLE_ID)
    env.reset()
    env.close()
    env.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"scenario": {}}, "scene: missing"),
        ({"scenario": 5}, "scenario=5: expected an id"),
        ({"scenario": []}, r"scenario=\[\]: expected an id"),
        ({"scenario": b"x"}, "scenario=b'x': expected an id"),
        ({"scenario": "x" * 5_000}, "unknown scenario"),
        ({"scenario": "a\0b"}, "unknown scenario"),
        ({"suite": 5}, "suite=5: expected a name"),
        ({"ruleset": 5}, "ruleset=5: expected a name"),
        ({"budget": float("nan")}, "budget=nan: expected a whole number"),
        ({"budget": "x"}, "budget='x': expected a whole number"),
        ({"budget": True}, "budget=True: expected a whole number"),
        ({"budget": 2.5}, "budget=2.5: expected a whole number"),
        ({"admissible_commands": "yes"}, "choose one of False, True"),
        ({"observation": ["full"]}, "choose one of 'full'"),
    ],
)
@pytest.mark.parametrize("env_id", [SINGLE_ID, TEAM_ID])
def test_a_wrong_argument_is_told_with_what_would_have_been_right(env_id, arguments, said):
    with pytest.raises(earsim.EarSimError, match=said):
        gym.make(env_id, **arguments)


@pytest.mark.parametrize("action", [None, "EXPLORE", ["EXPLORE"], 5])
def test_what_is_no_action_of_a_team_is_refused(action):
    env = gym.make(TEAM_ID).unwrapped
    env.reset()
    before = env.episode.decisions
    with pytest.raises(UsageError, match="give one command per agent, such as"):
        env.step(action)
    assert env.episode.decisions == before


@pytest.mark.parametrize("env_id", [SINGLE_ID, TEAM_ID])
def test_options_that_mean_nothing_are_refused(env_id):
    env = gym.make(env_id).unwrapped
    with pytest.raises(UsageError, match="expected a dictionary such as"):
        env.reset(options="x")
    with pytest.raises(UsageError, match="'scenaro' is unknown"):
        env.reset(options={"scenaro": SINGLE[0]})


@pytest.mark.parametrize("action", ["LOOK", None, float("nan")])
def test_what_is_no_number_of_a_command_is_refused(action):
    env = DiscreteActions(gym.make(SINGLE_ID, scenario=SINGLE[0]))
    env.reset()
    with pytest.raises(UsageError, match="is no number of a command"):
        env.step(action)


def test_environments_share_the_engine_of_an_equal_scenario():
    first, second = (gym.make(SINGLE_ID, scenario=SINGLE[0]).unwrapped for _ in range(2))
    first.reset()
    second.reset()
    assert first.episode.engine is second.episode.engine
    other = gym.make(SINGLE_ID, scenario=SINGLE[0], ruleset="ear-bench").unwrapped
    other.reset()
    assert other.episode.engine is not first.episode.engine


def test_a_scenario_played_before_is_not_read_again(monkeypatch):
    env = gym.make(SINGLE_ID).unwrapped
    played = {i: env.reset(options={"scenario": i}) for i in env.source.ids}
    env.source._engines.clear()
    monkeypatch.delattr(type(env.source._suite.suite), "load")
    for scenario, (observation, info) in played.items():
        again, facts = env.reset(options={"scenario": scenario})
        assert (again, facts["scenario_hash"]) == (observation, info["scenario_hash"])


def test_environments_share_a_suite_until_its_files_change(tmp_path, monkeypatch):
    text = (earsim.suites.scenes_root() / "starter" / "crystal_lab.yaml").read_text("utf-8")
    file = tmp_path / "crystal_lab.yaml"
    file.write_text(text, encoding="utf-8")
    make = partial(gym.make, SINGLE_ID, suite=str(tmp_path))
    scenario = {"scenario": "crystal_lab/purest_sulphate"}
    first, second = make().unwrapped, make().unwrapped
    assert first.source._suite is second.source._suite
    before, _ = first.reset(options=scenario)
    assert second.reset(options=scenario)[0] == before
    file.write_text(text.replace("Main laboratory", "Great hall"))
    later, _ = make().reset(options=scenario)
    assert later != before
    assert first.reset(options=scenario)[0] == before  # a live environment stays as it was made


@pytest.mark.slow
def test_scenarios_that_were_read_are_kept_up_to_a_bound(monkeypatch):
    monkeypatch.setattr("earsim.suites.kept.KEPT_BYTES", 30_000)
    monkeypatch.setattr("earsim.envs.options._SMALL_SUITE", 1)
    env = gym.make(SINGLE_ID, ruleset="ear-bench").unwrapped
    suite = env.source._suite = type(env.source._suite)(env.source._suite.suite)
    told = []
    for scenario in (*env.source.ids, *reversed(env.source.ids)):
        told.append(env.reset(options={"scenario": scenario})[0])
        assert 0 < suite._bytes <= 30_000
        assert suite._bytes == sum(map(len, suite._data.values()))
    assert told == told[::-1]


def test_scenarios_of_one_scene_share_it_when_they_are_read_again():
    env = gym.make(SINGLE_ID).unwrapped
    suite = env.source._suite = type(env.source._suite)(env.source._suite.suite)
    first, second = [i for i in env.source.ids if i.startswith("crystal_lab/")][:2]
    scenarios = [suite.load(first), suite.load(second)]
    again = [suite.load(first), suite.load(second)]
    assert again == scenarios
    assert again[0] is not scenarios[0]
    assert again[0].scene is again[1].scene
    assert len(suite._data) == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", ["starter", "earsim-bench"])
def test_a_scenario_that_is_read_again_is_the_same_to_the_last_letter(name):
    suite = type(gym.make(SINGLE_ID).unwrapped.source._suite)(earsim.suites.open_suite(name))
    gc.freeze()  # or every collection below walks what all tests before have left
    for scenario_id in suite.suite.ids[::7]:
        first = suite.load(scenario_id)
        hash_, told = first.hash, repr(first)
        scene = weakref.ref(first.scene)
        del first
        gc.collect()  # of the scene as well, so that it is read again
        again = suite.load(scenario_id)
        assert (again.hash, repr(again)) == (hash_, told)
        assert again.model_copy().hash == hash_
        assert scene() is None or scene() is again.scene


def test_the_collector_goes_on_after_a_reset():
    env = gym.make(SINGLE_ID).unwrapped
    gc.disable()
    try:
        env.reset(options={"scenario": env.source.ids[0]})
        assert not gc.isenabled()
        gc.enable()
        env.reset(options={"scenario": env.source.ids[1]})
        with pytest.raises(UnknownName):
            env.reset(options={"scenario": "nowhere/to_be_found"})
        assert gc.isenabled()
    finally:
        gc.enable()
