"""`earsim generate --family`: suites of families, refusals, and the preset `time`."""

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from earsim.cli.app import app
from earsim.errors import FileError, UnknownName, UsageError
from earsim.schema import Category
from earsim.world.live import LiveScene
from earsim_generators import GenerationSettings, Split, generate
from earsim_generators.families import FAMILIES
from earsim_generators.presets import PRESETS
from earsim_generators.suites import family_worker, settings_of
from earsim_generators.suites.job import RejectionReason, TaskQuota
from earsim_generators.suites.run import GenerationRun


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "160"})


@pytest.mark.slow
def test_a_suite_of_families_is_as_any_other(tmp_path):
    flags = ["--n", "3", "--family", "flow", "--family", "heat", "--family", "mix", "--jobs", "1"]
    done = run("generate", *flags, "--out", tmp_path / "a")
    assert done.exit_code == 0, done.output
    assert "3 scenarios, all certified" in done.stdout
    assert {"flow", "heat", "mix"} <= set(done.stdout.split())
    record = json.loads((tmp_path / "a/generation.json").read_text())
    assert record["families"] == ["flow", "heat", "mix"]
    assert {name: entry["scenarios"] for name, entry in record["by_family"].items()} == {
        "flow": 1,
        "heat": 1,
        "mix": 1,
    }
    assert record["by_category"] == record["domains"] == {}
    checked = run("validate", tmp_path / "a")
    assert checked.exit_code == 0
    assert "3 certificates replayed, 0 stale" in checked.stdout
    assert run("generate", *flags, "--out", tmp_path / "b").exit_code == 0
    for name in ("suite.jsonl.gz", "suite.certificates.jsonl", "generation.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_an_unknown_family_is_told_with_the_known_ones(tmp_path):
    done = run("generate", "--family", "flwo", "--out", tmp_path / "x")
    assert done.exit_code == 2
    assert "unknown family 'flwo'; did you mean 'flow'?" in done.output
    done = run("generate", "--family", "zzz", "--out", tmp_path / "x")
    assert f"choose from {', '.join(FAMILIES)}" in " ".join(done.output.split())
    with pytest.raises(UnknownName):
        settings_of({"families": ["zzz"]})


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"rooms": 4}, "rooms: of ordinary scenes"),
        ({"families": ["weight"], "preset": "talk_errands"}, "choose from heat, phase"),
        ({"domains": ["home"]}, "domains: of ordinary scenes"),
        ({"ruleset": "ear-bench"}, "families need time to work"),
        ({"splits": {"test_vocabulary": 3}}, "no words or domains held out for test_vocabulary"),
    ],
)
def test_what_says_nothing_to_a_family_is_refused(data, words):
    with pytest.raises((UsageError, FileError), match=words):
        settings_of({"families": ["flow"], **data})


def test_splits_of_families_share_no_scenario():
    splits = {Split.TRAIN: 2, Split.TEST: 2}
    found = list(generate(GenerationSettings(seed=2, families=("drying",), splits=splits)))
    assert Counter(one.split for one in found) == {Split.TRAIN: 2, Split.TEST: 2}
    assert len({one.scenario.hash for one in found}) == 4


def of_a_fake(monkeypatch, draw, count=1):
    monkeypatch.setattr(family_worker, "FAMILIES", {"flow": draw})
    run = GenerationRun(GenerationSettings(families=("flow",)))
    with pytest.raises(UsageError) as told:
        list(run.made(None, count))
    return run.counts[None], str(told.value)


def still(rng, difficulty):
    """A scene in which tea cools by itself to what is asked for."""
    cup = {"id": "cup", "name": "Cup", "kind": "item", "in": "hall", "mass_kg": 0.4}
    heat = [{"heat": {"material": "ceramic", "area_m2": 0.03}}]
    colder = {"object": "cup", "of": "temperature_c", "at_most": 60 - rng.random()}
    task = {
        "id": "cool",
        "category": "direct_command",
        "agents": [{"id": "ada", "name": "Ada", "in": "hall", "max_mass_kg": 20}],
        "goal": {"all": [{"quantity": colder}]},
        "instruction": "Let the cup cool to 60 degrees.",
        "budget": 20,
        "walkthrough": ["WAIT 1200"],
    }
    return {
        "schema": "earsim.scene/1",
        "id": "still",
        "rooms": [{"id": "hall", "name": "Hall", "temperature_c": 18}],
        "objects": [{**cup, "temperature_c": 80, "processes": heat}],
        "tasks": [task],
    }


