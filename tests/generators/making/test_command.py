"""`earsim generate`: the folder that it makes, and what the other commands make of that."""

import json

import pytest
from typer.testing import CliRunner

from earsim.cli.app import app
from earsim.suites import open_suite

HERE = ["--jobs", "1"]
FLAGS = ["generate", "--n", "14", "--preset", "small", "--seed", "3", *HERE]


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "160"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("generated") / "suite"
    done = run(*FLAGS, "--out", path)
    assert done.exit_code == 0, done.output
    assert "14 scenarios, all certified" in done.stdout
    return path


@pytest.mark.slow
def test_what_is_in_the_folder(folder):
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["generation.json", "suite.certificates.jsonl", "suite.jsonl.gz"]


@pytest.mark.slow
def test_other_commands_open_it_unchanged(folder):
    suite = folder / "suite.jsonl.gz"
    assert run("validate", suite).exit_code == 0
    listed = run("list", suite, "--json")
    assert len(json.loads(listed.stdout)) == 14
    first = json.loads(listed.stdout)[0]["id"]
    assert run("show", f"{suite}/{first.rpartition('/')[2]}").exit_code == 0
    assert run("plan", f"{suite}/{first.rpartition('/')[2]}").exit_code == 0
    assert run("certify", suite, "--limit", "2", "--out", folder / "again").exit_code == 0
    played = run("run", suite, "--policy", "oracle", "--limit", "2", "--out", folder / "run")
    assert played.exit_code == 0


@pytest.mark.slow
def test_certificates_are_found_and_current(folder):
    done = run("validate", folder / "suite.jsonl.gz")
    assert "14 certificates replayed, 0 stale" in done.stdout


def test_the_record_says_how_it_was_made(folder):
    record = json.loads((folder / "generation.json").read_text())
    assert record["schema"] == "earsim.generation/1"
    assert record["settings"]["seed"] == 3
    assert record["scenarios"] == sum(part["scenarios"] for part in record["parts"].values()) == 14
    assert set(record["versions"]) == {"earsim", "generator", "planner", "ruleset"}
    assert record["rejection_share"] <= 0.5
    told = sum(sum(entry["rejected"].values()) for entry in record["by_category"].values())
    assert told == record["rejected"]


def test_it_says_what_each_domain_could_not_give(folder):
    record = json.loads((folder / "generation.json").read_text())
    sources = record["by_source"]
    assert sum(each["scenes"] for each in sources.values()) == record["parts"]["suite"]["scenes"]
    rejected = sum(
        count
        for each in sources.values()
        for reasons in each["rejected"].values()
        for count in reasons.values()
    )
    assert rejected == record["rejected"]
    for each in sources.values():
        assert set(each["not_given"]) == set(each["rejected"]) - set(each["given"])
    lacking = {name: each for name, each in sources.items() if each["not_given"]}
    assert lacking  # of this seed
    told = " ".join(run(*FLAGS, "--out", folder).stdout.split())
    for name, each in lacking.items():
        for label in each["not_given"]:
            (reason, count), *_ = each["rejected"][label].items()
            assert f"{name} gave no {label}: {count} {reason}" in told


def test_the_same_command_again_makes_nothing_new(folder):
    before = (folder / "suite.jsonl.gz").stat().st_mtime_ns
    assert run(*FLAGS, "--out", folder).exit_code == 0
    assert (folder / "suite.jsonl.gz").stat().st_mtime_ns == before


@pytest.mark.slow
def test_doors_that_there_is_no_place_for_are_told_and_recorded(tmp_path):
    flags = ["--n", "7", "--preset", "small", "--doors", "9", *HERE]
    done = run("generate", *flags, "--out", tmp_path / "a")
    assert done.exit_code == 0, done.output
    (part,) = json.loads((tmp_path / "a/generation.json").read_text())["parts"].values()
    shortfalls = part["shortfalls"]
    assert sum(shortfalls.values()) == part["scenes"]
    assert all(what.endswith("doors of 9") for what in shortfalls)
    for what, count in shortfalls.items():
        assert f"{count} of these scenes have only {what} asked for" in done.stdout


def test_another_suite_does_not_take_its_place(folder):
    done = run("generate", "--n", "7", "--preset", "small", "--out", folder)
    assert done.exit_code == 2
    assert "choose another folder" in " ".join(done.output.split())


@pytest.mark.slow
def test_the_same_bytes_as_from_the_library(folder):
    from earsim_generators import GenerationSettings, generate

    lines = [one.line for one in generate(GenerationSettings(n=14, seed=3, preset="small"))]
    suite = open_suite(folder / "suite.jsonl.gz")
    assert list(suite.ids) == [json.loads(line)["id"] for line in lines]


@pytest.mark.slow
def test_what_a_killed_run_left_is_cleared_away(tmp_path):
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite/.suite.jsonl.gz.123.partial").write_bytes(b"torn")
    flags = ["--n", "7", "--preset", "small", *HERE]
    assert run("generate", *flags, "--out", tmp_path / "suite").exit_code == 0
    assert not list((tmp_path / "suite").glob(".*"))


@pytest.mark.slow
def test_for_programs(tmp_path):
    flags = ["--n", "7", "--preset", "small", "--json", *HERE]
    done = run("generate", *flags, "--out", tmp_path / "a")
    assert json.loads(done.stdout)["scenarios"] == 7


def test_splits(tmp_path):
    flags = ["--preset", "small", "--domain", "home", "--domain", "office", *HERE, "--splits"]
    done = run("generate", "--n", "35", *flags, "--out", tmp_path / "all")
    assert done.exit_code == 0, done.output
    counts = {
        path.name.removesuffix(".jsonl.gz"): len(open_suite(path))
        for path in (tmp_path / "all").glob("*.jsonl.gz")
    }
    expected = {"train": 23, "validation": 4, "test": 4, "test_vocabulary": 2, "test_domain": 2}
    assert counts == expected
    one = run("generate", "--n", "7", *flags[:-1], "--split", "test", "--out", tmp_path / "one")
    assert one.exit_code == 0, one.output
    assert (tmp_path / "one" / "test.jsonl.gz").exists()


def test_a_domain_file_of_ones_own(tmp_path):
    from earsim_generators.catalogue import domain as load

    source = (load._FOLDER / "home.yaml").read_text(encoding="utf-8")
    own = tmp_path / "cottage.yaml"
    own.write_text(source.replace("id: home\n", "id: cottage\n", 1), encoding="utf-8")
    flags = ["--n", "7", "--preset", "small", "--domain", own, *HERE]
    done = run("generate", *flags, "--out", tmp_path / "own")
    assert done.exit_code == 0, done.output
    assert all(id.startswith("cottage_") for id in open_suite(tmp_path / "own/suite.jsonl.gz").ids)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--preset", "smal"], "did you mean 'small'"),
        (["--preset", "tiny"], "unknown preset 'tiny'; choose from small, standard, hard"),
        (["--domain", "nowhere"], "unknown domain 'nowhere'; choose from clinic, data_centre"),
        (["--difficulty", "tricky"], "bands"),
        (
            ["--rooms", "3", "--locked", "5"],
            "the settings: a scene cannot be like that: 5 of 2 doors are locked",
        ),
        (["--splits", "--split", "test"], "give one of the two"),
        (["--split", "exam"], "expected one of train"),
        (["--domain", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_wrong_input_is_told(tmp_path, flags, words):
    done = run("generate", "--n", "7", *flags, "--out", tmp_path / "x")
    assert done.exit_code == 2
    assert words in " ".join(done.output.split())
    assert not (tmp_path / "x").exists()
