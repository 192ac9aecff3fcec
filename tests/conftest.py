"""What tests of several folders share."""

import os
import signal
from pathlib import Path

import pytest

# A shell has what it starts in the background ignore Ctrl-C, and that is passed on to the programs
# whose end on Ctrl-C is tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def ear_bench_dir() -> Path:
    """The folder of EAR-Bench; skips where the data is absent."""
    folder = Path(os.environ.get("EAR_BENCH_DIR") or "../shared/ear-bench").resolve()
    if not (folder / "eval").is_dir():
        pytest.skip(f"no EAR-Bench data at {folder}; set EAR_BENCH_DIR")
    return folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the golden transcripts as played"
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
