"""`earsim list`: suites with counts, scenarios with what one chooses by."""

import json

import pytest

from earsim.suites import open_suite


@pytest.mark.slow
def test_all_suites_and_every_shipped_id(earsim, monkeypatch):
    monkeypatch.setenv("EAR_BENCH_DIR", "nowhere")
    result = earsim("list")
    assert result.exit_code == 0
    assert "eval-single" in result.stdout
    assert "set EAR_BENCH_DIR" in result.stdout
    assert all(id in result.stdout for id in open_suite("starter").ids)


def test_category_and_limit(earsim):
    found = json.loads(
        earsim("list", "starter", "--category", "tool_use", "--limit", 3, "--json").stdout
    )
    assert [entry["category"] for entry in found] == ["tool_use"] * 3
    assert set(found[0]) == {"id", "category", "agents", "rooms", "objects", "instruction"}


def test_the_table_says_the_same(earsim, scene):
    shown = earsim("list", scene).stdout
    assert "hut/light" in shown
    assert "Light the [bold]lamp[/bold]." in shown


@pytest.mark.parametrize("more", ["It is dark. ", "天黑了"])
def test_a_long_instruction_is_cut_in_the_table(earsim, scene, more):
    text = scene.read_text(encoding="utf-8")
    told = "Light the [bold]lamp[/bold]."
    assert "--json" not in earsim("list", scene).stdout
    scene.write_text(text.replace(told, f"{more * 60}And that is all."), encoding="utf-8")
    shown = earsim("list", scene).stdout
    assert more.strip() in shown
    assert "…" in shown
    assert "And that is all." not in shown
    assert "--json has instructions whole" in shown
    (entry, *_) = json.loads(earsim("list", scene, "--json").stdout)
    assert entry["instruction"].endswith("And that is all.")


def test_a_file_that_does_not_load_is_listed(earsim, scene):
    (scene.parent / "torn.yaml").write_text("schema: earsim.scene/1\nid: torn\n")
    result = earsim("list", scene.parent)
    assert "torn" in result.stdout
    assert "cannot be loaded" in result.stdout


@pytest.mark.slow
def test_an_unknown_suite_names_the_nearest(earsim):
    result = earsim("list", "startr")
    assert result.exit_code == 2
    assert "did you mean 'starter'?" in result.stderr
