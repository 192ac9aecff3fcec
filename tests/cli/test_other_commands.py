"""`earsim doctor` and `schema`."""

import json

import pytest

from earsim.installed import build
from earsim.schema.files.json_schema import KINDS


@pytest.mark.slow
def test_the_doctor_is_always_well(earsim, monkeypatch):
    monkeypatch.setenv("EAR_BENCH_DIR", "nowhere")
    result = earsim("doctor")
    assert result.exit_code == 0
    data = ("suite starter", "EAR-Bench")
    for what in ("python", "gymnasium", *data, "torch", "vllm", "terminal", "sandbox level"):
        assert what in result.stdout
    assert f"build {build()}" in " ".join(result.stdout.split())


def test_the_doctor_prescribes_what_is_missing(earsim, monkeypatch):
    from earsim.cli import doctor

    wanted = ['nothing-like-this>=2; extra == "dream"', "numpy", 'x; extra == "dev"']
    monkeypatch.setattr(doctor, "_requirements", lambda: wanted)
    shown = earsim("doctor").stdout
    assert "nothing-like-this (extra dream)" in shown
    assert "pip install 'earsim[dream]'" in shown
    assert "extra dev" not in shown


@pytest.mark.slow
def test_the_doctor_tells_what_a_sandbox_lacks(earsim, monkeypatch):
    from earsim.cli import doctor
    from earsim.sandbox import Isolation, SandboxLevel

    weak = Isolation(SandboxLevel.LIMITS, ("limits",), ("landlock: Function not implemented",))
    monkeypatch.setattr(doctor, "measured", lambda: weak)
    shown = " ".join(earsim("doctor").stdout.split())
    assert "sandbox level 1 limits limits" in shown
    assert "landlock: Function not implemented" in shown


def test_the_doctor_tries_the_sandbox(earsim, monkeypatch):
    from earsim.sandbox import Isolation, SandboxLevel, report
    from earsim.sandbox.escapes.trial import EscapeTrial, TrialOutcome

    tried = []

    def trial(name, means):
        tried.append((name, means))
        outcome = TrialOutcome.SUCCEEDED if means is None else TrialOutcome.REFUSED
        return EscapeTrial(name, outcome, "Permission denied")

    def level_of(means):
        return SandboxLevel.CONFINED, ()

    found = Isolation(SandboxLevel.CONFINED, ("landlock", "limits"), ())
    monkeypatch.setattr(report, "measured", lambda: found)
    monkeypatch.setattr(report, "level_of", level_of)
    monkeypatch.setattr(report, "try_one", trial)
    monkeypatch.setattr(
        report, "try_all", lambda names, means: tuple(trial(n, means) for n in names)
    )
    monkeypatch.setattr(report.bubblewrap, "installed", lambda: False)
    lines = earsim("doctor", "--sandbox").stdout.splitlines()
    assert lines[0].endswith("| no sandbox | limits: level 2 | landlock + limits: level 2 |")
    assert any(" UDP " in line and "| succeeded | refused: Permission" in line for line in lines)
    assert any("kill the launcher | not tried | refused" in line for line in lines)
    assert ("left_over_by_killing_launcher", None) not in tried


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_json(earsim, kind):
    assert json.loads(earsim("schema", kind).stdout)["$schema"].startswith("https://json-schema")


def test_an_unknown_kind(earsim):
    result = earsim("schema", "scen")
    assert result.exit_code == 2
    assert "did you mean 'scene'" in result.stderr


@pytest.mark.slow
def test_the_doctor_tells_that_a_language_is_not_installed(earsim, monkeypatch):
    from earsim.cli import doctor

    monkeypatch.setattr(doctor, "has_interpreter", lambda body: False)
    shown = " ".join(earsim("doctor").stdout.split())
    assert "model octave/1 missing install Octave" in shown
