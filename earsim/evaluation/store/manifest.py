"""The folder of a run: its manifest, and a lock while a process works on it."""

from __future__ import annotations

import errno
import platform
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from earsim.atomic import write_atomically
from earsim.errors import UsageError
from earsim.evaluation.runs.players import described
from earsim.evaluation.runs.run_config import RunConfig
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.rows import EpisodeRow
from earsim.installed import build, version
from earsim.planner.version import PLANNER_VERSION
from earsim.schema.files.load import load_json
from earsim.schema.model import FileModel

MANIFEST = "manifest.json"
CACHE = "cache.sqlite"
_LOCK = ".lock"


class RunManifest(FileModel):
    """``manifest.json`` of a run: of `earsim run`, `earsim eval` or `earsim play`.

    Attributes:
        settings: The sweep as it was resolved, defaults included.
        cells: Every combination that the folder holds or will hold.
        planned: Episodes of each cell, all shards together: what coverage is a share of.
        shard: Which part this folder holds; None for all.
        versions: Version by name of distribution, ``python`` included; ``build`` says whether the
            core was ``compiled`` or ``pure``.
        git: What ``git describe`` says of a checkout.
        asked: What models are asked, by cell: prompt, and parameters of the requests.
        scenarios: Hash of every scenario that was played, by suite and id.
        sandbox_reached: Least level of isolation under which code of agents was executed; None
            where none was.
    """

    schema_: Literal["earsim.run/1"] = Field(
        default="earsim.run/1", validation_alias="schema", serialization_alias="schema"
    )
    settings: Sweep
    cells: dict[str, RunConfig]
    planned: dict[str, int]
    shard: str | None = None
    versions: dict[str, str] = Field(default_factory=dict)
    git: str | None = None
    asked: dict[str, dict[str, Any]] = Field(default_factory=dict)
    scenarios: dict[str, dict[str, str]] = Field(default_factory=dict)
    sandbox_reached: int | None = None


def load_run_manifest(folder: str | Path) -> RunManifest:
    """The manifest of an evaluation.

    Raises:
        FileError: It is missing, or that of something else.
    """
    return load_json(Path(folder) / MANIFEST, RunManifest)


def new_manifest(
    sweep: Sweep, cells: Sequence[RunConfig], planned: Mapping[str, int], shard: str | None = None
) -> RunManifest:
    """The manifest of an evaluation that begins now."""
    return RunManifest(
        settings=sweep,
        cells={cell.name: cell for cell in cells},
        planned=dict(planned),
        shard=shard,
        versions={
            "earsim": version("earsim"),
            "build": build(),
            "python": platform.python_version(),
            "planner": str(PLANNER_VERSION),
        },
        git=_git(),
        asked={cell.name: found for cell in cells if (found := described(cell))},
    )


def joined(there: RunManifest, here: RunManifest, folder: str | Path) -> RunManifest:
    """The manifest of a folder that holds both: cells may be added to it, but not changed.

    Raises:
        UsageError: They cannot be in one folder.
    """
    for name, cell in here.cells.items():
        other = there.cells.get(name)
        if other is not None and other.identity != cell.identity:
            differ = ", ".join(_differences(other.identity, cell.identity))
            raise UsageError(f"{folder} holds another {name}: {differ}; choose another folder")
    if there.versions.get("earsim") != here.versions.get("earsim"):
        raise UsageError(
            f"{folder} was made by earsim {there.versions.get('earsim')}, this is "
            f"{here.versions.get('earsim')}: their numbers are never mixed; choose another folder"
        )
    planned = {
        name: max(there.planned.get(name, 0), here.planned.get(name, 0))
        for name in {**there.cells, **here.cells}
    }
    cells = {**there.cells, **here.cells}
    return here.model_copy(
        update={
            "cells": cells,
            "planned": planned,
            "asked": {**there.asked, **here.asked},
            "scenarios": there.scenarios,
        }
    )


def save_manifest(manifest: RunManifest, folder: Path) -> None:
    """Write the manifest; the file appears complete or not at all."""
    write_atomically(folder / MANIFEST, manifest.model_dump_json(by_alias=True, indent=2) + "\n")


def sandbox_of(rows: Iterable[EpisodeRow]) -> int | None:
    """The least level of isolation under which code was executed; None where none was."""
    found = [row.extra["sandbox"]["reached"] for row in rows if "sandbox" in row.extra]
    return min(found, default=None)


def scenarios_of(rows: Iterable[EpisodeRow]) -> dict[str, dict[str, str]]:
    """The hashes of all scenarios that were played, by suite and id, sorted."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        if row.scenario_hash:
            found.setdefault(row.suite, {})[row.scenario_id] = row.scenario_hash
    return {suite: dict(sorted(hashes.items())) for suite, hashes in sorted(found.items())}


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes out of a folder; the system lets go for one that is killed.

    Raises:
        UsageError: Another process is at work in it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = sqlite3.connect(folder / _LOCK, timeout=0, isolation_level=None)
    try:
        _take(lock, folder)
        yield
    finally:
        lock.close()


def _take(lock: sqlite3.Connection, folder: Path) -> None:
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise OSError(errno.EIO, str(error), str(folder)) from error
        raise UsageError(f"another process is at work in {folder}") from None


def _differences(there: dict[str, Any], here: dict[str, Any], at: str = "") -> Iterator[str]:
    for key in {**there, **here}:
        old, new = there.get(key), here.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _differences(old, new, f"{at}{key}.")
        elif old != new:
            yield f"{at}{key} {old!r} there, {new!r} here"


def _git() -> str | None:
    """What git says of the checkout that this runs from; None for an installed package."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
