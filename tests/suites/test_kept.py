"""Scenarios that were read before: what is kept in memory and on disk is what was read."""

import gzip
import re
import sqlite3

import gymnasium as gym
import pytest

from earsim.envs import SINGLE_ID
from earsim.errors import FileError
from earsim.suites import open_suite, pack, scenario_cache
from earsim.suites.kept import KeptSuite
from earsim.suites.packed import PackedSuite


@pytest.fixture
def cache_dir(tmp_path, monkeypatch):
    folder = tmp_path / "made" / "when needed"
    monkeypatch.setenv("EARSIM_CACHE_DIR", str(folder))
    yield folder
    scenario_cache._opened.cache_clear()


def packed(path, number=4):
    suite = open_suite("starter")
    pack([suite.load(id) for id in suite.ids[:: len(suite.ids) // number]], path)
    return PackedSuite(path)


def read(suite):
    """Everything about the scenarios of a suite, as a process finds it that comes new to it."""
    kept = KeptSuite(suite)
    scenarios = [kept.load(id) for id in suite.ids]
    return [(repr(scenario), scenario.hash) for scenario in scenarios]


def test_a_later_process_reads_no_file_again(tmp_path, cache_dir, monkeypatch):
    suite = packed(tmp_path / "suite.jsonl")
    expected = [(repr(scenario), scenario.hash) for scenario in suite]
    assert read(suite) == expected
    monkeypatch.delattr(PackedSuite, "load")
    scenario_cache._opened.cache_clear()
    assert read(PackedSuite(tmp_path / "suite.jsonl")) == expected


@pytest.mark.slow
def test_environments_tell_the_same_from_the_cache(ear_bench_dir, cache_dir):
    def told():
        env = gym.make(SINGLE_ID, suite="eval-single", admissible_commands=True).unwrapped
        return [env.reset(options={"scenario": id}) for id in env.source.ids[:80:8]]

    without = told()
    suite = open_suite("eval-single")
    assert read(suite.select(limit=9)) == read(suite.select(limit=9))
    assert told() == without
    assert told() == without


def test_a_file_that_changed_is_read_anew(tmp_path, cache_dir):
    path = tmp_path / "suite.jsonl.gz"
    suite = packed(path)
    before = read(suite)
    text = gzip.decompress(path.read_bytes()).decode()
    heavier = re.sub(r'"mass_kg":(\d)', r'"mass_kg":1\1', text)
    path.write_bytes(gzip.compress(heavier.encode()))
    after = read(PackedSuite(path))
    assert all(new != old for new, old in zip(after, before, strict=True))
    assert after == [(repr(scenario), scenario.hash) for scenario in PackedSuite(path)]


def test_other_code_reads_the_files_anew(tmp_path, cache_dir, monkeypatch):
    suite = packed(tmp_path / "suite.jsonl")
    read(suite)
    monkeypatch.setattr(scenario_cache, "_code", lambda: b"the next version")
    monkeypatch.delattr(PackedSuite, "load")
    with pytest.raises(AttributeError):
        read(PackedSuite(tmp_path / "suite.jsonl"))


def test_what_cannot_be_loaded_is_refused_every_time(tmp_path, cache_dir):
    path = tmp_path / "suite.jsonl"
    packed(path)
    path.write_text(path.read_text("utf-8").replace('"rooms":', '"roomz":'), encoding="utf-8")
    suite = PackedSuite(path)
    for _ in range(2):
        with pytest.raises(FileError, match="roomz"):
            KeptSuite(suite).load(suite.ids[0])


def test_a_full_cache_keeps_no_more(tmp_path, cache_dir, monkeypatch):
    monkeypatch.setattr(scenario_cache, "MAX_BYTES", 40_000)
    suite = packed(tmp_path / "suite.jsonl", number=12)
    expected = [(repr(scenario), scenario.hash) for scenario in suite]
    assert read(suite) == expected
    assert read(suite) == expected
    assert (cache_dir / scenario_cache.FILE).stat().st_size <= 40_960


@pytest.mark.parametrize("there", ["a text", "a folder", "a file above"])
def test_what_is_no_cache_is_refused_by_its_name(tmp_path, cache_dir, there):
    file = cache_dir / scenario_cache.FILE
    if there == "a file above":
        cache_dir.parent.write_text("no folder", encoding="utf-8")
    elif there == "a folder":
        file.mkdir(parents=True)
    else:
        cache_dir.mkdir(parents=True)
        file.write_text("no database " * 100, encoding="utf-8")
    suite = packed(tmp_path / "suite.jsonl")
    with pytest.raises(FileError, match=r"scenarios\.sqlite.*EARSIM_CACHE_DIR"):
        read(suite)


def test_nothing_is_written_unless_a_folder_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("EARSIM_CACHE_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sqlite3, "connect", None)
    suite = packed(tmp_path / "suite.jsonl")
    assert read(suite) == read(suite)
    assert [path.name for path in tmp_path.iterdir()] == ["suite.jsonl"]
