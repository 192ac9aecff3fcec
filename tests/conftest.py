"""What tests of several folders share."""

import gc
import os
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.testing

from earsim.installed import build
from tests.sweeps import left_to_other_thirds

# A shell has what it starts in the background ignore Ctrl-C, and `nohup` a hangup; that is passed
# on to the programs whose end by these is tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_sessionstart() -> None:
    gc.disable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if third := config.getoption("--third"):
        left = left_to_other_thirds(items, third)
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=[*left])
    reasons = {}
    if build() == "compiled":
        reasons["stand_ins"] = "the compiled core takes no stand-ins for its objects"
    if not (Path(__file__).resolve().parents[1] / "earsim").is_dir():
        reasons["source"] = "the source is not here"
    for item in items:
        for marker, reason in reasons.items():
            if item.get_closest_marker(marker) is not None:
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish() -> None:
    """What was imported and collected stays: the collector need not walk it again and again.

    Tests make many objects and keep most of them to their ends, so it comes seldom: with the usual
    thresholds it takes 8 % of the time, with these 2 %.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _commands_are_built_once() -> Iterator[None]:
    """Typer would read the signatures of all commands again for every one that a test runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.testing, "_get_command", cache(typer.testing._get_command))
        yield


@pytest.fixture(scope="session")
def ear_bench_dir() -> Path:
    """The folder of EAR-Bench; skips where the data is absent."""
    folder = Path(os.environ.get("EAR_BENCH_DIR") or "../shared/ear-bench").resolve()
    if not (folder / "eval").is_dir():
        pytest.skip(f"no EAR-Bench data at {folder}; set EAR_BENCH_DIR")
    return folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--third",
        type=int,
        choices=(1, 2, 3),
        help="of the cases of each test marked `sweep`, run the first, second or last third",
    )
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the golden transcripts as played"
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
