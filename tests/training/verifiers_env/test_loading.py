"""`load_environment` says what is wrong before anything is played, and what to install."""

import gzip
import importlib.util
import subprocess
import sys

import pytest

from earsim.errors import MissingExtra, UnknownName, UsageError
from earsim_training.verifiers_env import load_environment, loading
from earsim_training.verifiers_env.scores import DIALOGUE, SCORES, weights
from earsim_training.verifiers_env.settings import DialogueSettings
from tests.training.exported import flat, scenario


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"suite": "statrer"}, UnknownName, "did you mean 'starter'"),
        ({"category": "direct"}, UnknownName, "unknown category 'direct'"),
        ({"ruleset": "phisical"}, UnknownName, "did you mean 'physical'"),
        ({"category": "compound_reasoning"}, UsageError, "no scenario of compound_reasoning"),
        ({"limit": 0}, UsageError, "limit=0"),
        ({"style": "paper"}, UsageError, "style='paper'"),
        ({"reward": "dense"}, UsageError, "reward='dense'"),
        ({"step_cost": -1.0}, UsageError, "step_cost=-1.0"),
        ({"max_turns": 0}, UsageError, "max_turns=0"),
        ({"split": "train"}, UsageError, "has none"),
        ({"suite": "starter", "split": "train"}, UsageError, "starter is no folder"),
        ({"eval_suite": "statrer"}, UnknownName, "did you mean 'starter'"),
    ],
)
def test_wrong_arguments_are_told_first(tmp_path, arguments, error, told):
    with pytest.raises(error, match=told):
        load_environment(**{"suite": str(flat(tmp_path)), **arguments})


def test_a_split_that_is_not_there_is_told_with_those_that_are(tmp_path):
    for name in ("train", "test"):
        gzip.open(tmp_path / f"{name}.jsonl.gz", "w").close()
    with pytest.raises(UsageError, match="has test, train"):
        load_environment(str(tmp_path), split="validation")


def test_without_the_extra_one_sentence_says_what_to_install(tmp_path, monkeypatch):
    there = importlib.util.find_spec
    monkeypatch.setattr(
        loading, "find_spec", lambda name: None if name == "verifiers" else there(name)
    )
    with pytest.raises(MissingExtra) as told:
        load_environment(str(flat(tmp_path)))
    assert str(told.value) == "verifiers is not installed; run: pip install 'earsim[verifiers]'"


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = (
        "import sys, earsim_training.verifiers_env\n"
        "print({'verifiers', 'datasets', 'jinja2', 'aiohttp', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_scores_are_told_apart_and_weighed(tmp_path):
    dialogue = DialogueSettings().begin(scenario(tmp_path, "cup"))
    for reply in ("Action: GRAB moon", "hm", "Action: DONE"):
        dialogue.answer(reply)
    told = {score.__name__: score({DIALOGUE: dialogue}) for score in SCORES}
    assert told == {
        "success": 0.0,
        "progress": 0.0,
        "decisions": 3.0,
        "refused": 1.0,
        "unreadable": 1.0,
    }
    assert {score({}) for score in SCORES} == {0.0}
    assert weights("sparse", 0.0) == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert weights("progress", 0.01) == [0.0, 1.0, -0.01, 0.0, 0.0]


def test_a_version_without_multi_turn_environments_is_told_apart():
    code = (
        "import sys, types; sys.modules['verifiers'] = types.ModuleType('verifiers')\n"
        "import earsim_training.verifiers_env.environment"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingExtra: a verifiers with MultiTurnEnv, which is one before 0.4," in ran.stderr
