"""`earsim doctor`, `schema` and `conformance`."""

import json
import shutil

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


def test_no_traces(earsim, here):
    result = earsim("conformance", here, "--data", here)
    assert result.exit_code == 2
    assert "no *.jsonl" in result.stderr


@pytest.mark.bench_data
def test_conformance_counts_and_tells(earsim, ear_bench_dir, here):
    source = ear_bench_dir / "traces" / "dataall_globalobs.jsonl.gz"
    shutil.copy(source, here / "ok.jsonl.gz")
    result = earsim("conformance", here, "--data", ear_bench_dir)
    assert result.exit_code == 0
    assert "ok.jsonl.gz" in result.stdout
    (here / "bad.jsonl").write_text("{}\n")
    result = earsim("conformance", here, "--data", ear_bench_dir)
    assert result.exit_code == 1
    assert "not replayable" in result.stdout
