"""A generation run that is killed or interrupted goes on, and shows no file that is not whole."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from earsim.errors import UsageError
from earsim_generators import GenerationSettings
from earsim_generators.suites.folder import RECORD, SuiteFolder
from earsim_generators.suites.journal import JOURNAL, GenerationJournal
from earsim_generators.suites.manifest import asked, record
from earsim_generators.suites.run import GenerationRun
from tests.cli.conftest import Earsim, earsim, here  # noqa: F401 - fixtures

ROOT = Path(__file__).resolve().parents[3]
SMALL = GenerationSettings(n=14, seed=3, preset="small")
FLAGS = ("generate", "--n", 14, "--seed", 3, "--preset", "small", "--jobs", 1, "--out")


class Killed(BaseException):
    """Stands for SIGKILL: nothing is cleaned up that a `finally` does not."""


def generated(out: Path, *, scenes: int | None = None) -> dict[str, bytes]:
    """The files of a finished run, or of one that ends as soon as so many scenes are made."""
    folder = SuiteFolder(out)
    with GenerationJournal(out, asked(SMALL)) as journal, folder:
        run = GenerationRun(SMALL, journal=journal)
        for one in run:
            if scenes is not None and len(journal) >= scenes:
                raise Killed(len(journal))
            folder.add("suite", one.line, one.certificate_line)
        folder.finish(record(SMALL, run.counts))
    return files(out)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return generated(tmp_path_factory.mktemp("whole") / "suite")


@pytest.mark.slow
def test_a_run_that_was_cut_off_goes_on_to_the_same_bytes(tmp_path, whole, monkeypatch):
    with pytest.raises(Killed) as killed:
        generated(tmp_path, scenes=3)
    (done,) = killed.value.args
    assert list(files(tmp_path)) == [JOURNAL]
    made = []

    def work(job):
        made.append(job.number)
        return real(job)

    from earsim_generators.suites import run

    real = run.work
    monkeypatch.setattr(run, "work", work)
    assert generated(tmp_path) == whole
    assert made[0] == done, "the scenes before are in the journal"


@pytest.mark.slow
def test_a_finished_run_leaves_no_journal(whole):
    assert sorted(whole) == [RECORD, "suite.certificates.jsonl", "suite.jsonl.gz"]


@pytest.mark.slow
def test_scenes_of_other_settings_are_forgotten(tmp_path):
    with pytest.raises(Killed):
        generated(tmp_path, scenes=3)
    other = SMALL.model_copy(update={"seed": 4})
    with GenerationJournal(tmp_path, asked(other)) as journal:
        assert len(journal) == 0


@pytest.mark.slow
def test_a_run_killed_while_it_renamed_its_files_is_made_whole(tmp_path, whole):
    with pytest.raises(Killed):
        generated(tmp_path, scenes=3)
    (tmp_path / "suite.jsonl.gz").write_bytes(whole["suite.jsonl.gz"])
    assert generated(tmp_path) == whole


@pytest.mark.slow
def test_a_journal_left_behind_by_a_finished_run_goes_away(tmp_path, whole, earsim: Earsim):  # noqa: F811 - the fixture
    out = tmp_path / "done"
    assert earsim(*FLAGS, out).exit_code == 0
    (out / JOURNAL).write_bytes(b"")
    assert earsim(*FLAGS, out).exit_code == 0
    assert files(out) == whole


def test_two_processes_do_not_write_one_suite(tmp_path):
    with GenerationJournal(tmp_path, asked(SMALL)), SuiteFolder(tmp_path):
        before = set(files(tmp_path))
        with pytest.raises(UsageError, match="another process is generating into"):
            generated(tmp_path)
        assert set(files(tmp_path)) == before, "the files of the first are left alone"


def test_a_file_that_is_no_journal_is_told(tmp_path):
    (tmp_path / JOURNAL).write_bytes(b"something else, and long enough to be looked at" * 30)
    with pytest.raises(UsageError, match="is no journal"):
        GenerationJournal(tmp_path, asked(SMALL)).__enter__()


@pytest.mark.parametrize("was_there", [False, True])
def test_settings_that_cannot_be_met_leave_nothing(tmp_path, was_there):
    out = tmp_path / "suite"
    if was_there:
        out.mkdir()
    folder = SuiteFolder(out)
    with pytest.raises(UsageError), GenerationJournal(out, asked(SMALL)), folder:
        raise UsageError("no such scenes")
    assert [path.name for path in tmp_path.rglob("*")] == (["suite"] if was_there else [])


@pytest.mark.slow
def test_nothing_is_left_of_a_killed_run_when_the_next_one_fails(tmp_path):
    out = tmp_path / "suite"
    with pytest.raises(Killed):
        generated(out, scenes=3)
    (out / ".suite.jsonl.gz.123.partial").write_bytes(b"torn")
    folder = SuiteFolder(out)
    with pytest.raises(UsageError), GenerationJournal(out, asked(SMALL)), folder:
        raise UsageError("no such scenes")
    assert not out.exists()


# -- real processes --------------------------------------------------------------------------------

_PARTS = ("", "agents", "generators", "training")
ENVIRONMENT = {
    **os.environ,
    "NO_COLOR": "1",
    "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in _PARTS),
}


def started(out: Path, *flags: str) -> subprocess.Popen[bytes]:
    """A process that generates, once it has made a few scenes."""
    command = [sys.executable, "-m", "earsim", "generate", *flags, "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=ENVIRONMENT)
    deadline = time.monotonic() + 100
    while not (out / JOURNAL).exists() or (out / JOURNAL).stat().st_size < 30_000:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    return process


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_sigkill_at_any_moment_loses_no_scene_and_shows_no_half_file(tmp_path, whole, seed):
    rng, out = Random(seed), tmp_path / "cut"
    command = [sys.executable, "-m", "earsim", *map(str, FLAGS), str(out)]
    for _ in range(3):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(1, 8))
        process.kill()
        process.wait()
        left = set(files(out)) if out.exists() else set()
        assert RECORD in left or all(name.startswith(".") for name in left) or JOURNAL in left
    subprocess.run(command, capture_output=True, check=True, env=ENVIRONMENT)
    assert files(out) == whole


@pytest.mark.slow
def test_the_workers_of_a_killed_run_leave_the_next_one_alone(tmp_path):
    flags = ("--n", "70", "--seed", "3", "--preset", "small", "--jobs", "2")
    process = started(tmp_path / "cut", *flags)
    process.kill()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert JOURNAL in files(tmp_path / "cut")
    command = [sys.executable, "-m", "earsim", "generate", *flags, "--out"]
    runs = [
        subprocess.run(
            [*command, str(tmp_path / name)], capture_output=True, check=True, env=ENVIRONMENT
        )
        for name in ("cut", "whole")
    ]
    assert b"scenes are done already" in runs[0].stderr
    assert b"scenes are done already" not in runs[1].stderr
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interrupted_run_leaves_its_journal_alone(tmp_path, number, code):
    out = tmp_path / "cut"
    process = started(out, "--n", "5000", "--jobs", "2")
    process.send_signal(number)
    _, told = process.communicate(timeout=60)
    assert process.returncode == code
    assert b"interrupted; the same command goes on" in told
    assert b"resource_tracker" not in told
    assert [path.name for path in out.iterdir()] == [JOURNAL]
