"""Work on all cores: results in order, known ones in between, and nothing that goes on unasked."""

import os
import time
from itertools import count
from typing import Any

import pytest

from earsim.evaluation.cores import Ready, cores, in_order


def double(number: int) -> int:
    time.sleep(0.01 * (number % 3))
    return 2 * number


def vanish(number: int) -> None:
    os._exit(9)


def sleep(seconds: float) -> None:
    time.sleep(seconds)


@pytest.mark.parametrize("jobs", [1, 2])
def test_in_order_with_known_results_in_between(jobs: int):
    things: list[Any] = [3, Ready(0), 2, 1, Ready(-1), 5]
    assert list(in_order(double, things, jobs=jobs)) == [6, 0, 4, 2, -1, 10]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_endless_list_is_read_a_little_ahead(jobs: int):
    results = in_order(double, (Ready(number) for number in count()), jobs=jobs)
    assert [next(results) for _ in range(40)] == list(range(40))
    results.close()  # type: ignore[attr-defined]


def test_a_caller_that_stops_is_not_kept_waiting():
    begun = time.monotonic()
    results = in_order(sleep, [Ready(None), 600.0], jobs=2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begun < 60


def test_a_process_that_the_system_ends_is_told():
    with pytest.raises(OSError, match="lack of memory"):
        list(in_order(vanish, [1, 2], jobs=2))


def test_there_is_a_core():
    assert cores() >= 1
