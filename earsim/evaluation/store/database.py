"""The database of a run: episodes, their steps and their model calls, in one SQLite file.

An episode is written in one transaction when it is finished and is not there before, so a process
may be killed at any moment. Long texts of requests lie apart in `texts`, compressed, each once.
"""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from earsim.errors import FileError, Finding, UnknownName
from earsim.evaluation.store.blobs import unpack
from earsim.evaluation.store.records import EpisodeRecord, TokenUsage, as_json
from earsim.evaluation.store.rows import CallRow, EpisodeRow, StateRow, StepRow
from earsim.evaluation.store.tables import STATES, TABLES, VERSION
from earsim.schema import OutcomeRecord

DATABASE = "run.sqlite"

_PATIENCE_S = 30.0
"""How long to wait for another process that writes."""


class Store:
    """A run's database, to be written or read; a context manager that closes it.

    Rows come sorted by episode, decision and call, whatever the order in which they were made.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, *, readonly: bool) -> None:
        """Use `open`."""
        self._connection = connection
        self._readonly = readonly
        self.path = path

    @classmethod
    def open(cls, path: str | Path, *, readonly: bool = False) -> Self:
        """Open the database of a run.

        Args:
            path: the folder of a run, or the database itself; made when it is to be written.
            readonly: nothing is written, and another process may be writing.

        Raises:
            FileError: There is none, or the file is something else.
            OSError: The disk is full, or the file may not be written.
        """
        file = Path(path)
        if file.is_dir() or (not readonly and file.suffix != ".sqlite"):
            file = file / DATABASE
        if readonly and not file.is_file():
            expected = "expected the folder of a run that `earsim eval` made"
            raise FileError(str(file), [Finding(str(file), "", "there is no database", expected)])
        with _told(file):
            connection = _reader(file) if readonly else _writer(file)
            _check(connection, file)
        return cls(connection, file, readonly=readonly)

    # -- writing ---------------------------------------------------------------------------------

    def add(self, record: EpisodeRecord) -> None:
        """Write an episode, in place of an earlier attempt at it if there is one.

        Raises:
            OSError: The disk is full, or the file may not be written; nothing of it is kept.
        """
        with _told(self.path), self._connection as db:
            self._remove(record.row.episode)
            db.execute(_insert("episodes", len(record.row)), _values(record.row))
            db.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", record.texts.items())
            db.executemany(_insert("steps", 6), record.steps)
            db.executemany(_insert("calls", 20), record.calls)
            if record.states:
                db.execute(STATES)
                db.executemany(_insert("states", 4), record.states)

    def forget(self, episodes: Iterable[str]) -> None:
        """Remove episodes, so that they are played again."""
        with _told(self.path), self._connection:
            for episode in episodes:
                self._remove(episode)

    def absorb(self, other: Path, episodes: Iterable[str]) -> None:
        """Copy episodes from the database of another run, in one transaction."""
        with _told(self.path):
            self._connection.execute("ATTACH DATABASE ? AS other", (str(other),))
        try:
            with _told(self.path), self._connection as db:
                db.execute("INSERT OR IGNORE INTO texts SELECT * FROM other.texts")
                tables = list(_tables(db, "other"))
                if "states" in tables:
                    db.execute(STATES)
                for episode in episodes:
                    self._remove(episode)
                    for table in tables:
                        copied = f"SELECT * FROM other.{table} WHERE episode = ?"
                        db.execute(f"INSERT INTO {table} {copied}", (episode,))
        finally:
            self._connection.execute("DETACH DATABASE other")

    def _remove(self, episode: str) -> None:
        for table in _tables(self._connection):
            self._connection.execute(f"DELETE FROM {table} WHERE episode = ?", (episode,))

    # -- reading ---------------------------------------------------------------------------------

    def episodes(self, cell: str | None = None) -> Iterator[EpisodeRow]:
        """All episodes, or those of one cell."""
        where, values = ("", ()) if cell is None else ("WHERE cell = ?", (cell,))
        columns = ", ".join(EpisodeRow._fields)
        query = f"SELECT {columns} FROM episodes {where} ORDER BY episode"
        return (_episode(values) for values in self._connection.execute(query, values))

    def episode(self, episode: str) -> EpisodeRow:
        """One episode.

        Raises:
            UnknownName: There is no such episode.
        """
        columns = ", ".join(EpisodeRow._fields)
        query = f"SELECT {columns} FROM episodes WHERE episode = ?"
        values = self._connection.execute(query, (episode,)).fetchone()
        if values is None:
            raise UnknownName("episode", episode, self.outcomes())
        return _episode(values)

    def outcomes(self) -> dict[str, str]:
        """The outcome of every episode, by its id."""
        return dict(self._connection.execute("SELECT episode, outcome FROM episodes"))

    def decisions(self) -> dict[str, int]:
        """How many decisions every episode took, by its id."""
        return dict(self._connection.execute("SELECT episode, decisions FROM episodes"))

    def cells(self) -> tuple[str, ...]:
        """Names of the cells that have episodes."""
        found = self._connection.execute("SELECT DISTINCT cell FROM episodes ORDER BY cell")
        return tuple(name for (name,) in found)

    def usage(self) -> dict[str, TokenUsage]:
        """Tokens of the model calls of each cell that has any; none of them counts as fresh."""
        found = self._connection.execute(
            "SELECT cell, sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens)"
            " FROM calls JOIN episodes USING (episode) GROUP BY cell"
        )
        return {
            cell: TokenUsage(prompt or 0, said or 0, cached) for cell, prompt, said, cached in found
        }

    def steps(self, episode: str) -> Iterator[StepRow]:
        """The decisions of an episode."""
        query = "SELECT * FROM steps WHERE episode = ? ORDER BY decision"
        return (_step(values) for values in self._connection.execute(query, (episode,)))

    def calls(self, episode: str) -> Iterator[CallRow]:
        """The model calls of an episode, with their requests as they were sent."""
        query = "SELECT * FROM calls WHERE episode = ? ORDER BY decision, seq"
        return (self._call(values) for values in self._connection.execute(query, (episode,)))

    def states(self, episode: str) -> Iterator[StateRow]:
        """The typed memories of an episode, each with the first decision with which it was so."""
        if "states" not in _tables(self._connection):
            return iter(())
        query = "SELECT * FROM states WHERE episode = ? ORDER BY decision"
        found = self._connection.execute(query, (episode,))
        return (StateRow(e, at, kind, json.loads(text)) for e, at, kind, text in found)

    def _call(self, values: tuple[Any, ...]) -> CallRow:
        row = CallRow(*values)
        return row._replace(
            request=unpack(json.loads(values[5]), self._text),
            from_cache=bool(row.from_cache),
            parsed=None if row.parsed is None else json.loads(row.parsed),
        )

    def _text(self, key: str) -> bytes:
        found = self._connection.execute("SELECT body FROM texts WHERE hash = ?", (key,)).fetchone()
        return bytes(found[0])

    # -- the end ---------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the file; what was written is in it, and in none beside it."""
        if not self._readonly:
            with suppress(sqlite3.OperationalError):  # somebody reads just now, or the disk is full
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _tables(connection: sqlite3.Connection, schema: str = "main") -> tuple[str, ...]:
    """The tables with rows of episodes; `states` only where some policy had one."""
    query = f"SELECT name FROM {schema}.sqlite_master WHERE name = 'states'"
    there = connection.execute(query).fetchone() is not None
    return ("episodes", "steps", "calls", *(("states",) if there else ()))


