"""The connections of this process to models elsewhere, and what their runs have told.

Worlds hold no connection. A run is one of a model with settings, and two worlds with the same run
are told the same: copies and forks ask a second time for nothing. A world that comes from another
process has its run done again, and what is told then is compared.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import RLock
from typing import NamedTuple

from earsim.apparatus.model import Expected
from earsim.errors import EarSimError
from earsim.link.remote.addresses import addresses, model_token, wall_s
from earsim.link.remote.connection import ModelConnection
from earsim.link.remote.description import ModelDescription
from earsim.link.remote.run import EndedRun, RemoteEnd, RemoteFault, RemoteRun, RunTold, Told

MOST_LIVE = 8
"""Runs that go on at one server; beyond that the one that was asked longest ago is stopped."""

MOST_KEPT = 64
"""Runs that have told something and are remembered, for copies of the world that have them."""


class Heard(NamedTuple):
    """What a world is told of a run.

    Attributes:
        told: readings and events that are new to it.
        chain: the hash of all that it was told now.
        expected: allowance that it will take; None where that is not known.
        end: how the run ended, where it has.
    """

    told: tuple[Told, ...]
    chain: str
    expected: float | None
    end: EndedRun | None


class _Live(NamedTuple):
    """A run that goes on at a server, and what it has told there."""

    connection: ModelConnection
    operation: str
    told: RunTold


@contextmanager
def _closed_by_faults(connection: ModelConnection) -> Iterator[None]:
    """After anything but a plain refusal nobody knows what would come next on a connection."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, RemoteFault) or error.end is not RemoteEnd.FAILED:
            connection.close()
        raise


class RemotePool:
    """Connections, and records of runs."""

    def __init__(self) -> None:
        self._connections: dict[str, ModelConnection] = {}  # by the id of the model
        self._descriptions: dict[str, ModelDescription] = {}
        self._live: dict[str, _Live] = {}  # by key; asked longest ago first
        self._kept: dict[str, RunTold] = {}  # by key, oldest first
        self._record: Mapping[str, RunTold] | None = None
        self._lock = RLock()

    def description(self, model: str) -> ModelDescription:
        """What a model says of itself, as it was when it was first asked.

        Raises:
            RemoteFault: It does not answer, or not with sense.
        """
        with self._lock:
            if model not in self._descriptions:
                self._descriptions[model] = self._connection(model).description
            return self._descriptions[model]

    def expected(self, run: RemoteRun) -> Expected:
        """What a run will take; nothing is known of one that cannot begin."""
        with self._lock:
            if self._record is not None:
                known = self._record.get(run.key) or RunTold()
            elif run.key in self._kept:
                known = self._kept[run.key]
            else:
                known = self._kept_of(run)
                try:
                    self._begin(run, known)
                except RemoteFault as fault:  # it is not asked again before it is to run
                    known.end = EndedRun(0.0, fault.end, str(fault))
            return known.expected

    def forget_fault(self, run: RemoteRun) -> None:
        """Whoever begins a run again asks again, whatever went wrong the last time."""
        with self._lock:
            known = self._kept.get(run.key)
            if known is not None and known.end is not None and not known.end.end.is_measured:
                del self._kept[run.key]

    def advanced(self, run: RemoteRun, allowance: float) -> Heard:
        """What is new to a world whose run is advanced that far."""
        with self._lock:
            if self._record is not None:
                known = self._record.get(run.key) or RunTold()
                if known.end is None and known.reached < allowance:
                    known.end = EndedRun(
                        max(known.reached, 0.0), RemoteEnd.GONE, "the record of this run ends here"
                    )
            else:
                known = self._kept_of(run)
                if known.end is None and known.reached < allowance:
                    self._advance(run, known, allowance)
                    known = self._kept[run.key]
            expected = known.expected.allowance
            if known.chain(run.told) != run.chain:
                message = "asked again, the model tells something else"
                unlike = EndedRun(run.allowance, RemoteEnd.UNREPEATABLE, message)
                return Heard((), run.chain, expected, unlike)
            count = run.told
            while count < len(known.told) and known.told[count].at <= allowance:
                count += 1
            end = known.end if known.end is not None and known.end.at <= allowance else None
            return Heard(tuple(known.told[run.told : count]), known.chain(count), expected, end)

    @contextmanager
    def playing(self, record: Mapping[str, RunTold]) -> Iterator[None]:
        """Within it no model is asked for a run: what was told before is told again.

        Args:
            record: by the key of the run.
        """
        before, self._record = self._record, record
        try:
            yield
        finally:
            self._record = before

    def close(self) -> None:
        """End all connections and forget all runs."""
        with self._lock:
            for connection in self._connections.values():
                connection.close()
            self.forget()

    def forget(self) -> None:
        """In a forked process: the connections are the parent's."""
        self._connections, self._descriptions, self._live, self._kept = {}, {}, {}, {}
        self._lock = RLock()

    def _advance(self, run: RemoteRun, known: RunTold, allowance: float) -> None:
        """Ask a model what is to tell; a fault ends the run where it was last heard of."""
        try:
            if run.key not in self._live or not self._live[run.key].connection.is_open:
                self._begin(run, known)
            live = self._live[run.key] = self._live.pop(run.key)
            with _closed_by_faults(live.connection):
                live.connection.advance(live.operation, allowance, live.told)
            if live.told is not known:  # it was begun once more
                if not live.told.begins_like(known):
                    message = "asked again, the model tells something else"
                    raise RemoteFault(RemoteEnd.UNREPEATABLE, message)
                self._kept[run.key] = known = live.told
        except RemoteFault as fault:
            known.end = EndedRun(max(known.reached, 0.0), fault.end, str(fault))
        if known.end is not None:
            self._live.pop(run.key, None)

    def _begin(self, run: RemoteRun, known: RunTold) -> None:
        """Begin a run at its model, or begin it once more.

        Raises:
            RemoteFault: It cannot.
        """
        connection = self._connection(run.model)
        with _closed_by_faults(connection):
            operation, expected = connection.begin(dict(run.settings))
        told = known if known.reached < 0.0 else RunTold()
        told.expected = expected
        self._live.pop(run.key, None)
        self._live[run.key] = _Live(connection, operation, told)
        mine = [key for key, live in self._live.items() if live.connection is connection]
        for key in mine[:-MOST_LIVE]:
            with _closed_by_faults(connection):
                connection.stop(self._live.pop(key).operation)

    def _connection(self, model: str) -> ModelConnection:
        """An open connection to a model.

        Raises:
            RemoteFault: Nobody answers where it should be.
        """
        found = self._connections.get(model)
        if found is None or not found.is_open:
            try:
                found = ModelConnection.to(addresses()[model], model_token(), model, wall_s())
            except (KeyError, EarSimError) as error:
                told = f"{model} is not attached" if isinstance(error, KeyError) else str(error)
                raise RemoteFault(RemoteEnd.GONE, told) from None
            self._connections[model] = found
            if self._descriptions.setdefault(model, found.description) != found.description:
                found.close()
                message = f"{model} is not what it was when it was first asked"
                raise RemoteFault(RemoteEnd.UNREPEATABLE, message)
        return found

    def _kept_of(self, run: RemoteRun) -> RunTold:
        known = self._kept.get(run.key)
        if known is None:
            known = self._kept[run.key] = RunTold()
            while len(self._kept) > MOST_KEPT:
                key = next(iter(self._kept))
                del self._kept[key]
                self._live.pop(key, None)
        return known


REMOTE_POOL = RemotePool()
atexit.register(REMOTE_POOL.close)
os.register_at_fork(after_in_child=REMOTE_POOL.forget)