def test_what_is_reached_by_waiting_is_rejected_and_counted(monkeypatch):
    counts, told = of_a_fake(monkeypatch, still)
    assert counts.rejected == {(TaskQuota(None, None, "flow"), RejectionReason.IDLE): 59}
    assert "60 scenes in a row gave no task of flow" in told
    assert "rejected as idle" in told


@pytest.mark.slow
def test_what_any_long_wait_would_do_for_is_rejected(monkeypatch):
    def tidy(rng, difficulty):
        document = still(rng, difficulty)
        table = {"id": "table", "name": "Table", "kind": "furniture", "in": "hall", "mass_kg": 20}
        document["objects"].append(table)
        (task,) = document["tasks"]
        task["goal"]["all"].append({"at": {"object": "cup", "on": "table"}})
        steps = ["EXPLORE", "GOTO cup", "GRAB cup", "GOTO table", "PLACE cup on table"]
        task["walkthrough"] = [*steps, "WAIT 1200"]
        return document

    counts, _ = of_a_fake(monkeypatch, tidy)
    assert {reason for _, reason in counts.rejected} == {RejectionReason.ANY_WAIT}


def test_a_walkthrough_that_does_not_win_is_rejected(monkeypatch):
    def wrong(rng, difficulty):
        document = still(rng, difficulty)
        document["tasks"][0]["walkthrough"] = ["GOTO cup"]
        return document

    counts, _ = of_a_fake(monkeypatch, wrong)
    assert {reason for _, reason in counts.rejected} == {RejectionReason.UNSOUND}


def test_a_document_with_findings_ends_the_run_and_is_told(monkeypatch):
    def broken(rng, difficulty):
        return {**still(rng, difficulty), "rooms": []}

    counts, told = of_a_fake(monkeypatch, broken)
    assert told.startswith("family flow: ")
    assert "rooms" in told
    assert counts.without_scene.total() == 11


@pytest.mark.slow
def test_the_preset_mixes_families_with_living_scenes_of_domains():
    wanted = (Category.DIRECT_COMMAND, Category.ATTRIBUTE_REASONING)
    settings = GenerationSettings(
        n=10, seed=3, preset="time", categories=wanted, tasks_per_scene=2, domains=("home",)
    )
    found = list(generate(settings))
    assert Counter(one.quota.label for one in found) == dict.fromkeys(
        (*PRESETS["time"].families, *wanted), 1
    )
    ordinary = [one for one in found if not one.quota.family]
    assert len(ordinary) == 2
    for one in ordinary:
        live = LiveScene.of(one.scenario.scene)
        assert live is not None
        assert live.nodes


def test_other_presets_have_no_time():
    for preset in ("small", "standard", "hard"):
        settings = GenerationSettings(n=1, preset=preset, tasks_per_scene=1, bands=("easy",))
        assert settings.sources_of(None) == ("",)
        assert not settings.preset_values.processes
    settings = GenerationSettings(n=1, seed=3, preset="small", tasks_per_scene=1)
    (one,) = generate(settings)
    assert LiveScene.of(one.scenario.scene) is None


@pytest.mark.slow
def test_twenty_scenarios_of_the_preset_are_sound(tmp_path):
    flags = ["--preset", "time", "--n", "20", "--seed", "1", "--jobs", "1"]
    done = run("generate", *flags, "--out", tmp_path / "a")
    assert done.exit_code == 0, done.output
    checked = run("validate", tmp_path / "a")
    assert checked.exit_code == 0, checked.output
    assert "20 certificates replayed, 0 stale" in checked.stdout
    assert "20 sound, 0 with findings" in checked.stdout
