"""The interpreters of this process: outside all worlds, each as far as some transcript goes.

A world asks for the lines of a piece of code in a workspace. An interpreter that has come exactly
so far serves it; where there is none, a fresh one is brought there by doing everything again. So
copies, forks and replays of a world need nothing but its transcript.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import RLock
from typing import NamedTuple

from earsim.apparatus.bodies.interpreter import Interpreter, Overdue, PythonInterpreter
from earsim.apparatus.bodies.transcript import (
    Executed,
    OutputLine,
    Piece,
    PieceEnd,
    Saved,
    workspace_key,
)
from earsim.errors import EarSimError, UsageError

MOST_LIVE = 8
"""Interpreters at a time; beyond that the one that was used longest ago is ended."""

MOST_KEPT = 256
"""Pieces of code whose lines are remembered, for copies and replays that come to them again."""

WALL_S = 600.0
"""Seconds of this machine that one piece of code may take."""


class Received(NamedTuple):
    """What was received of a piece of code.

    Attributes:
        lines: in their order.
        end: how it ended, where it has.
        message: what ended it, where it did not complete.
    """

    lines: tuple[OutputLine, ...]
    end: PieceEnd | None = None
    message: str = ""


class _Unrepeatable(Exception):
    """What was done before gives other lines now."""


class Pool:
    """Live interpreters.

    Attributes:
        wall_s: seconds of this machine that one piece of code may take.
    """

    def __init__(self, wall_s: float = WALL_S) -> None:
        self.wall_s = wall_s
        self._live: list[Interpreter] = []  # used longest ago first
        self._kept: dict[str, Received] = {}  # by the key of the piece, oldest first
        self._record: Mapping[str, Received] | None = None
        self._lock = RLock()

    def lines(self, piece: Piece, count: int) -> Received:
        """The first lines of a piece of code, executed in the workspace that was before it."""
        with self._lock:
            if self._record is not None:
                kept = self._recorded(piece, count)
            else:
                kept = self._known(piece, count)
        if kept.lines[: len(piece.lines)] != piece.lines:
            message = "the code gave other output when executed again"
            return Received(piece.lines, PieceEnd.UNREPEATABLE, message)
        if len(kept.lines) >= count:
            return Received(kept.lines[:count])
        return kept

    @contextmanager
    def playing(self, record: Mapping[str, Received]) -> Iterator[None]:
        """Within it nothing is executed: what was received before is received again.

        Args:
            record: by the key of the piece.
        """
        before, self._record = self._record, record
        try:
            yield
        finally:
            self._record = before

    @property
    def plays(self) -> bool:
        """Whether a record is played."""
        return self._record is not None

    def _recorded(self, piece: Piece, count: int) -> Received:
        found = None if self._record is None else self._record.get(piece.key)
        if found is None or (found.end is None and len(found.lines) < count):
            return Received(piece.lines, PieceEnd.NO_BODY, "the record of this code ends here")
        return found

    def _known(self, piece: Piece, count: int) -> Received:
        """What was received, from an interpreter where that is not known yet."""
        kept = self._kept.get(piece.key)
        if kept is None or (kept.end is None and len(kept.lines) < count):
            kept = self._executed(piece, count)
            if kept.end is None or kept.end.repeats:
                self._kept.pop(piece.key, None)
                self._kept[piece.key] = kept
                while len(self._kept) > MOST_KEPT:
                    del self._kept[next(iter(self._kept))]
        return kept

    def _executed(self, piece: Piece, count: int) -> Received:
        try:
            found = self._serving(piece)
        except _Unrepeatable:
            message = "what was executed before gave other output when executed again"
            return Received(piece.lines, PieceEnd.UNREPEATABLE, message)
        except Overdue:
            message = f"what was executed before takes more than {self.wall_s:g} s here"
            return Received(piece.lines, PieceEnd.TIMEOUT, message)
        except (EarSimError, OSError) as error:  # no interpreter, or no sandbox for one
            return Received(piece.lines, PieceEnd.NO_BODY, str(error)[:200])
        found.receive(count)
        self._forget_dead()
        return Received(tuple(found.lines), found.end, found.message)

    def close(self) -> None:
        """End all interpreters."""
        with self._lock:
            for interpreter in self._live:
                interpreter.close()
            self._live, self._kept = [], {}

    def forget(self) -> None:
        """In a forked process: the interpreters are the parent's."""
        self._live, self._kept, self._lock = [], {}, RLock()

    def _serving(self, piece: Piece) -> Interpreter:
        """An interpreter that executes the piece."""
        for each in reversed(self._live):
            is_it = each.before == piece.before and each.code == piece.code
            if is_it and not each.interrupted:
                return self._used(each)
        found = self._at(piece) or self._fresh(piece)
        found.begin(piece.code, piece.before)
        return found

    def _at(self, piece: Piece) -> Interpreter | None:
        """An idle interpreter whose workspace is the one wanted, or will be by what came last."""
        for each in reversed(self._live):
            if each.end is not None and each.after == piece.before:
                return self._used(each)
        if not piece.work:
            return None
        last, earlier = piece.work[-1], workspace_key(piece.body, piece.work[:-1])
        for each in reversed(self._live):
            if isinstance(last, Saved):
                fits = each.end is not None and each.after == earlier
            else:
                is_it = each.before == earlier and each.code == last.code
                fits = is_it and _as_far(each, last)
            if fits:
                self._did(each, last, piece.before)
                return self._used(each)
        return None

    def _fresh(self, piece: Piece) -> Interpreter:
        """A fresh interpreter that does again what was done before."""
        found = _interpreter(piece.body, workspace_key(piece.body, ()), self.wall_s)
        if not found.is_alive:
            raise UsageError(f"{piece.body} does not start here: {found.message}")
        self._live.append(found)
        while len(self._live) > MOST_LIVE:
            self._live.pop(0).close()
        for number, entry in enumerate(piece.work, start=1):
            before, after = (
                workspace_key(piece.body, piece.work[:n]) for n in (number - 1, number)
            )
            if isinstance(entry, Executed) and (found.stops or not entry.stopped):
                found.begin(entry.code, before)
                found.receive(len(entry.lines) + (not entry.stopped))
                if found.end is PieceEnd.TIMEOUT:
                    self._drop(found)
                    raise Overdue
                if tuple(found.lines) != entry.lines or (found.end is None) != entry.stopped:
                    self._drop(found)
                    raise _Unrepeatable
            self._did(found, entry, after)
        return found

    def _did(self, interpreter: Interpreter, entry: Saved | Executed, after: str) -> None:
        """Complete an entry of a transcript whose output was received."""
        if isinstance(entry, Saved):
            interpreter.save(entry, after)
        elif entry.stopped and interpreter.end is None:
            interpreter.stop(after)
        else:
            interpreter.after = after

    def _used(self, interpreter: Interpreter) -> Interpreter:
        self._live.remove(interpreter)
        self._live.append(interpreter)
        return interpreter

    def _drop(self, interpreter: Interpreter) -> None:
        interpreter.close()
        self._live.remove(interpreter)

    def _forget_dead(self) -> None:
        self._live = [each for each in self._live if each.is_alive]


def _as_far(interpreter: Interpreter, entry: Executed) -> bool:
    """Whether an interpreter that executes a piece is where the transcript says it was left."""
    if entry.stopped:
        return (
            interpreter.stops
            and interpreter.end is None
            and len(interpreter.lines) == len(entry.lines)
        )
    return interpreter.end is not None


def _interpreter(body: str, key: str, wall_s: float) -> Interpreter:
    if body == "octave/1":
        from earsim.apparatus.bodies.octave import OctaveInterpreter

        return OctaveInterpreter(key, wall_s)
    return PythonInterpreter(key, wall_s)


POOL = Pool()
atexit.register(POOL.close)
os.register_at_fork(after_in_child=POOL.forget)
