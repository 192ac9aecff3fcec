"""`earsim apparatus` and `earsim bench-model`."""

import json

from earsim.apparatus.registry import MODELS
from tests.cli.conftest import Earsim


def test_all_models_are_listed(earsim: Earsim):
    told = earsim("apparatus").stdout
    assert all(name in told for name in MODELS)


def test_a_model_tells_its_settings_results_and_events(earsim: Earsim):
    told = earsim("apparatus", "maglev/1").stdout
    assert "Kp" in told
    assert "0 to 50" in told
    assert "settling_s" in told
    assert "events: nan, diverging, sustained, done" in told


def test_a_run_tells_its_results(earsim: Earsim):
    gains = ("Kp=2.818", "Ki=0.8", "Kd=1.886", "topology=pid")
    told = earsim("apparatus", "maglev/1", "--run", *gains)
    assert "2.351" in told.stdout
    assert "completed" in told.stdout


def test_a_run_is_written_as_json(earsim: Earsim):
    found = json.loads(earsim("apparatus", "heat1d/1", "--run", "--json", "n=16").stdout)
    assert found["settings"]["n"] == 16
    assert found["failed"] is None
    assert found["spent"] > 0
    assert len(found["samples"][0]) == 1 + len(found["channels"])


def test_what_is_wrong_with_a_setting_is_told(earsim: Earsim):
    wrong = earsim("apparatus", "maglev/1", "--run", "Kp=99").stderr
    assert "maglev/1: Kp goes from 0 to 50, not to 99." in wrong
    assert (
        "Kp takes a number, not 'nan'" in earsim("apparatus", "maglev/1", "--run", "Kp=nan").stderr
    )
    assert "did you mean" in earsim("apparatus", "maglev/9").stderr
    assert "there is Kp" in earsim("apparatus", "maglev/1", "--run", "Kq=1").stderr
    assert "--run" in earsim("apparatus", "maglev/1", "Kp=1").stderr


def test_runs_are_timed_beside_a_loop(earsim: Earsim):
    told = earsim("bench-model", "maglev/1", "--repeats", "1").stdout
    assert "maglev/1" in told
    assert "ms" in told


def test_a_run_without_a_model_and_json_without_a_run_are_refused(earsim: Earsim):
    for wrong in (["--run"], ["--json"], ["maglev/1", "--json"]):
        told = earsim("apparatus", *wrong)
        assert told.exit_code == 2
        assert "--run" in told.stderr
