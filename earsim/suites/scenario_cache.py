"""Scenarios that were read before, on disk, for the processes that come after.

The folder that ``EARSIM_CACHE_DIR`` names holds one SQLite file. What is in it is JSON that was
checked when it was written, under a key of all that it was made from: the bytes of the files and
our own code that reads them. So nothing in it can be out of date. It is not checked again, so
nobody else should be able to write there.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from earsim.errors import FileError, Finding

CACHE_VARIABLE = "EARSIM_CACHE_DIR"
FILE = "scenarios.sqlite"

MAX_BYTES = 2**30
"""What is read when the file is as large as this is not kept."""

_PAGE_BYTES = 4096
_PATIENCE_S = 30.0


def scenario_cache() -> ScenarioCache | None:
    """The cache of this process; None where the environment names no folder.

    Raises:
        FileError: The folder cannot be written, or its file is something else.
    """
    folder = os.environ.get(CACHE_VARIABLE)
    return _opened(folder, os.getpid()) if folder else None


@cache
def _opened(folder: str, process: int) -> ScenarioCache:
    """One connection for each process: a fork must not use that of its parent."""
    return ScenarioCache(Path(folder) / FILE)


class ScenarioCache:
    """Values that JSON can hold, by key; any number of processes may use it."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            FileError: It cannot be written, or is something else.
        """
        self.path = path
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
            )
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute(f"PRAGMA mmap_size={MAX_BYTES}")
            self._db.execute(f"PRAGMA max_page_count={MAX_BYTES // _PAGE_BYTES}")
            self._db.execute("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value TEXT)")

    def get(self, key: str) -> Any:
        """The value of a key; None where there is none."""
        with self._told():
            row = self._db.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def put(self, values: Mapping[str, Any]) -> None:
        """Keep values, all or none of them; none when the file is full."""
        rows = [(key, json.dumps(value, separators=(",", ":"))) for key, value in values.items()]
        places = ", ".join(["(?, ?)"] * len(rows))
        with self._told():
            try:
                self._db.execute(f"INSERT OR IGNORE INTO kept VALUES {places}", sum(rows, ()))
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
                    raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            source = str(self.path)
            expected = f"delete it, or let {CACHE_VARIABLE} name another folder"
            reason = f"cannot be used as a cache: {error}"
            raise FileError(source, [Finding(source, "", reason, expected)]) from None


def cache_key(scenario_id: str, files: bytes) -> str:
    """The key of a scenario: its id, the bytes of its files, and the code that reads them."""
    return sha256(b"\0".join((_code(), scenario_id.encode(), files))).hexdigest()


@cache
def _code() -> bytes:
    """A digest of the modules and tables that decide what becomes of a file."""
    package = Path(__file__).parents[1]
    digest = sha256()
    files = [package / "ids.py", package / "units.py"]
    for folder in ("schema", "suites"):
        files += sorted((package / folder).rglob("*.*"))
    for file in files:
        if file.suffix in (".py", ".csv"):
            digest.update(file.read_bytes())
    return digest.digest()
