"""The fingerprint of a run: one hash over its episodes, equal wherever the same was played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import load_run_manifest

_TIMES = frozenset(("started_at", "wall_ms", "latency_ms"))
_HOW_IT_CAME = frozenset(("request", "server", "attempts", "from_cache"))
"""Of model calls: what may differ where the same was asked and answered. A request has its hash."""


def fingerprint(run: str | Path) -> str:
    """SHA-256 over the cells of a run and all its episodes, decisions and model calls.

    Times, and from where and at which attempt an answer came, do not enter: who plays the same
    policy with the same seeds gets the same fingerprint.

    Raises:
        FileError: The folder holds no run.
    """
    manifest = load_run_manifest(run)
    digest = hashlib.sha256()
    digest.update(_line([manifest.versions.get("earsim"), manifest.planned]))
    for name in sorted(manifest.cells):
        digest.update(_line(manifest.cells[name].identity))
    with Store.open(run, readonly=True) as store:
        for row in store.episodes():
            digest.update(_line(_kept(row)))
            for each in _parts(store, row.episode):
                digest.update(_line(_kept(each)))
    return digest.hexdigest()


def _parts(store: Store, episode: str) -> Iterator[NamedTuple]:
    yield from store.steps(episode)
    yield from store.calls(episode)
    yield from store.states(episode)


def _kept(row: NamedTuple) -> dict[str, Any]:
    return {k: v for k, v in row._asdict().items() if k not in _TIMES | _HOW_IT_CAME}


def _line(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain)
    return f"{text}\n".encode("ascii")


def _plain(value: Any) -> Any:
    """An outcome of a step, as JSON has it."""
    return value.model_dump(mode="json")
