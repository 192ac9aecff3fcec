"""Sweeps (tests marked `sweep`): many cases of one kind, of which CI runs a third each time."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import pytest


def left_to_other_thirds(items: Iterable[pytest.Item], third: int) -> set[pytest.Item]:
    """The cases of sweeps that are in another third than the first, second or last.

    Cases are dealt by digest. In which third one is depends on the cases of its test alone, not on
    what else is collected.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sweep") is not None:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return {
        item
        for test, each in cases.items()
        for place, item in enumerate(sorted(each, key=_digest), _digest_of(test))
        if place % 3 != third - 1
    }


def _digest(item: pytest.Item) -> int:
    return _digest_of(item.nodeid)


def _digest_of(name: str) -> int:
    return int(sha256(name.encode()).hexdigest(), 16)
