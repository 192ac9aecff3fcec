"""An export: what is in its files, what is left out, and why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from earsim.errors import FileError, MissingExtra, UnknownName, UsageError
from earsim.evaluation.formats.trajectories import write_trajectories
from earsim.suites import open_suite
from earsim_training.export import files
from earsim_training.export.exporter import Export
from earsim_training.export.settings import ExportSettings
from tests.recorded import play_run
from tests.training.exported import export, flat, replies, rows

COMPACT = {"telling": {"style": "compact"}}


def test_decisions_are_prompts_with_completions(tmp_path):
    tally = export(flat(tmp_path), tmp_path / "out", **COMPACT)
    found = rows(tmp_path / "out")
    assert tally.rows == len(found) + len(rows(tmp_path / "out", "episodes"))
    assert [message["role"] for message in found[0]["prompt"]] == ["system", "user"]
    assert found[0]["completion"][0]["role"] == "assistant"
    assert {row["category"] for row in found} == {
        "direct_command", "tool_use", "implicit_collaboration"
    }  # fmt: skip


def test_every_row_says_where_it_comes_from(tmp_path):
    export(flat(tmp_path), tmp_path / "out", **COMPACT)
    row = rows(tmp_path / "out")[0]
    scenario = open_suite(flat(tmp_path)).load(row["scenario_id"])
    assert row["scenario_hash"] == scenario.hash
    assert (row["scene_id"], row["policy"], row["ruleset"]) == ("flat", "expert", "physical/2")
    assert row["prompt_name"].startswith("compact@")
    assert json.loads(row["command"]) == {"ada": "EXPLORE"}
    assert row["id"] == "expert/flat/cup/0/0"


def test_episodes_are_whole_conversations(tmp_path):
    export(flat(tmp_path), tmp_path / "out", forms=("episodes", "decisions"))
    episode = rows(tmp_path / "out", "episodes")[0]
    own = [row for row in rows(tmp_path / "out") if row["episode"] == episode["episode"]]
    assert len(own) == len(episode["supervised"])
    assert episode["messages"] == own[-1]["prompt"] + own[-1]["completion"]
    roles = [message["role"] for message in episode["messages"]]
    assert roles == ["system", *["user", "assistant"] * len(own)]


def test_stray_replies_are_in_episodes_but_not_supervised(tmp_path):
    how = {"perturb": 0.4, "seed": 5}
    export(flat(tmp_path), tmp_path / "out", demonstrating=how)
    episodes = rows(tmp_path / "out", "episodes")
    assert any(not all(row["supervised"]) for row in episodes)
    assert len(rows(tmp_path / "out")) == sum(sum(row["supervised"]) for row in episodes)


def test_only_what_succeeded_is_taken(tmp_path):
    how = {"policy": "random", "repeats": 2}
    tally = export(flat(tmp_path), tmp_path / "a", demonstrating=how)
    assert tally.left["goal not reached"] > 0
    export(flat(tmp_path), tmp_path / "b", demonstrating=how, choosing={"failures": True})
    assert len(rows(tmp_path / "b")) > len(rows(tmp_path / "a"))
    assert {row["success"] for row in rows(tmp_path / "a")} <= {True}


def test_categories_are_chosen(tmp_path):
    tally = export(flat(tmp_path), tmp_path / "out", choosing={"categories": ["tool_use"]})
    assert {row["category"] for row in rows(tmp_path / "out")} == {"tool_use"}
    assert tally.left["category not asked for"] == 2


def test_optimality_is_a_ratio_to_the_certificate(tmp_path):
    assert Export("starter", ExportSettings(), tmp_path / "x", formats=["jsonl"], limit=3)
    kept = {}
    for least in (0.0, 1.0):
        choosing = {"optimality": least, "categories": ["direct_command"]}
        made = Export(
            "starter",
            ExportSettings.model_validate({"choosing": choosing, "forms": ("episodes",)}),
            tmp_path / f"out{least}",
            formats=["jsonl"],
            limit=12,
        )
        list(made.run(jobs=1))
        kept[least] = rows(tmp_path / f"out{least}", "episodes")
    assert len(kept[0.0]) > len(kept[1.0])
    assert all(row["plan"] >= row["decisions"] for row in kept[1.0])


def test_without_a_certificate_nothing_is_optimal(tmp_path):
    tally = export(flat(tmp_path), tmp_path / "out", choosing={"optimality": 0.5})
    assert tally.left == {"no certificate to tell how good it is": 3}
    assert not tally.rows


def test_rows_that_say_the_same_are_written_once(tmp_path):
    twice = {"repeats": 2}
    tally = export(flat(tmp_path), tmp_path / "a", demonstrating=twice, forms=("decisions",))
    amount = tally.amount("decisions", "train")
    assert amount.duplicates == amount.rows
    export(flat(tmp_path), tmp_path / "b", demonstrating=twice, choosing={"duplicates": True})
    assert len(rows(tmp_path / "b")) == 2 * len(rows(tmp_path / "a"))


def test_a_scene_is_in_one_split(tmp_path):
    home = flat(tmp_path, *(f"flat_{number}" for number in range(8)))
    export(home, tmp_path / "out", choosing={"validation": 0.4, "duplicates": True})
    scenes = {
        split: {row["scene_id"] for row in rows(tmp_path / "out", split=split)}
        for split in ("train", "validation")
    }
    assert scenes["train"]
    assert scenes["validation"]
    assert not scenes["train"] & scenes["validation"]


def test_nothing_that_is_validated_on_was_trained_on(tmp_path):
    home = flat(tmp_path, *(f"flat_{number}" for number in range(8)))
    export(home, tmp_path / "out", choosing={"validation": 0.4})
    # The scenes differ in their ids alone, so whichever split comes first has all there is.
    held = [bool(rows(tmp_path / "out", split=split)) for split in ("train", "validation")]
    assert sorted(held) == [False, True]


# -- where episodes come from ----------------------------------------------------------------------


def test_runs_give_the_rows_that_playing_gives(tmp_path):
    home = flat(tmp_path)
    run = play_run(tmp_path / "run", home, "expert")
    for source in (home, run):
        export(source, tmp_path / f"from_{source.name}", **COMPACT)
    played, recorded = (
        [
            (row["prompt"], row["completion"])
            for row in rows(tmp_path / f"from_{name}")
            if row["agents"] == 1  # a team that is played on the spot says WAIT, and so hears of it
        ]
        for name in ("flats", "run")
    )
    assert sorted(map(str, played)) == sorted(map(str, recorded))


def test_one_trajectory_is_enough(tmp_path):
    only = {"category": "direct_command", "limit": 1}
    run = play_run(tmp_path / "run", "starter", "walkthrough", **only)
    (path,) = write_trajectories(run, tmp_path / "files")
    tally = export(path, tmp_path / "out")
    assert tally.episodes == {"direct_command": 1}


def test_a_run_whose_scenarios_have_changed_is_told_apart(tmp_path):
    home = flat(tmp_path)
    play_run(tmp_path / "run", home, "expert")
    path = home / "flat.yaml"
    path.write_text(path.read_text().replace("mass_kg: 0.3", "mass_kg: 0.4"))
    tally = export(tmp_path / "run", tmp_path / "out")
    assert len(tally.problems) == 3
    assert "has changed since" in tally.problems[0]


def test_the_papers_records_are_written_and_read(tmp_path):
    telling = {"style": "paper", "grammar": "ear-bench", "rationale": True}
    export(flat(tmp_path), tmp_path / "a", telling=telling, forms=("records", "decisions"))
    records = json.loads((tmp_path / "a" / "records" / "train.json").read_text())
    assert set(records[0]) == {"system", "instruction", "output"}
    assert records[0]["output"].splitlines()[0].startswith("Thought: ")
    assert records[0]["output"].splitlines()[1].startswith("Agent_1_Action: ")
    export(tmp_path / "a" / "records" / "train.json", tmp_path / "b")
    ours, theirs = rows(tmp_path / "a"), rows(tmp_path / "b")
    assert [(r["prompt"], r["completion"]) for r in ours] == [
        (r["prompt"], r["completion"]) for r in theirs
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]", "expected a list"),
        ('[{"instruction": "x"}]', "[0].output"),
        ('[{"instruction": "x", "output": "y", "input": "z"}]', "[0].input"),
        ("[3]", "[0]"),
        ("[{", "train.json"),
    ],
)
def test_records_that_are_none_are_refused(tmp_path, text, expected):
    path = tmp_path / "train.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        export(path, tmp_path / "out")
    assert expected in str(caught.value)


# -- files -----------------------------------------------------------------------------------------


def test_parquet_and_json_lines_hold_the_same(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    made = Export(
        str(flat(tmp_path)), ExportSettings(), tmp_path / "out", formats=["parquet", "jsonl"]
    )
    list(made.run(jobs=1))
    for form in ("decisions", "episodes"):
        table = parquet.read_table(tmp_path / "out" / form / "train.parquet").to_pylist()
        assert table == rows(tmp_path / "out", form)


def test_json_lines_need_no_pyarrow(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    assert files.formats_at_hand() == ("jsonl",)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert export(flat(tmp_path), tmp_path / "out").rows
    with pytest.raises(MissingExtra, match=r"earsim\[report\]"):
        files.Parquet(tmp_path / "x.parquet")


def test_the_card_and_the_manifest_tell_what_there_is(tmp_path):
    export(flat(tmp_path), tmp_path / "out", **COMPACT)
    card = (tmp_path / "out" / "README.md").read_text()
    assert "path: decisions/train.jsonl" in card
    assert "| tool_use | 1 |" in card
    manifest = json.loads((tmp_path / "out" / "export.json").read_text())
    assert manifest["settings"]["telling"]["style"] == "compact"
    assert manifest["rows"]["decisions/train"] == len(rows(tmp_path / "out"))


def test_a_prompt_of_ones_own_is_kept_with_the_data(tmp_path):
    prompt = Path("training/earsim_training/recipes/tiny-prompt.md").resolve()
    telling = {"style": "compact", "prompt": str(prompt)}
    export(flat(tmp_path), tmp_path / "out", telling=telling)
    assert (tmp_path / "out" / "prompt.md").read_text() == prompt.read_text()
    assert rows(tmp_path / "out")[0]["prompt"][0] == {"role": "system", "content": ""}


@pytest.mark.slow
def test_the_same_bytes_for_any_number_of_processes_and_any_hash_seed(tmp_path):
    home = flat(tmp_path, "one", "two", "three")
    hashes = set()
    for jobs, seed in (("1", "1"), ("2", "2"), ("3", "3")):
        out = tmp_path / f"out{jobs}"
        command = [sys.executable, "-m", "earsim", "export-sft", str(home), "--out", str(out)]
        command += ["--perturb", "0.2", "--jobs", jobs, "--format", "jsonl"]
        env = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, check=True, capture_output=True, env=env)
        hashes.add(json.loads((out / "export.json").read_text())["hash"])
    assert len(hashes) == 1


def test_an_export_replaces_an_earlier_one_and_nothing_else(tmp_path):
    export(flat(tmp_path), tmp_path / "out")
    export(flat(tmp_path), tmp_path / "out", **COMPACT, forms=("decisions",))
    assert rows(tmp_path / "out")[0]["style"] == "compact"
    assert not rows(tmp_path / "out", "episodes")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    with pytest.raises(UsageError, match="holds something else"):
        export(flat(tmp_path), tmp_path / "mine")


def test_when_the_disk_is_full_nothing_half_written_is_left(tmp_path, monkeypatch):
    written = []

    def full(self, row):
        written.append(row)
        if len(written) > 3:
            raise OSError(28, "No space left on device", "train.jsonl")

    monkeypatch.setattr(files.JsonLines, "add", full)
    with pytest.raises(OSError, match="No space left"):
        export(flat(tmp_path), tmp_path / "out")
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("source", "settings", "error"),
    [
        ("no_such_suite", {}, UnknownName),
        ("starter", {"demonstrating": {"policy": "nobody"}}, UnknownName),
        ("starter", {"demonstrating": {"ruleset": "magic"}}, UnknownName),
    ],
)
def test_names_are_checked_before_anything_is_written(tmp_path, source, settings, error):
    with pytest.raises(error):
        Export(source, ExportSettings.model_validate(settings), tmp_path / "x", formats=["jsonl"])
    assert not (tmp_path / "x").exists()


def test_a_scenario_that_cannot_be_played_is_told_and_not_fatal(tmp_path):
    tally = export(flat(tmp_path), tmp_path / "out", demonstrating={"policy": "walkthrough"})
    assert len(tally.problems) == 3
    assert "no walkthrough" in tally.problems[0]
    assert replies(tmp_path / "out") if tally.rows else True
