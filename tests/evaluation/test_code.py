"""Code that agents have executed: recorded, replayed without being executed, or no measurement."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from earsim import open_suite
from earsim.actions import execute
from earsim.apparatus.bodies import pool as pools
from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.apparatus.bodies.interpreter import PythonInterpreter
from earsim.errors import FileError, ReplayMismatch
from earsim.evaluation.policies import make_policy
from earsim.evaluation.replay import verify
from earsim.evaluation.runner import play
from earsim.evaluation.runs.code import machine_fault, read_code
from earsim.evaluation.runs.recorder import begin, take
from earsim.evaluation.termination import Ending
from earsim.sandbox import Isolation, SandboxLevel
from earsim.schema import Scenario, Trajectory
from earsim.schema.records.episode_settings import EpisodeSettings

SCENARIO: Scenario = open_suite("laboratory").load("numerics_room/hot_bromine")
WALKTHROUGH = [str(entry) for entry in SCENARIO.task.walkthrough]

needs_sandbox = pytest.mark.skipif(
    reached().level < DEMAND.level, reason="this machine has no sandbox for code"
)


@pytest.fixture(scope="module")
def recorded() -> Iterator[Trajectory]:
    yield play(SCENARIO, make_policy("walkthrough"), name="walkthrough")
    pools.POOL.close()


@pytest.mark.slow
@needs_sandbox
def test_a_record_is_replayed_and_no_code_executed(
    recorded: Trajectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def started(*_: object) -> None:
        raise AssertionError("code is executed")

    pools.POOL.close()
    monkeypatch.setattr(PythonInterpreter, "__init__", started)
    monkeypatch.setattr(execute, "reached", lambda: Isolation(SandboxLevel.NONE, (), ()))
    assert verify(recorded, SCENARIO, source="r").decisions == len(recorded.steps)
    monkeypatch.undo()
    assert verify(recorded, SCENARIO, source="r", rerun=True).decisions == len(recorded.steps)


@pytest.mark.slow
@needs_sandbox
def test_a_forged_record_is_found_out_by_executing_again(recorded: Trajectory) -> None:
    (piece,) = recorded.extra["code"]
    forged = {**piece, "lines": [["stdout", "result = 1"]]}
    spoilt = recorded.model_copy(update={"extra": {**recorded.extra, "code": [forged]}})
    with pytest.raises(ReplayMismatch):
        verify(spoilt, SCENARIO, source="r")
    cut = recorded.model_copy(update={"extra": {**recorded.extra, "code": []}})
    with pytest.raises(ReplayMismatch):
        verify(cut, SCENARIO, source="r")
    broken = recorded.model_copy(update={"extra": {"code": [{"key": 1}]}})
    with pytest.raises(FileError):
        read_code(broken.extra, "r")


def test_a_machine_without_a_sandbox_measures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    weak = Isolation(SandboxLevel.LIMITS, ("limits",), ("no Landlock",))
    monkeypatch.setattr(execute, "reached", lambda: weak)
    episode = begin(SCENARIO, EpisodeSettings())
    faults = []
    for command in WALKTHROUGH[:5]:
        record = take(episode, {"ada": command})
        faults.append(machine_fault(record, episode.world))
    assert faults[:4] == [None] * 4
    assert faults[4] is not None
    assert faults[4][0] is Ending.NO_SANDBOX
    assert not Ending.NO_SANDBOX.is_measured


@pytest.mark.slow
@needs_sandbox
def test_a_machine_that_is_too_slow_measures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = pools.Pool(wall_s=0.5)
    monkeypatch.setattr(pools, "POOL", pool)
    episode = begin(SCENARIO, EpisodeSettings())
    for command in (*WALKTHROUGH[:4], "EXEC workstation while True: pass"):
        take(episode, {"ada": command})
    fault = machine_fault(take(episode, {"ada": "WAIT 10"}), episode.world)
    pool.close()
    assert fault is not None
    assert fault[0] is Ending.CODE_TIMEOUT
    assert not Ending.CODE_TIMEOUT.is_measured
