"""Journal of a generation run: scenes that are done, from which a killed run goes on."""

from __future__ import annotations

import errno
import json
import sqlite3
import zlib
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from earsim.errors import EarSimError, UsageError
from earsim.schema import Category
from earsim_generators.difficulty import Band, Measures
from earsim_generators.suites.job import (
    Generated,
    RejectionReason,
    SceneBatch,
    SceneJob,
    TaskQuota,
)
from earsim_generators.suites.splits import Split

JOURNAL = ".generation.sqlite"
"""Hidden, and gone as soon as the suite is written."""

_LEVEL = 1
"""Of compression: the tasks of a scene repeat it, so that even the fastest makes a sixth of it."""

_TABLES = """
CREATE TABLE IF NOT EXISTS asked (settings TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS scenes (
    split TEXT NOT NULL, number INTEGER NOT NULL, batch BLOB NOT NULL, PRIMARY KEY (split, number)
) WITHOUT ROWID;
"""


class GenerationJournal:
    """Scenes of a run by split and number, each written in one transaction.

    A context manager, which one process at a time can enter. Of a run that was killed or
    interrupted the file stays; one that finished, or that would fail again, leaves none.
    """

    def __init__(self, folder: Path, asked: dict[str, Any]) -> None:
        """Write nothing yet.

        Args:
            folder: of the suite.
            asked: everything that decides its bytes; scenes of anything else are forgotten.
        """
        self._path = folder / JOURNAL
        self._is_new = self._path.exists() or not folder.exists()
        self._asked = json.dumps(asked, sort_keys=True)
        self._db: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        """Open it.

        Raises:
            UsageError: Another process has it open, or it is another file.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        db = self._db = sqlite3.connect(self._path, timeout=0)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.executescript(_TABLES)
            known = db.execute("SELECT settings FROM asked").fetchall()
            if known != [(self._asked,)]:
                with db:
                    db.execute("DELETE FROM scenes")
                    db.execute("DELETE FROM asked")
                    db.execute("INSERT INTO asked VALUES (?)", (self._asked,))
        except sqlite3.DatabaseError as error:
            db.close()
            self._refuse(error)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._db is not None
        self._db.close()
        if kind is None or issubclass(kind, EarSimError):
            forget_journal(self._path.parent)
            if self._is_new:
                with suppress(OSError):  # there is something in it
                    self._path.parent.rmdir()

    def __len__(self) -> int:
        (count,) = self._open.execute("SELECT count(*) FROM scenes").fetchone()
        return int(count)

    def batch(self, job: SceneJob) -> SceneBatch | None:
        """What came of a scene, if it is done."""
        query = "SELECT batch FROM scenes WHERE split = ? AND number = ?"
        found = self._open.execute(query, (_name(job.split), job.number)).fetchone()
        return None if found is None else _read(json.loads(zlib.decompress(found[0])), job.split)

    def add(self, job: SceneJob, batch: SceneBatch) -> None:
        """Write down what came of a scene.

        Raises:
            OSError: The disk is full.
        """
        try:
            with self._open as db:
                packed = zlib.compress(json.dumps(_data(batch)).encode("ascii"), _LEVEL)
                values = (_name(job.split), job.number, packed)
                db.execute("INSERT OR REPLACE INTO scenes VALUES (?, ?, ?)", values)
        except sqlite3.OperationalError as error:
            raise OSError(errno.EIO, str(error), str(self._path)) from error

    @property
    def _open(self) -> sqlite3.Connection:
        assert self._db is not None, "used outside of its block"
        return self._db

    def _refuse(self, error: sqlite3.DatabaseError) -> None:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            message = f"another process is generating into {self._path.parent}"
            raise UsageError(message) from None
        if isinstance(error, sqlite3.OperationalError):
            raise OSError(errno.EIO, str(error), str(self._path)) from error
        raise UsageError(f"{self._path} is no journal of `earsim generate`: remove it") from None


def forget_journal(folder: Path) -> None:
    """Remove what is left of a journal."""
    for path in folder.glob(f"{JOURNAL}*"):  # and the log of a transaction that was cut off
        path.unlink(missing_ok=True)


def _name(split: Split | None) -> str:
    return "" if split is None else split.value


def _data(batch: SceneBatch) -> dict[str, Any]:
    return {
        "source": batch.source,
        "made": [
            [one.id, one.quota, one.line, one.certificate_line, one.structure, one.measures]
            for one in batch.made
        ],
        "rejected": batch.rejected,
        "no_scene": batch.no_scene,
        "shortfalls": batch.shortfalls,
    }


def _read(data: dict[str, Any], split: Split | None) -> SceneBatch:
    made = [
        Generated(id, split, _quota(quota), line, certificate, structure, Measures(*measures))
        for id, quota, line, certificate, structure, measures in data["made"]
    ]
    rejected = [(_quota(quota), RejectionReason(reason)) for quota, reason in data["rejected"]]
    shortfalls = tuple(data["shortfalls"])
    return SceneBatch(data["source"], tuple(made), tuple(rejected), data["no_scene"], shortfalls)


def _quota(data: list[Any]) -> TaskQuota:
    category, band, family, condition = data
    return TaskQuota(
        None if category is None else Category(category),
        None if band is None else Band(band),
        family,
        condition,
    )
