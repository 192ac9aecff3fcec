"""`earsim stats`: suites side by side, for people and for programs."""

import json

import pytest


def test_suites_side_by_side_on_the_screen(earsim, scene):
    result = earsim("stats", scene, "starter")
    assert result.exit_code == 0
    head = next(line for line in result.stdout.splitlines() if "starter" in line)
    assert head.split() == ["hut", "starter"]
    assert "Whether labels are true" in result.stdout


def test_json_holds_everything_and_nothing_else_is_on_stdout(earsim, scene):
    result = earsim("stats", scene, "--json")
    told = json.loads(result.stdout)
    assert told["schema"] == "earsim.stats/1"
    assert [suite["suite"] for suite in told["suites"]] == ["hut"]
    assert told["tables"]["size"][0] == {"what": "scenarios", "hut": 2}


@pytest.mark.slow
def test_markdown_and_pictures(earsim, scene, here):
    pytest.importorskip("matplotlib")
    result = earsim("stats", scene, "--out", "told/stats.md", "--plots", "told")
    assert result.exit_code == 0
    page = (here / "told" / "stats.md").read_text(encoding="utf-8")
    assert page.startswith("# Statistics of hut\n")
    assert (here / "told" / "categories.png").is_file()
    assert earsim("stats", scene, "--markdown").stdout == page


def test_certificates_of_a_folder(earsim, scene):
    assert "certificates" not in earsim("stats", scene).stdout
    assert earsim("certify", scene, "--out", "proofs").exit_code == 0
    assert "certificates" in earsim("stats", scene, "--certificates", "proofs").stdout


def test_what_cannot_be_read_is_named(earsim, scene):
    (scene.parent / "torn.yaml").write_text("{")
    result = earsim("stats", scene.parent)
    assert result.exit_code == 1
    assert "cannot be read: torn" in result.stderr


def test_only_the_first(earsim, scene):
    told = json.loads(earsim("stats", scene, "--limit", 1, "--json").stdout)
    assert told["suites"][0]["scenarios"] == 1


@pytest.mark.slow
def test_an_unknown_suite_names_the_nearest(earsim):
    result = earsim("stats", "startr")
    assert result.exit_code == 2
    assert "did you mean 'starter'?" in result.stderr
