"""Plugin of pytest: records which lines every test runs, or runs the tests of a selection in order.

It is loaded before anything of the product, by `Tree`; what it is to do stands in the
environment.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import hypothesis
import pytest

from tests.mutation.recording import RECORDED, SELECTED

# A mutant needs one failing example, not the smallest.
_PHASES = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
hypothesis.settings.register_profile(
    "mutants", hypothesis.settings.get_profile("ci"), phases=_PHASES
)
hypothesis.settings.load_profile("mutants")

_seconds: dict[str, float] = {}
_recorder: coverage.Coverage | None = None
if _file := os.environ.get(RECORDED):
    _recorder = coverage.Coverage(
        data_file=_file, source=["earsim", "generators"], config_file=False
    )
    _recorder.start()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if chosen := os.environ.get(SELECTED):
        places = {id: place for place, id in enumerate(json.loads(Path(chosen).read_text()))}
        items[:] = sorted(
            (item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid]
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    started = time.perf_counter()
    if _recorder is not None:
        _recorder.switch_context(item.nodeid)
    try:
        return (yield)
    finally:
        _seconds[item.nodeid] = time.perf_counter() - started
        if _recorder is not None:
            _recorder.switch_context("")


def pytest_sessionfinish() -> None:
    if _recorder is not None:
        _recorder.stop()
        _recorder.save()
        times = Path(_recorder.get_data().data_filename()).with_suffix(".json")
        times.write_text(json.dumps(_seconds))
