"""A small sound domain, to be broken in one place at a time."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shed() -> str:
    return Path(__file__).with_name("shed.yaml").read_text(encoding="utf-8")
