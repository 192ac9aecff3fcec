"""A study with a real server behind it, cut off within each of its four stages and gone on with.

The player is a model of random weights, whose replies are no commands; so is one of the judges,
whose replies are no grades. The other judge's weights are set so that it gives one.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any

import pytest

from earsim.evaluation.study.files import GRADING, REPORT, RUN, SCORES
from earsim.evaluation.study.score import load_scores
from tests.agents.test_real_server import Server, rows, server, tiny, transformers
from tests.evaluation.study.test_killed_study import killed, play, whole_or_absent

__all__ = ["server", "transformers"]

pytestmark = pytest.mark.slow

EPISODES, GRADES = 12, 24


@pytest.fixture(scope="module")
def judge(transformers: Path, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server whose model gives every text the same grade."""
    return tiny(transformers, tmp_path_factory.mktemp("judge"), "Grade: 7")


def evaluation(study: Path, player: Server, judge: Server) -> list[str]:
    """The command line of stage 3: 3 scenarios, 4 times each, and 2 rubrics."""
    return [
        *(sys.executable, "-m", "earsim", "study", "evaluate", str(study), "--repeats", "4"),
        *("--budget", "2", "--in-flight", "2"),
        *("--model", player.model, "--base-url", player.url),
        *("--option", "max_tokens=20", "--option", "attempts=1"),
        *("--judge", judge.model, "--judge-url", judge.url, "--judge-option", "max_tokens=30"),
    ]


@contextmanager
def going(command: list[str], moment: Callable[[], bool]) -> Iterator[subprocess.Popen[bytes]]:
    """Within it a command runs that has come to a moment and is not at its end."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        while not moment():
            assert process.poll() is None, "it ended too soon"
            time.sleep(0.005)
        assert process.poll() is None
        yield process


def played(study: Path) -> set[tuple[Any, ...]]:
    run = study / RUN
    if not (run / "run.sqlite").exists():
        return set()
    try:
        return set(rows(run, "SELECT episode, started_at FROM episodes"))
    except OperationalError:  # its tables are being made
        return set()


def given(study: Path) -> dict[tuple[str, str], tuple[float | None, str]]:
    """The grades so far, by episode and rubric."""
    files = [file for file in (study / SCORES, study / GRADING) if file.exists()]
    return {
        (episode.episode, name): (grade.score, grade.why)
        for file in files
        for episode in load_scores(file).episodes
        for name, grade in episode.grades.items()
    }


def test_it_goes_on_after_every_cut(server, judge, tmp_path):
    study = tmp_path / "study"
    command = evaluation(study, server, judge)
    for stage in ("select", "customise"):  # neither asks a model
        assert killed(stage, study, 2)
        whole_or_absent(study)
        play(stage, study)

    with server.up(), going(command, lambda: len(played(study)) >= 2) as process:
        process.kill()
    before = played(study)
    assert 2 <= len(before) < EPISODES
    with server.up() as model, going(command, lambda: played(study) > before) as process:
        model.kill()
        assert process.wait(120) == 3
    between = played(study)
    assert before < between
    assert len(between) < EPISODES
    assert not (study / GRADING).exists()

    with server.up(), judge.up():
        with going(command, lambda: len(given(study)) >= 3) as process:
            process.kill()
        whole = played(study)
        assert between < whole
        assert len(whole) == EPISODES
    with judge.up() as model:
        graded = given(study)
        assert 3 <= len(graded) < GRADES
        with going(command, lambda: len(given(study)) > len(graded)) as process:
            model.kill()
            assert process.wait(120) == 3
    more = given(study)
    assert graded.items() < more.items()
    assert len(more) < GRADES

    with judge.up():
        subprocess.run(command, check=True, capture_output=True)
        assert judge.asked() == GRADES - len(more)
    assert played(study) == whole
    assert {score for score, _ in given(study).values()} == {7}
    assert more.items() <= given(study).items()
    assert len(given(study)) == GRADES

    assert killed("report", study, 2)
    play("report", study)
    assert "runs" in (study / REPORT).read_text()
    scores = (study / SCORES).read_bytes()
    subprocess.run(command, check=True, capture_output=True)  # nobody is asked: no server is up
    assert (study / SCORES).read_bytes() == scores


def test_a_judge_of_random_weights_gives_no_grade_and_is_asked_once(server, tmp_path):
    study = tmp_path / "study"
    for stage in ("select", "customise"):
        play(stage, study)
    command = evaluation(study, server, server)
    with server.up():
        subprocess.run(command, check=True, capture_output=True)
        assert server.asked() == GRADES + rows(study / RUN, "SELECT count(*) FROM calls")[0][0]
    scores = json.loads((study / SCORES).read_text())["episodes"]
    grades = [grade for episode in scores for grade in episode["grades"].values()]
    assert len(grades) == GRADES
    assert all(each["score"] is None and each["why"].startswith("unreadable") for each in grades)
    subprocess.run(command, check=True, capture_output=True)
    assert json.loads((study / SCORES).read_text())["episodes"] == scores
