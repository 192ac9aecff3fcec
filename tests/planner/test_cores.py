"""Work on all cores: results in order, known ones in between, and nothing that goes on unasked."""

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from earsim.parallel import Ready, cores, map_ordered
from earsim.worker import Worker
from tests.planner.errands import (
    die_while_writing,
    double,
    large,
    odd,
    refuse,
    sleep,
    squares,
    unsendable,
    vanish,
)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_in_order_with_known_results_in_between(jobs: int):
    things: list[Any] = [3, Ready(0), 2, 1, Ready(-1), 5]
    assert list(map_ordered(double, things, jobs=jobs)) == [6, 0, 4, 2, -1, 10]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_endless_list_is_read_a_little_ahead(jobs: int):
    results = map_ordered(double, (Ready(number) for number in count()), jobs=jobs)
    assert [next(results) for _ in range(40)] == list(range(40))
    results.close()  # type: ignore[attr-defined]


def test_a_caller_that_stops_is_not_kept_waiting():
    begun = time.monotonic()
    results = map_ordered(sleep, [Ready(None), 600.0], jobs=2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begun < 60


@pytest.mark.slow
def test_a_process_that_the_system_ends_is_told():
    with pytest.raises(OSError, match="lack of memory"):
        list(map_ordered(vanish, [1, 2], jobs=2))


def leave_early(jobs: int) -> None:
    with closing(map_ordered(large, count(), jobs=jobs)) as results:  # type: ignore[type-var]
        assert len(list(islice(results, 3))) == 3


def fail(jobs: int) -> None:
    with pytest.raises(ValueError, match="not three"):
        list(map_ordered(refuse, range(9), jobs=jobs))


def interrupted(jobs: int) -> None:
    results = map_ordered(large, count(), jobs=jobs)
    assert len(list(islice(results, 3))) == 3
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)  # type: ignore[attr-defined]


def lose_a_process(jobs: int) -> None:
    with pytest.raises(OSError, match="lack of memory"):
        list(map_ordered(die_while_writing, range(9), jobs=jobs))


ENDS = [leave_early, fail, interrupted, lose_a_process]


@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS)
def test_no_process_is_left_however_it_ends(end: Any):
    end(2)
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("end", ENDS)
def test_no_process_is_left_ever(end: Any):
    for _ in range(50):
        end(2)
        assert not multiprocessing.active_children()


SCRIPT = """
from tests.planner.errands import pids, sleep
from earsim.parallel import map_ordered

if __name__ == "__main__":
    print(*set(map_ordered(pids, range(8), jobs=2)), flush=True)
    from earsim.worker import Worker
    workers = [Worker(), Worker()]
    print(*(worker.process.pid for worker in workers), flush=True)
    workers[0].call(sleep, 600.0)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_workers_end_with_a_process_that_is_killed(tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        text=True,
    ) as main:
        assert main.stdout is not None
        finished, working = ([int(pid) for pid in main.stdout.readline().split()] for _ in "12")
        assert len(working) == 2
        assert not any(map(is_alive, finished))
        assert all(map(is_alive, working))
        main.kill()
    while any(map(is_alive, working)):
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("work", "error"), [(odd, "Odd: 1 and 1"), (unsendable, "cannot pickle '_thread.lock'")]
)
def test_what_cannot_travel_is_said(work: Any, error: str):
    with pytest.raises((RuntimeError, TypeError), match=error):
        list(map_ordered(work, [1, 2], jobs=2))


def test_a_worker_goes_on_after_an_error():
    worker = Worker()
    try:
        with pytest.raises(ValueError, match="not three"):
            worker.call(refuse, 3)
        with pytest.raises(TypeError, match="pickle"):
            worker.call(sleep, threading.Lock())  # type: ignore[arg-type]
        assert worker.call(double, 4) == 8
        worker.start(squares, 3)
        replies = [worker.reply() for _ in range(4)]
        assert [reply.result for reply in replies] == [0, 1, 4, None]
        assert [reply.last for reply in replies] == [False, False, False, True]
    finally:
        worker.close()


def test_there_is_a_core():
    assert cores() >= 1