def _insert(table: str, columns: int) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


def _values(row: EpisodeRow) -> tuple[Any, ...]:
    encoded = {"memory": as_json(row.memory), "extra": as_json(row.extra)}
    return tuple(encoded.get(name, value) for name, value in zip(row._fields, row, strict=True))


def _episode(values: tuple[Any, ...]) -> EpisodeRow:
    row = EpisodeRow(*values)
    return row._replace(
        success_latched=bool(row.success_latched),
        success_final=bool(row.success_final),
        claimed_done=bool(row.claimed_done),
        memory=json.loads(row.memory),
        extra=json.loads(values[EpisodeRow._fields.index("extra")]),
    )


def _step(values: tuple[Any, ...]) -> StepRow:
    episode, decision, commands, outcomes, digest, clock = values
    return StepRow(
        episode,
        decision,
        None if commands is None else json.loads(commands),
        tuple(OutcomeRecord.model_validate(each) for each in json.loads(outcomes)),
        digest,
        clock,
    )


# -- opening -------------------------------------------------------------------------------------


def _writer(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(file, timeout=_PATIENCE_S)
    # What a killed process has written is safe without waiting for the disk at every episode.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    if connection.execute("PRAGMA user_version").fetchone() == (0,):
        connection.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
    return connection


def _reader(file: Path) -> sqlite3.Connection:
    where = f"{file.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(where, uri=True, timeout=_PATIENCE_S)
    try:
        connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError:  # a medium that cannot be written: nobody else writes either
        connection.close()
        connection = sqlite3.connect(f"{where}&immutable=1", uri=True)
    return connection


def _check(connection: sqlite3.Connection, file: Path) -> None:
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found != VERSION:
        connection.close()
        expected = f"this version of earsim reads version {VERSION}"
        finding = Finding(str(file), "", f"the database has version {found}", expected)
        raise FileError(str(file), [finding])


@contextmanager
def _told(file: Path) -> Iterator[None]:
    """Errors of the machine as errors of the machine, and a file that is no database as such."""
    try:
        yield
    except sqlite3.OperationalError as error:
        code = errno.ENOSPC if error.sqlite_errorcode == sqlite3.SQLITE_FULL else errno.EIO
        raise OSError(code, f"{error}; every finished episode is kept", str(file)) from error
    except sqlite3.DatabaseError as error:
        raise FileError(str(file), [Finding(str(file), "", f"{error}")]) from None
