"""Arguments of environments that make no sense: our own errors, with what would have been right."""

import math

import gymnasium as gym
import pytest

from earsim.envs import OmniEAREnv, OmniEARTeamEnv
from earsim.errors import EarSimError

LONG = "x" * 5_000

BAD = [
    ({"sceanrio": "x"}, "sceanrio: unknown argument; did you mean 'scenario'?"),
    ({"zzz": 1}, "zzz: unknown argument; there are scenario, suite"),
    ({"render_mode": "nope"}, "choose one of ansi, human, rgb_array"),
    ({"budget": math.nan}, "a whole number of decisions"),
    ({"budget": "x"}, "a whole number of decisions"),
    ({"budget": 0}, "at least 1"),
    ({"budget": 1.5}, "a whole number of decisions"),
    ({"budget": True}, "a whole number of decisions"),
    ({"scenario": {}}, "id: missing (this key is required)"),
    ({"scenario": {1: 2}}, "missing (this key is required)"),
    ({"scenario": 5}, "expected an id, a path, a dictionary or a Scenario"),
    ({"scenario": []}, "expected an id, a path, a dictionary or a Scenario"),
    ({"scenario": b"x"}, "expected an id, a path, a dictionary or a Scenario"),
    ({"scenario": LONG}, "unknown scenario of starter"),
    ({"scenario": "a\0b"}, "unknown scenario of starter"),
    ({"scenario": "bicycle_workshop"}, "did you mean 'bicycle_workshop/"),
    ({"suite": 5}, "expected a name"),
    ({"suite": "strter"}, "did you mean 'starter'?"),
    ({"suite": LONG}, "unknown suite"),
    ({"ruleset": 5}, "expected a name"),
    ({"ruleset": "physicl"}, "did you mean 'physical'"),
    ({"admissible_commands": "yes"}, "choose one of False, True"),
    ({"admissible_commands": 1}, "choose one of False, True"),
    ({"reward": "x"}, "choose one of 'sparse', 'progress'"),
    ({"observation": []}, "choose one of 'full', 'delta', 'graph'"),
    ({"observability": None}, "choose one of 'partial', 'full'"),
    ({"end_on": "x"}, "choose one of 'done', 'goal'"),
]


@pytest.mark.filterwarnings("ignore:.*render:UserWarning")
@pytest.mark.parametrize("face", ["OmniEAR-v0", "OmniEAR-Team-v0", OmniEAREnv, OmniEARTeamEnv])
@pytest.mark.parametrize(
    ("arguments", "told"), BAD, ids=[str(arguments)[:30] for arguments, _ in BAD]
)
def test_an_argument_that_makes_no_sense(face, arguments, told):
    with pytest.raises(EarSimError) as caught:
        gym.make(face, **arguments) if isinstance(face, str) else face(**arguments)
    assert told in str(caught.value)


@pytest.mark.parametrize("face", [OmniEAREnv, OmniEARTeamEnv])
def test_a_render_mode_that_is_no_text(face):
    with pytest.raises(EarSimError, match="render_mode=5: choose one of ansi"):
        face(render_mode=5)
