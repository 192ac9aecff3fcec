"""Runs in the formats of other tools: the documented shape, and what their own readers say."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from earsim.evaluation.formats.conversation import conversation
from earsim.evaluation.formats.inspect_log import write_inspect_log
from earsim.evaluation.formats.lm_eval import write_lm_eval
from earsim.evaluation.formats.recorded import recorded_cells
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.store.database import Store
from tests.evaluation.runs import call, outcome, recorded, row, run, step

READ_INSPECT = """
import json, sys
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries
log = read_eval_log(sys.argv[1], resolve_attachments=True)
short = read_eval_log_sample_summaries(sys.argv[1])
print(json.dumps({
    "status": log.status,
    "version": log.version,
    "model": log.eval.model,
    "success": log.results.scores[0].metrics["success"].value,
    "samples": sorted(
        (s.id, s.epoch, s.scores["success"].value if s.scores else None, len(s.messages),
         None if s.error is None else s.error.message)
        for s in log.samples
    ),
    "events": [
        (e.event, e.span_id and spans[e.span_id],
         [str(m.content) for m in e.input] if e.event == "model" else
         (e.function, e.result, e.error and e.error.message) if e.event == "tool" else None)
        for s in log.samples if s.id == "scene/b"
        for spans in [{b.id: b.name for b in s.events if b.event == "span_begin"}]
        for e in s.events
    ],
    "summaries": len(short),
    "tokens": sum(usage.total_tokens for usage in log.stats.model_usage.values()),
}))
"""

READ_LM_EVAL = """
import json, sys
from pathlib import Path
from lm_eval import utils
names = [f"model/{path.name}" for path in Path(sys.argv[1]).iterdir()]
(results,) = utils.get_results_filenames(names)
samples = utils.get_sample_results_filenames(names)
found = json.loads(Path(sys.argv[1], Path(results).name).read_text())
rows = {
    column: [line.split("|")[1:-1] for line in utils.make_table(found, column).splitlines()[2:]]
    for column in ("results", "groups")
}
print(json.dumps({
    "tasks": [utils.get_file_task_name(name) for name in samples],
    "dates": sorted(utils.get_file_datetime(name) for name in [results, *samples]),
    **rows,
}))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of one success, one failure and one episode without a measurement."""
    won = {"outcome": "success", "success_final": True, "success_latched": True, "first_true": 0}
    records = [
        recorded(row("scene/a", **won), calls=[call(0), call(1, reply="Action: DONE \ud800")]),
        recorded(
            row("scene/b", repeat=1),
            [step(0, outcome("EXPLORE"), outcome("GRAB lamp", "too_far", agent="tom"))],
            [call(0, finish_reason="length", reasoning="It is dark.")],
        ),
        recorded(row("scene/c", outcome="no_measurement", error="the server is gone")),
    ]
    return run(tmp_path / "run", records)


def exported(folder: Path) -> dict[str, Any]:
    """The members of the `.eval` file of a run, parsed."""
    path = folder / "log.eval"
    with Store.open(folder, readonly=True) as store:
        (cell,) = recorded_cells(folder, store)
        write_inspect_log(cell, path)
    with zipfile.ZipFile(path) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def told_by(package: str, script: str, path: Path) -> Any:
    """What another tool says of a file: with it here, or in the Python that a variable names."""
    variable = f"{package.removesuffix('_ai').upper()}_PYTHON"
    python = os.environ.get(variable, sys.executable)
    probe = subprocess.run([python, "-c", f"import {package}"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip(f"{package} is not installed; {variable} may name a Python that has it")
    command = [python, "-c", script, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_archive_has_the_members_that_inspect_looks_for(folder):
    found = exported(folder)
    assert set(found) == {
        "_journal/start.json",
        "header.json",
        "summaries.json",
        "samples/scene/a_epoch_1.json",
        "samples/scene/b_epoch_2.json",
        "samples/scene/c_epoch_1.json",
    }
    header = found["header.json"]
    assert (header["version"], header["status"]) == (2, "success")
    assert header["results"]["completed_samples"] == 2
    assert header["eval"]["model"] == "m"


def test_scores_usage_and_errors_are_those_of_the_run(folder):
    found = exported(folder)
    won, failed, lost = (
        found[f"samples/scene/{name}.json"] for name in ("a_epoch_1", "b_epoch_2", "c_epoch_1")
    )
    assert won["scores"]["success"]["value"] == 1
    assert won["model_usage"]["m"]["total_tokens"] == 220
    assert [each["role"] for each in won["messages"]] == ["user", "assistant"] * 2
    assert failed["scores"]["success"]["value"] == 0
    assert failed["output"]["choices"][0]["stop_reason"] == "max_tokens"
    assert "scores" not in lost
    assert lost["error"]["message"] == "the server is gone"


def test_the_transcript_tells_each_decision(folder):
    found = exported(folder)
    sample = found["samples/scene/b_epoch_2.json"]
    events = sample["events"]
    assert [each["event"] for each in events] == [
        *("sample_init", "span_begin", "model", "tool", "tool", "span_end", "score")
    ]
    assert {each.get("span_id") for each in events[1:-1]} == {events[1]["id"]}
    model, explored, refused = events[2:5]
    (sent,) = model["input"]
    assert sample["attachments"][sent["content"].removeprefix("attachment://")] == "turn 0"
    assert model["output"]["choices"][0]["stop_reason"] == "max_tokens"
    assert model["output"]["choices"][0]["message"]["content"][0]["reasoning"] == "It is dark."
    assert explored["arguments"] == {"agent": "eva", "command": "EXPLORE"}
    assert "error" not in explored
    assert refused["error"]["message"] == "too_far"
    assert [each["timestamp"] for each in events] == sorted(each["timestamp"] for each in events)
    lost = found["samples/scene/c_epoch_1.json"]["events"]
    assert [each["event"] for each in lost] == ["sample_init", "error"]


def test_a_prompt_that_is_sent_again_is_stored_once(tmp_path):
    said = [{"role": "system", "content": "You are eva."}]
    calls = []
    for turn in range(20):
        said = [*said, {"role": "user", "content": f"turn {turn} " + "x" * 500}]
        calls.append(call(turn, request={"messages": said, "temperature": float("nan")}))
    found = exported(run(tmp_path / "run", [recorded(row("scene/a"), calls=calls)]))
    sample = found["samples/scene/a_epoch_1.json"]
    assert len(sample["attachments"]) == 21
    last = [each for each in sample["events"] if each["event"] == "model"][-1]
    assert [each["role"] for each in last["input"]] == ["system", *["user"] * 20]
    assert last["config"] == {}


def test_the_numbers_are_those_of_the_report(folder):
    metrics = exported(folder)["header.json"]["results"]["scores"][0]["metrics"]
    (subject,) = read_groups([folder])
    assert metrics["success"]["value"] == METRICS["success"].one(subject.episodes).value
    assert metrics["tokens.total[llm]"]["metadata"]["n"] == 2


def test_one_run_gives_the_same_bytes_twice(folder):
    exported(folder)
    first = (folder / "log.eval").read_bytes()
    exported(folder)
    assert (folder / "log.eval").read_bytes() == first


def test_inspect_opens_it(folder):
    exported(folder)
    assert told_by("inspect_ai", READ_INSPECT, folder / "log.eval") == {
        "status": "success",
        "version": 2,
        "model": "m",
        "success": pytest.approx(1 / 3),
        "samples": [
            ["scene/a", 1, 1, 4, None],
            ["scene/b", 2, 0, 2, None],
            ["scene/c", 1, None, 0, "the server is gone"],
        ],
        "events": [
            ["sample_init", None, None],
            ["span_begin", "decision 0", None],
            ["model", "decision 0", ["turn 0"]],
            ["tool", "decision 0", ["EXPLORE", "", None]],
            ["tool", "decision 0", ["GRAB", "", "too_far"]],
            ["span_end", "decision 0", None],
            ["score", None, None],
        ],
        "summaries": 3,
        "tokens": 330,
    }


# -- lm-evaluation-harness -----------------------------------------------------------------------


def test_results_have_the_keys_of_the_harness(folder, tmp_path):
    with Store.open(folder, readonly=True) as store:
        (cell,) = recorded_cells(folder, store)
        path = write_lm_eval(cell, tmp_path / "out")
    found = json.loads(path.read_text("utf-8"))
    assert path.name.startswith("results_2023-11-14T22-13-20.")
    assert set(found) >= {
        "results", "group_subtasks", "configs", "versions", "n-shot", "higher_is_better",
        "n-samples", "config", "git_hash", "date", "task_hashes",
    }  # fmt: skip
    assert found["results"]["starter"]["success,none"] == pytest.approx(1 / 3)
    assert found["results"]["starter"]["success_stderr,none"] > 0
    assert found["group_subtasks"] == {"starter": ["starter_direct_command"]}
    assert found["n-samples"]["starter_direct_command"] == {"original": 3, "effective": 2}
    for task, numbers in found["results"].items():
        assert (numbers["name"], numbers["alias"], numbers["sample_len"]) == (task, task, 3)


def test_the_harness_reads_it(folder, tmp_path):
    with Store.open(folder, readonly=True) as store:
        (cell,) = recorded_cells(folder, store)
        path = write_lm_eval(cell, tmp_path / "out")
    found = told_by("lm_eval", READ_LM_EVAL, path.parent)
    assert found["tasks"] == ["starter_direct_command"]
    date = path.stem.removeprefix("results_")
    assert found["dates"] == [date, f"{date}.json"]  # it takes off the ending of samples alone
    (rate,) = (row for row in found["groups"] if row[4].strip() == "success")
    assert [cell.strip() for cell in rate] == [
        *("", "", "none", "", "success", "\u2191", "0.3333", "\u00b1", rate[-1].strip())
    ]
    assert len(found["results"]) == 2 * len(found["groups"])


def test_samples_are_one_line_each(folder, tmp_path):
    with Store.open(folder, readonly=True) as store:
        (cell,) = recorded_cells(folder, store)
        path = write_lm_eval(cell, tmp_path / "out")
    (samples,) = path.parent.glob("samples_*.jsonl")
    lines = [json.loads(line) for line in samples.read_text("utf-8").splitlines()]
    assert [line["doc_id"] for line in lines] == [0, 1, 2]
    assert lines[0]["resps"] == [["Action: EXPLORE", "Action: DONE \ufffd"]]
    assert {"doc", "target", "arguments", "filtered_resps", "doc_hash"} <= set(lines[0])
    assert [line["success"] for line in lines] == [1.0, 0.0, 0.0]


# -- conversations -------------------------------------------------------------------------------


def test_a_system_message_is_told_once(folder, tmp_path):
    system = {"role": "system", "content": "rules"}
    sent = [
        call(n, request={"messages": [system, {"role": "user", "content": f"turn {n}"}]})
        for n in range(2)
    ]
    other = run(tmp_path / "other", [recorded(row("a"), calls=sent)])
    with Store.open(other, readonly=True) as store:
        (episode,) = store.episodes()
        found = conversation([], list(store.calls(episode.episode)))
    assert [each.role for each in found] == ["system", "user", "assistant", "user", "assistant"]


def test_an_episode_without_a_model_is_told_by_its_commands(stub, sweep, here, hut):
    models = [{"policy": "walkthrough"}]
    list(Evaluation(sweep(models=models), here / "run").run())
    members = exported(here / "run")
    light = members["samples/hut/light_epoch_1.json"]
    assert light["messages"][0] == {
        "role": "assistant",
        "content": "eva: EXPLORE",
        "source": "generate",
        "model": "earsim/walkthrough",
    }
    assert light["scores"]["success"]["value"] == 1
