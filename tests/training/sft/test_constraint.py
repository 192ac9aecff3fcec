"""Replies that are held to some texts, or to a form."""

import pytest

from earsim import Engine
from earsim.envs.policy import observations_of
from earsim.episode import Episode
from earsim.errors import UsageError
from earsim_agents.replies import GRAMMARS
from earsim_agents.replies.constraint import constraint
from earsim_training.sft.inference.constrained_decoding import constraint_of
from tests.training.exported import scenario


def test_a_choice_is_followed_to_its_end():
    found = constraint_of({"structured_outputs": {"choice": ["GOTO hall", "GOTO hallway"]}})
    assert found.allows("GO")
    assert found.allows("GOTO hall")
    assert not found.allows("GOTO kitchen")
    assert found.allows_end("GOTO hall")
    assert not found.allows_end("GOTO h")


def test_a_pattern_is_followed_to_its_end():
    pytest.importorskip("regex", reason="the extra `train` is not installed")
    found = constraint_of({"structured_outputs": {"regex": r"Action a: (X|Y)\nAction b: (Z)"}})
    assert found.allows("Action a: X\nAct")
    assert not found.allows("Action a: Z")
    assert found.allows_end("Action a: Y\nAction b: Z")
    assert not found.allows_end("Action a: Y\n")


def test_what_the_policies_ask_for_is_understood(tmp_path):
    pytest.importorskip("regex", reason="the extra `train` is not installed")
    episode = Episode(Engine(scenario(tmp_path, "safe")))
    observations = observations_of(episode)
    body = constraint("admissible", GRAMMARS["strict"], episode.agents, observations)
    found = constraint_of(body)
    assert found.allows_end("Action ada: EXPLORE\nAction ben: EXPLORE")
    assert not found.allows_end("Action ada: GRAB safe\nAction ben: EXPLORE")


def test_no_constraint_is_none():
    assert constraint_of({}) is None


@pytest.mark.parametrize("asked", [{"grammar": "root"}, {"choice": []}, "x", {"regex": "("}])
def test_what_cannot_be_had_is_refused(asked):
    pytest.importorskip("regex", reason="the extra `train` is not installed")
    with pytest.raises(UsageError, match="structured_outputs"):
        constraint_of({"structured_outputs": asked})
