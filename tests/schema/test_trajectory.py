from pathlib import Path

import pytest

from earsim.errors import FileError
from earsim.schema import (
    OutcomeRecord,
    Result,
    StepRecord,
    Trajectory,
    load_trajectory,
    save_trajectory,
)


def _trajectory() -> Trajectory:
    outcome = OutcomeRecord(
        agent="nurse",
        command="GRAB \x1b[2J\u2028cup",
        verb="GRAB",
        status="rejected",
        reason="overweight",
        message="It is\ntoo heavy.",
        facts={"mass_kg": 62, "ids": ("cup", "nurse")},
    )
    steps = tuple(
        StepRecord(
            decision=index,
            commands={"nurse": "GRAB cup"},
            outcomes=(outcome,),
            digest=f"d{index}",
            clock=float(index),
        )
        for index in range(3)
    )
    return Trajectory(
        scenario_id="clinic/a",
        scenario_hash="ab12",
        ruleset="physical/2",
        env_version="0",
        policy="oracle",
        seed=3,
        steps=steps,
        result=Result(
            success_latched=True,
            success_final=False,
            claimed_done=True,
            termination="done",
            decisions=3,
            score=0.5,
        ),
        memory={"plan": [1, None, "x"]},
    )


def test_a_trajectory_reads_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    save_trajectory(_trajectory(), path)
    assert load_trajectory(path) == _trajectory()
    assert len(path.read_text(encoding="utf-8").splitlines()) == 5
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.jsonl"]


def test_lone_surrogates_of_a_model_do_not_spoil_a_record(tmp_path: Path) -> None:
    step = StepRecord(decision=0, commands={"a": "GRAB \ud800"})
    assert step.commands == {"a": "GRAB \ufffd"}


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_a_torn_file_is_refused_or_read_as_far_as_it_goes(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.jsonl"
    save_trajectory(_trajectory(), path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:3]) + lines[3][:cut], encoding="utf-8")
    with pytest.raises(FileError, match=r"a\.jsonl:4: the last line is torn"):
        load_trajectory(path)
    partial = load_trajectory(path, partial=True)
    assert partial.result is None
    assert [step.decision for step in partial.steps] == [0, 1]


def test_a_file_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    save_trajectory(_trajectory(), path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(FileError, match=r"a\.jsonl:4: no end record"):
        load_trajectory(path)
    assert len(load_trajectory(path, partial=True).steps) == 3


@pytest.mark.parametrize(
    ("line", "old", "new", "finding"),
    [
        (0, '"record":"header"', '"record":"step"', "no header"),
        (1, '"record":"step"', '"record":"stop"', r"a\.jsonl:2: unexpected record 'stop'"),
        (1, '"decision":0', '"decision":-1', r"a\.jsonl:2: steps\[0\]\.decision: -1"),
        (2, '"status":"rejected",', "", r"a\.jsonl:3: steps\[1\]\.outcomes\[0\]\.status: missing"),
        (2, '{"record"', '"record"', r"a\.jsonl:3: the line is no record"),
        (4, '"score":0.5', '"score":NaN', r"a\.jsonl:5: result\.score: nan"),
    ],
)
def test_a_wrong_record_is_named_with_its_line(
    tmp_path: Path, line: int, old: str, new: str, finding: str
) -> None:
    path = tmp_path / "a.jsonl"
    save_trajectory(_trajectory(), path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(FileError, match=finding):
        load_trajectory(path)
