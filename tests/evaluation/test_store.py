"""The database of a run: what goes in comes out, whole or not at all."""

import sqlite3
from pathlib import Path

import pytest
from pydantic import BaseModel

from earsim.errors import FileError, UnknownName
from earsim.evaluation.store import database as store_module
from earsim.evaluation.store.blobs import LONG, BlobStore, unpack
from earsim.evaluation.store.database import DATABASE, Store
from earsim.evaluation.store.records import EpisodeRecord, Writing
from earsim.evaluation.store.rows import CallRow, EpisodeRow, StateRow, StepRow
from earsim.schema import OutcomeRecord, StepRecord
from earsim.schema.records.model_call import ModelCall

LONG_TEXT = "Kitchen: a lone surrogate \ud800 and \x00, " * 20
OUTCOME = OutcomeRecord(agent="eva", command="LOOK", verb="LOOK", status="SUCCESS", facts={"n": 1})


def row(episode: str = "cell/hut/light/0", **changes: object) -> EpisodeRow:
    values = {
        "episode": episode, "cell": "cell", "suite": "hut", "scenario_id": "hut/light",
        "scenario_hash": "0" * 64, "category": "direct_command", "level": "L1",
        "ruleset": "physical/2", "policy": "stub", "model": None, "style": None,
        "knowledge": "explore", "repeat": 0, "seed": 0, "agents": 1, "outcome": "success",
        "termination": "done", "success_latched": True, "success_final": True,
        "claimed_done": True, "decisions": 1, "first_true": 0, "score": 1.0, "error": None,
        "memory": {"a": [1]}, "extra": {"budget": 6}, "started_at": 1.0, "wall_ms": 2.0,
    }  # fmt: skip
    return EpisodeRow(**{**values, **changes})  # type: ignore[arg-type]


def record(episode: str = "cell/hut/light/0", **changes: object) -> EpisodeRecord:
    writing = Writing(episode)
    writing.step(
        StepRecord(decision=0, commands={"eva": "LOOK"}, outcomes=(OUTCOME,), digest="d", clock=1),
        unreadable=False,
    )
    writing.step(StepRecord(decision=1, commands={}, digest="e"), unreadable=True)
    request = {"messages": [{"role": "user", "content": LONG_TEXT}], "n": 1}
    writing.call(
        ModelCall(
            agent="", role="llm", decision=0, seq=0, request=request, request_hash="h",
            reply="a\ud800", prompt_tokens=7, completion_tokens=2, parsed={"eva": "LOOK"},
        )
    )  # fmt: skip
    return writing.finish(row(episode, **changes))


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(tmp_path / "run") as opened:
        yield opened


def test_what_goes_in_comes_out(store):
    store.add(record())
    assert list(store.episodes()) == [row()]
    assert store.episode("cell/hut/light/0") == row()
    readable, unreadable = store.steps("cell/hut/light/0")
    assert readable == StepRow("cell/hut/light/0", 0, {"eva": "LOOK"}, (OUTCOME,), "d", 1.0)
    assert unreadable.commands is None
    (call,) = store.calls("cell/hut/light/0")
    assert call.request == {"messages": [{"role": "user", "content": LONG_TEXT}], "n": 1}
    assert (call.reply, call.parsed, call.from_cache) == ("a\ufffd", {"eva": "LOOK"}, False)
    assert store.cells() == ("cell",)
    assert store.usage()["cell"][:3] == (7, 2, None)


def test_columns_have_the_order_of_the_rows(store):
    for table, kind in (("episodes", EpisodeRow), ("steps", StepRow), ("calls", CallRow)):
        columns = store._connection.execute(f"PRAGMA table_info({table})").fetchall()
        assert tuple(name for _, name, *_ in columns) == kind._fields


def test_episodes_come_sorted_whatever_the_order_in_which_they_finished(store):
    for name in "bca":
        store.add(record(f"{name}/hut/light/0", cell=name))
    assert [each.cell for each in store.episodes()] == ["a", "b", "c"]
    assert [each.episode for each in store.episodes("b")] == ["b/hut/light/0"]


def test_a_long_text_is_kept_once_and_short_ones_stay_where_they_are(store):
    for repeat in range(3):
        store.add(record(f"cell/hut/light/{repeat}"))
    assert store._connection.execute("SELECT count(*) FROM texts").fetchone() == (1,)
    packed = BlobStore().pack({"a": "x" * (LONG - 1), "b": ["y" * LONG, 3, None]})
    assert packed["a"] == "x" * (LONG - 1)
    assert packed["b"][0].keys() == {"$text"}


def test_packing_can_be_undone():
    value = {"a": ["z" * 500, {"b": LONG_TEXT}], "c": [True, None, 1.5]}
    passages = BlobStore()
    assert unpack(passages.pack(value), passages.bodies.__getitem__) == value


def test_another_attempt_replaces_the_first(store):
    store.add(record(outcome="no_measurement", error="gone"))
    store.add(record())
    assert store.outcomes() == {"cell/hut/light/0": "success"}
    assert len(list(store.steps("cell/hut/light/0"))) == 2
    store.forget(["cell/hut/light/0"])
    assert (list(store.episodes()), list(store.calls("cell/hut/light/0"))) == ([], [])


