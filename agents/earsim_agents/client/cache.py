"""Answers that were given before, in one SQLite file, so that nothing is paid for twice."""

from __future__ import annotations

import errno
import hashlib
import sqlite3
from pathlib import Path
from typing import NamedTuple

from earsim.errors import FileError, Finding
from earsim_agents.client.request import ChatRequest

_FORMAT = "earsim.answers/1"
_BUSY_S = 60


class CachedAnswer(NamedTuple):
    """An answer as it was received, and from whom."""

    data: bytes
    server: str


class AnswerCache:
    """Maps requests to the answers they once got.

    The key is everything that decides an answer: the whole body (model, messages, sampling
    parameters, constraint, seed), the seed even where it is not sent, and the name of the
    deployment. Where the server stood is no part of it: a model that moved is the same model.
    Several processes may use one file.
    """

    def __init__(self, path: str | Path) -> None:
        """Open the file, or make it.

        Raises:
            FileError: It is something else.
        """
        self._path = str(path)
        try:
            self._file = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")  # a killed process loses nothing
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS answers"
                "(key TEXT PRIMARY KEY, server TEXT NOT NULL, data BLOB NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.DatabaseError as error:
            raise FileError(
                self._path, [Finding(self._path, "", f"no cache of answers: {error}")]
            ) from None

    @staticmethod
    def key(request: ChatRequest, *, seed: int, deployment: str) -> str:
        """The name of a request in the cache."""
        text = f"{_FORMAT}\n{request.hash}\n{seed}\n{deployment}"
        return hashlib.sha256(text.encode()).hexdigest()

    def get(self, key: str) -> CachedAnswer | None:
        """The answer, if the request was made before."""
        row = self._file.execute("SELECT data, server FROM answers WHERE key = ?", (key,))
        found = row.fetchone()
        return None if found is None else CachedAnswer(*found)

    def put(self, key: str, kept: CachedAnswer) -> None:
        """Keep an answer; it is on disk, as far as this process is concerned, on return.

        Raises:
            OSError: The disk is full, or the file cannot be written.
        """
        try:
            self._file.execute(
                "INSERT OR REPLACE INTO answers(key, server, data) VALUES (?, ?, ?)",
                (key, kept.server, kept.data),
            )
        except sqlite3.OperationalError as error:
            full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
            code = errno.ENOSPC if full else errno.EIO
            raise OSError(code, str(error), self._path) from error

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
