"""Replies that are held to some texts, or to a form."""

import pytest

from earsim import Engine
from earsim.envs.policy import observations_of
from earsim.episode import Episode
from earsim.errors import UsageError
from earsim_agents.replies import GRAMMARS
from earsim_agents.replies.constraint import constraint
from tests.training.exported import scenario


def pattern_of(body):
    for name in ("aiohttp", "regex", "torch", "transformers"):
        pytest.importorskip(name, reason="the extra `train` is not installed")
    from earsim_training.sft.server import pattern_of

    return pattern_of(body)


def begins(pattern, text):
    return pattern.fullmatch(text, partial=True) is not None


def test_a_choice_is_followed_to_its_end():
    found = pattern_of({"structured_outputs": {"choice": ["GOTO hall", "GOTO hallway"]}})
    assert begins(found, "GO")
    assert begins(found, "GOTO hall")
    assert not begins(found, "GOTO kitchen")
    assert found.fullmatch("GOTO hall")
    assert not found.fullmatch("GOTO h")


def test_a_pattern_is_followed_to_its_end():
    found = pattern_of({"structured_outputs": {"regex": r"Action a: (X|Y)\nAction b: (Z)"}})
    assert begins(found, "Action a: X\nAct")
    assert not begins(found, "Action a: Z")
    assert found.fullmatch("Action a: Y\nAction b: Z")
    assert not found.fullmatch("Action a: Y\n")


def test_what_the_policies_ask_for_is_understood(tmp_path):
    episode = Episode(Engine(scenario(tmp_path, "safe")))
    observations = observations_of(episode)
    body = constraint("admissible", GRAMMARS["strict"], episode.agents, observations)
    found = pattern_of(body)
    assert found.fullmatch("Action ada: EXPLORE\nAction ben: EXPLORE")
    assert not found.fullmatch("Action ada: GRAB safe\nAction ben: EXPLORE")


def test_no_constraint_is_none():
    assert pattern_of({}) is None


@pytest.mark.parametrize("asked", [{"grammar": "root"}, {"choice": []}, "x", {"regex": "("}])
def test_what_cannot_be_had_is_refused(asked):
    with pytest.raises(UsageError, match="structured_outputs"):
        pattern_of({"structured_outputs": asked})
