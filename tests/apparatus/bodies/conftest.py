"""What the tests of workstations share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from earsim.apparatus.bodies import pool as pools
from earsim.apparatus.bodies.pool import Pool


@pytest.fixture(autouse=True)
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """An empty pool of a test's own."""
    own = Pool(wall_s=20.0)
    monkeypatch.setattr(pools, "POOL", own)
    yield own
    own.close()