def test_an_episode_that_cannot_be_written_leaves_nothing(store):
    broken = record()._replace(calls=(("too", "few"),))
    with pytest.raises(FileError):
        store.add(broken)
    assert (store.outcomes(), list(store.steps("cell/hut/light/0"))) == ({}, [])


def test_a_full_disk_is_said_and_costs_nothing_that_was_finished(store):
    for repeat in range(3):
        store.add(record(f"cell/hut/light/{repeat}"))
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    long = "".join(chr(33 + n * n % 90) for n in range(100_000))
    with pytest.raises(OSError, match=r"full; every finished episode is kept") as found:
        store.add(record("cell/hut/carry/0", error=long))
    assert found.value.filename == str(store.path)
    store._connection.execute("PRAGMA max_page_count = 1000000")
    assert len(store.outcomes()) == 3
    store.add(record("cell/hut/carry/0", error=long))
    assert len(store.outcomes()) == 4


def test_reading_while_somebody_writes(store):
    store.add(record())
    with Store.open(store.path.parent, readonly=True) as reader:
        assert len(reader.outcomes()) == 1
        store.add(record("cell/hut/carry/0"))
        assert len(reader.outcomes()) == 2
        with pytest.raises(OSError, match="readonly"):
            reader.add(record())


def test_a_finished_run_is_one_file_that_may_lie_where_nobody_writes(tmp_path):
    with Store.open(tmp_path) as store:
        store.add(record())
    assert [path.name for path in tmp_path.iterdir()] == [DATABASE]
    (tmp_path / DATABASE).chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with Store.open(tmp_path, readonly=True) as store:
            assert store.outcomes() == {"cell/hut/light/0": "success"}
    finally:
        tmp_path.chmod(0o755)


def test_copying_from_another_run(store, tmp_path):
    with Store.open(tmp_path / "other") as other:
        for repeat in range(2):
            other.add(record(f"cell/hut/light/{repeat}"))
        store.absorb(other.path, ["cell/hut/light/1"])
        assert list(store.calls("cell/hut/light/1")) == list(other.calls("cell/hut/light/1"))
    assert list(store.outcomes()) == ["cell/hut/light/1"]


def test_what_is_no_database_is_told(tmp_path):
    with pytest.raises(FileError, match="there is no database"):
        Store.open(tmp_path, readonly=True)
    (tmp_path / DATABASE).write_text("something else, and long enough to be looked at " * 30)
    with pytest.raises(FileError, match="not a database"):
        Store.open(tmp_path, readonly=True)


def test_a_database_of_another_version_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "VERSION", 99)
    Store.open(tmp_path).close()
    monkeypatch.undo()
    with pytest.raises(FileError, match="version 99"):
        Store.open(tmp_path, readonly=True)


def test_an_unknown_episode_has_near_misses(store):
    store.add(record())
    with pytest.raises(UnknownName, match="did you mean 'cell/hut/light/0'"):
        store.episode("cell/hut/ligth/0")


def test_only_three_outcomes_can_be_stored(store):
    with pytest.raises(FileError, match="CHECK"):
        store.add(record(outcome="perhaps"))


def test_the_tables_are_plain_sqlite(store):
    store.add(record())
    with sqlite3.connect(store.path) as db:
        found = db.execute("SELECT outcome, count(*) FROM episodes GROUP BY outcome").fetchall()
    db.close()
    assert found == [("success", 1)]


class Facts(BaseModel):
    regime: int | None = None
    tried: list[float] = []


def remembering(episode="cell/hut/light/0"):
    writing = Writing(episode)
    for decision, facts in enumerate((Facts(), Facts(), Facts(regime=3, tried=[4.5]))):
        writing.state(decision, facts)
    return writing.finish(row(episode))


def tables(store):
    return {name for (name,) in store._connection.execute("SELECT name FROM sqlite_master")}


def test_a_typed_memory_is_kept_with_the_decision_that_changed_it(store):
    store.add(remembering())
    assert list(store.states("cell/hut/light/0")) == [
        StateRow("cell/hut/light/0", 0, "Facts", {"regime": None, "tried": []}),
        StateRow("cell/hut/light/0", 2, "Facts", {"regime": 3, "tried": [4.5]}),
    ]
    store.add(remembering())
    assert len(list(store.states("cell/hut/light/0"))) == 2
    store.forget(["cell/hut/light/0"])
    assert list(store.states("cell/hut/light/0")) == []


def test_without_a_typed_memory_the_database_has_no_table_for_it(store):
    store.add(record())
    assert "states" not in tables(store)
    assert list(store.states("cell/hut/light/0")) == []


def test_typed_memories_are_copied_from_another_run(store, tmp_path):
    with Store.open(tmp_path / "other") as other:
        other.add(remembering("a/hut/light/0"))
    store.absorb(tmp_path / "other" / DATABASE, ["a/hut/light/0"])
    assert len(list(store.states("a/hut/light/0"))) == 2
    with Store.open(tmp_path / "third") as third:
        third.add(record("b/hut/light/0"))
    store.absorb(tmp_path / "third" / DATABASE, ["b/hut/light/0"])
    assert len(list(store.episodes())) == 2
