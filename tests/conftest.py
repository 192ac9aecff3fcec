"""What tests of several folders share."""

import os
from pathlib import Path

import pytest


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
