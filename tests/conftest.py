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
