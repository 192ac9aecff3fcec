"""The signature of a suite: one hash over all its tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from earsim.schema.leaderboard import SuiteSignature
from earsim.suites.suite import Suite


def hashes_of(suite: Suite) -> dict[str, str]:
    """The hash of every scenario, by its id. Loads them all, which takes its time.

    Raises:
        FileError: One cannot be loaded.
    """
    return {id: suite.load(id).hash for id in suite.ids}


def signature_of(name: str, hashes: Mapping[str, str]) -> SuiteSignature:
    """The signature of a suite of these scenarios, in whatever order they stand."""
    lines = "".join(f"{id} {hashes[id]}\n" for id in sorted(hashes))
    digest = hashlib.sha256(lines.encode("utf-8")).hexdigest()
    return SuiteSignature(name=name, scenarios=len(hashes), sha256=digest)
