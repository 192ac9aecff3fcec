"""What an agent is told of runs of apparatus that go on while it does something else."""

from earsim import Episode
from tests.processes.test_messages import episode, give


def started(**settings: object) -> Episode:
    played = episode(**settings)
    give(played, "EXPLORE", "GOTO rig", "RUN rig")
    return played


def test_the_end_of_a_run_is_told_in_words():
    played = started()
    give(played, "WAIT 60")
    assert played.noticed("ada") == "rig: op_1 completed (at 44 s)."


def test_a_warning_is_told_with_its_time_in_the_run():
    played = started(Kp=12.0, Ki=8.0, topology="pid")
    give(played, "WAIT 20")
    (line,) = played.noticed("ada").splitlines()
    assert line.startswith("rig: op_1 warns at t 7.1: diverging (at ")


def test_what_a_wait_has_told_is_not_told_twice():
    played = started()
    give(played, "WAIT UNTIL rig done")
    assert "op_1 completed" in played.feedback("ada")
    assert played.noticed("ada") == ""
