"""`earsim audit`: a report on any suite, for people and for programs."""

import json
import sys

import pytest


@pytest.fixture
def audit(earsim):
    """Audit quietly into the working folder."""

    def run(what, *more):
        return earsim("audit", what, "--out", "report", "--certificates", ".", "--jobs", 1, *more)

    return run


@pytest.mark.slow
def test_a_report_in_all_its_forms(audit, scene, here):
    pytest.importorskip("matplotlib")
    result = audit(scene)
    assert result.exit_code == 0
    assert "What can be solved" in result.stdout
    assert "Pictures: solving.png, lengths.png, loads.png" in result.stdout
    page = (here / "report" / "audit.md").read_text(encoding="utf-8")
    assert page.startswith("# Audit of hut\n\n2 scenarios under `physical/2`, planner ")
    told = json.loads((here / "report" / "audit.json").read_text(encoding="utf-8"))
    assert told["scenarios"] == 2
    assert {row["category"]: row["solvable"] for row in told["tables"]["solving"]}["all"] == 2
    assert len((here / "report" / "scenarios.jsonl").read_text().splitlines()) == 2


def test_the_report_has_a_folder_of_its_own_by_default(earsim, scene, here):
    result = earsim("audit", scene, "--ruleset", "ear-bench", "--no-plots", "--certificates", ".")
    assert result.exit_code == 0
    assert (here / "audits" / "hut-ear-bench" / "audit.md").is_file()
    assert "What commands gain that agents are not told of" in result.stdout


def test_what_is_certified_is_not_searched_again(audit, earsim, scene, here):
    assert earsim("certify", scene, "--out", ".").exit_code == 0
    before = (here / "hut.certificates.jsonl").read_bytes()
    assert audit(scene, "--no-plots").exit_code == 0
    assert (here / "hut.certificates.jsonl").read_bytes() == before


def test_some_of_a_suite(audit, scene):
    result = audit(scene, "--category", "direct_command", "--no-plots")
    assert "hut: 1 scenarios" in result.stdout
    assert "implicit" not in result.stdout


def test_what_cannot_be_read_is_named(audit, scene):
    (scene.parent / "torn.yaml").write_text("{")
    result = audit(scene.parent, "--no-plots")
    assert result.exit_code == 1
    assert "not audited: torn: " in result.stdout


def test_without_matplotlib_the_rest_is_written(audit, scene, here, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = audit(scene)
    assert result.exit_code == 0
    assert "No pictures: matplotlib is not installed" in result.stdout
    assert (here / "report" / "audit.md").is_file()
