"""Errors end as one message and an exit code, in the process and out of it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from earsim.cli import doctor
from earsim.errors import UsageError
from earsim.signals import Stopped, hearing, stoppable

FULL = Path("/dev/full")


def run(command: str, **kwargs) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "EARSIM": f"{sys.executable} -m earsim"}
    return subprocess.run(
        ["bash", "-c", command], env=env, capture_output=True, text=True, **kwargs
    )


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("not like this"), 2, "error: not like this\n"),
        (KeyboardInterrupt(), 130, "error: interrupted; what was finished is kept\n"),
        (Stopped(signal.SIGTERM), 143, "error: interrupted; what was finished is kept\n"),
        (Stopped(signal.SIGHUP), 129, "error: interrupted; what was finished is kept\n"),
        (OSError(28, "No space left on device", "runs/x"), 3, "runs/x: No space left on device"),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_an_exception_becomes_a_sentence(earsim, monkeypatch, error, code, said):
    def fail():
        raise error

    monkeypatch.setattr(doctor, "_versions", fail)
    result = earsim("doctor")
    assert result.exit_code == code
    assert said in result.stderr


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", ["list", pytest.param("--help", marks=pytest.mark.slow)])
def test_a_full_disk_is_a_sentence(command):
    done = run(f"$EARSIM {command} > /dev/full")
    assert done.returncode == 3
    assert done.stderr == "error: output: No space left on device\n"


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_error():
    done = run("$EARSIM list | head -n 1; echo ${PIPESTATUS[0]}")
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] in ("141", "0")


def test_a_folder_that_may_not_be_written(earsim, scene, here):
    (here / "taken").write_text("a file")
    result = earsim("run", scene, "--out", "taken/run")
    assert result.exit_code == 3
    assert "taken" in result.stderr


def test_an_unknown_command_is_wrong_usage(earsim):
    assert earsim("dance").exit_code == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_is_raised_where_nobody_else_has_decided(number):
    with pytest.raises(Stopped) as stopped, stoppable():
        signal.raise_signal(number)
    assert stopped.value.number == number
    assert signal.getsignal(number) is signal.SIG_DFL


def test_nohup_stays_in_force():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_the_first_signal_is_heard_and_the_next_of_any_kind_raises():
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    heard: list[KeyboardInterrupt] = []
    try:
        with stoppable(), hearing(heard.append):
            signal.raise_signal(signal.SIGTERM)
            assert [type(each) for each in heard] == [Stopped]
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, former)
    assert len(heard) == 1
