"""A study that is killed at every moment of each stage, and goes on by the same commands."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from earsim.cli import app
from earsim.cli.evaluation.live_table import LiveTable
from earsim.evaluation.study.files import (
    GRADING,
    METRICS,
    REPORT,
    SCORES,
    SELECTION,
    StudyMetrics,
    StudySelection,
    read_stage,
)
from earsim.evaluation.study.grading import FactGrader
from earsim.evaluation.study.score import load_scores

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked and killed"),
]

STAGES = {
    "select": ("how fine must the grid of the shock tube be?", "--most", "3"),
    "customise": (
        *("--intent", "success, refused commands"),
        *("--metric", "waste=mean(cost_units where success = 1)"),
        *("--rubric", "runs=Does it run anything? | RUN | CONFIGURE"),
        *("--rubric", "reads=Does it read? | READ"),
    ),
    "evaluate": ("--policy", "walkthrough"),
    "report": (),
}
"""The commands of a study without a model."""

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def play(stage: str, study: Path) -> None:
    app(["study", stage, str(study), *STAGES[stage]], standalone_mode=False)


def killed(stage: str, study: Path, moment: int) -> bool:
    """Whether a process that ran a stage was killed at its so-manieth moment; else it finished.

    Moments are before each file of the study is opened to be written, renamed or removed, after
    each look at the run, and before each grade.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            _die_at(moment, str(study))
            play(stage, study)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, f"{stage}, moment {moment}"
    return os.WIFSIGNALED(status)


def _die_at(moment: int, study: str) -> None:
    seen = 0

    def count() -> None:
        nonlocal seen
        seen += 1
        if seen == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(event: str, args: tuple[Any, ...]) -> None:
        opens = event == "open" and isinstance(args[2], int) and args[2] & WRITES
        if (opens or event in ("os.rename", "os.remove")) and str(args[0]).startswith(study):
            count()

    look, grade = LiveTable.look, FactGrader.__call__

    def looked(self: LiveTable) -> None:
        look(self)
        count()

    def graded(self: FactGrader, *args: Any) -> Any:
        count()
        return grade(self, *args)

    LiveTable.look = looked  # type: ignore[method-assign]  # in the child alone
    FactGrader.__call__ = graded  # type: ignore[method-assign]  # in the child alone
    sys.addaudithook(audit)


def whole_or_absent(study: Path) -> None:
    """Every file of a stage can be read, if it is there."""
    if (study / SELECTION).exists():
        read_stage(study, SELECTION, StudySelection)
    if (study / METRICS).exists():
        read_stage(study, METRICS, StudyMetrics)
    for name in (SCORES, GRADING):
        if (study / name).exists():
            load_scores(study / name)


def outcome(study: Path) -> dict[str, Any]:
    """What a study found, without the seconds of this machine."""
    scores = json.loads((study / SCORES).read_text())
    for episode in scores["episodes"]:
        episode.pop("episode")
        for tool in episode["tools"].values():
            tool.pop("seconds")
        for name in [each for each in episode["numbers"] if "seconds" in each]:
            episode["numbers"].pop(name)
    scores["episodes"].sort(key=lambda each: each["scenario"])
    stages = {name: (study / name).read_text() for name in (SELECTION, METRICS)}
    return {**stages, SCORES: json.dumps(scores)}


def test_killed_at_every_moment_of_each_stage_it_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    straight, study = tmp_path / "straight", tmp_path / "study"
    kills = {}
    for stage in STAGES:
        play(stage, straight)
        kills[stage] = 0
        while killed(stage, study, kills[stage] + 1):
            kills[stage] += 1
            whole_or_absent(study)
    print(f"kills by stage: {kills}")  # noqa: T201  # shown by -s
    assert min(kills.values()) >= 2
    assert kills["evaluate"] >= 8
    assert outcome(study) == outcome(straight)
    assert not (study / GRADING).exists()
    assert "waste" in (study / REPORT).read_text()


def test_grades_that_were_given_before_a_kill_are_not_given_again(tmp_path, monkeypatch):
    study = tmp_path / "study"
    for stage in ("select", "customise"):
        play(stage, study)
    moment = 1
    while killed("evaluate", study, moment) and not (study / GRADING).exists():
        moment += 1
    given = sum(len(each.grades) for each in load_scores(study / GRADING).episodes)
    graded, grade = [], FactGrader.__call__

    def counted(self: FactGrader, rubric: Any, text: str) -> Any:
        graded.append(rubric)
        return grade(self, rubric, text)

    monkeypatch.setattr(FactGrader, "__call__", counted)
    play("evaluate", study)
    assert given >= 1
    assert len(graded) == 6 - given
