"""`EarApparatus-v0`: the bare apparatus as a Gymnasium environment."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import earsim  # noqa: F401 - registers the environments
from earsim.errors import UnknownName, UsageError

MODELS = (
    ("maglev/1", {}, ["Kp", "topology"]),
    ("levitation/1", {}, ["kp", "kd"]),
    ("heat1d/1", {"n": 16}, ["h"]),
    ("euler1d/1", {"n": 16}, ["case"]),
    ("sixbox/1", {"N": 100}, ["F_nA"]),
    ("forecaster/1", {"horizon": 2}, ["F_nA", "method"]),
    ("tipgan/1", {"proposals": 1}, ["within", "method"]),
)


def number(value: float) -> np.ndarray:
    return np.array([value])


# Settings keep their units, and results have no bounds that hold for all models.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*(normalized space|value is infinity|value is -infinity)")
@pytest.mark.parametrize(("model", "settings", "tunable"), MODELS, ids=[m for m, *_ in MODELS])
def test_every_model_passes_the_checker(model: str, settings: dict[str, int], tunable: list[str]):
    env = gym.make(
        "EarApparatus-v0",
        model=model,
        settings=settings,
        tunable=tunable,
        runs=3,
        disable_env_checker=True,
    )
    check_env(env.unwrapped, skip_render_check=True)


def test_a_step_runs_the_rig_and_tells_its_results():
    env = gym.make(
        "EarApparatus-v0",
        model="maglev/1",
        settings={"topology": "pid", "blocks": "lumped"},
        objective="settling_s",
        disable_env_checker=True,
    )
    env.reset()
    action = {"Kp": number(2.818), "Ki": number(0.8), "Kd": number(1.886)}
    _, reward, terminated, truncated, info = env.step(action)
    assert reward == -2.351
    assert info["results"]["score"] == 100
    assert not terminated
    assert not truncated


def test_requirements_end_the_episode():
    env = gym.make(
        "EarApparatus-v0",
        model="maglev/1",
        settings={"topology": "pid"},
        tunable=["Kp", "Ki", "Kd"],
        requirements=[{"result": "settling_s", "high": 5.0}, {"result": "stable", "equals": True}],
        runs=2,
    )
    env.reset()
    bad = {"Kp": number(12.0), "Ki": number(8.0), "Kd": number(0.0)}
    good = {"Kp": number(2.818), "Ki": number(0.8), "Kd": number(1.886)}
    assert env.step(bad)[1:3] == (0.0, False)
    assert env.step(good)[1:4] == (1.0, True, False)


def test_a_run_that_costs_too_much_has_failed():
    env = gym.make("EarApparatus-v0", model="heat1d/1", tunable=["n"], most_cost=1000)
    env.reset()
    _, _, _, _, info = env.step({"n": number(64)})
    assert info["failed"] == "budget"
    assert info["cost"] <= 1000


def test_whole_numbers_are_rounded_to_what_is_allowed():
    env = gym.make("EarApparatus-v0", model="euler1d/1", tunable=["n"], most_cost=10)
    env.reset()
    *_, info = env.step({"n": number(17.2)})
    assert info["settings"]["n"] == 18


def test_unknown_names_are_told():
    with pytest.raises(UnknownName, match="did you mean"):
        gym.make("EarApparatus-v0", model="maglev/2")
    with pytest.raises(UsageError, match="no setting 'Kq'"):
        gym.make("EarApparatus-v0", tunable=["Kq"])
    with pytest.raises(UsageError, match="no result 'setling_s'; near: settling_s"):
        gym.make("EarApparatus-v0", objective="setling_s")
    with pytest.raises(UsageError, match="nothing to configure"):
        gym.make("EarApparatus-v0", tunable=[])
    with pytest.raises(UsageError, match="out_of_bounds"):
        gym.make("EarApparatus-v0", settings={"Kp": 99.0})
