"""`earsim doctor` and `schema`."""

import json

import pytest

from earsim.schema.files.json_schema import KINDS


def test_the_doctor_is_always_well(earsim, monkeypatch):
    monkeypatch.setenv("EAR_BENCH_DIR", "nowhere")
    result = earsim("doctor")
    assert result.exit_code == 0
    for what in ("python", "gymnasium", "suite starter", "EAR-Bench", "torch", "vllm", "terminal"):
        assert what in result.stdout


def test_the_doctor_prescribes_what_is_missing(earsim, monkeypatch):
    from earsim.cli import doctor

    wanted = ['nothing-like-this>=2; extra == "dream"', "numpy", 'x; extra == "dev"']
    monkeypatch.setattr(doctor, "_requirements", lambda: wanted)
    shown = earsim("doctor").stdout
    assert "nothing-like-this (extra dream)" in shown
    assert "pip install 'earsim[dream]'" in shown
    assert "extra dev" not in shown


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_json(earsim, kind):
    assert json.loads(earsim("schema", kind).stdout)["$schema"].startswith("https://json-schema")


def test_an_unknown_kind(earsim):
    result = earsim("schema", "scen")
    assert result.exit_code == 2
    assert "did you mean 'scene'" in result.stderr
