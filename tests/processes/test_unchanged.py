"""Scenes in which nothing changes by itself are as they were before anything could.

`before_time.json` was recorded with the last version that knew no processes (commit 3670993), by
the scenario and the ruleset; anew with 307e73e3, still equal to it, when loads became floats.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from earsim import Engine, open_suite
from tests.physical.generated import generated_scenario
from tests.processes.unchanged import fingerprint

BEFORE = json.loads(Path(__file__).with_name("before_time.json").read_text(encoding="utf-8"))
GENERATED = sorted({int(key.split()[0]) for key in BEFORE if key[0].isdigit()})
STARTER = sorted({key.split()[0] for key in BEFORE if not key[0].isdigit()})


@pytest.mark.parametrize("ruleset", ["physical", "ear-bench"])
def test_generated_scenes_are_told_as_before(ruleset):
    for seed in GENERATED:
        scenario = generated_scenario(seed)
        assert Engine(scenario, ruleset).start().timeline is None
        assert fingerprint(scenario, ruleset, seed=seed) == BEFORE[f"{seed} {ruleset}"], seed


@pytest.mark.parametrize("ruleset", ["physical", "ear-bench"])
def test_starter_scenes_without_processes_are_told_as_before(ruleset):
    suite, compared = open_suite("starter"), 0
    for name in STARTER:
        scenario = suite.load(name)
        if Engine(scenario, "physical").blueprint.live is None:
            assert fingerprint(scenario, ruleset) == BEFORE[f"{name} {ruleset}"], name
            compared += 1
    assert compared > len(STARTER) / 2


def test_such_scenes_have_no_verbs_of_time():
    engine = Engine(generated_scenario(0), "physical")
    assert not {"POUR", "FILL", "EMPTY", "CONNECT", "DISCONNECT"} & engine.verbs.keys()
    assert engine.verbs["WAIT"].grammar.form == "WAIT"
    assert engine.parse("WAIT 60").reason in ("bad_format", "unknown_verb")
