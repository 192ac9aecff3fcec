"""An interpreter at work in a process of its own, as its pool sees it."""

from __future__ import annotations

import json
import os
import selectors
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from earsim.apparatus.bodies.transcript import OutputLine, PieceEnd, Saved
from earsim.ids import printable

if TYPE_CHECKING:
    from earsim.sandbox import SandboxedChild

_CHUNK = 1 << 16
_MOST_UNREAD = 1 << 20
"""Bytes without a line break after which what comes is no message."""


class Overdue(Exception):
    """The machine took too long."""


class Died(Exception):
    """The process has ended, or talks nonsense."""


class Interpreter(ABC):
    """One live interpreter and what it has done.

    Attributes:
        before: key of the workspace in which the last piece of code was begun.
        code: of that piece.
        lines: that were received of it.
        end: how it ended; None while it is held back at its last line.
        message: what ended it.
        after: key of the workspace as it is; None while a piece is being executed.
        interrupted: it was interrupted at its last line.
        stops: a piece can be interrupted at a line and keeps what it has done.
    """

    stops = True

    def __init__(self, key: str, wall_s: float) -> None:
        self.before, self.after = "", key
        self.code = ""
        self.lines: list[OutputLine] = []
        self.end: PieceEnd | None = PieceEnd.COMPLETED
        self.message = ""
        self.interrupted = False
        self._wall_s, self._left_s = wall_s, wall_s
        self._folder = tempfile.TemporaryDirectory(
            prefix="earsim-body-", ignore_cleanup_errors=True
        )
        self._directory = os.open(self._folder.name, os.O_RDONLY)
        self._unread = b""
        try:
            self._child = self._launched(Path(self._folder.name))
        except BaseException:
            os.close(self._directory)
            self._folder.cleanup()
            raise
        self._selector = selectors.DefaultSelector()
        for pipe in (self._child.stdout, self._child.stderr):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)

    @abstractmethod
    def _launched(self, folder: Path) -> SandboxedChild:
        """The process, in its folder.

        Raises:
            SandboxTooWeak: This machine confines it less than is demanded.
        """

    @abstractmethod
    def _send(self, code: str) -> None:
        """Have it begin with a piece of code."""

    @abstractmethod
    def _next(self) -> OutputLine | str | None:
        """The next line of output; the error that ended the piece, or None where none did.

        Raises:
            Died: It is gone.
            Overdue: It took too long.
        """

    @abstractmethod
    def _interrupt(self) -> None:
        """Interrupt the piece at the line at which it is held back."""

    def save(self, entry: Saved, after: str) -> None:
        """Put a file into its folder: a new one, whatever code has put there under its name."""
        self._do(partial(self._save, entry))
        self.after = after

    def _save(self, entry: Saved) -> None:
        with suppress(FileNotFoundError):
            os.unlink(entry.name, dir_fd=self._directory)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        number = os.open(entry.name, flags, 0o644, dir_fd=self._directory)
        with os.fdopen(number, "wb") as file:
            file.write(entry.text.encode("utf-8", "surrogatepass"))

    def begin(self, code: str, before: str) -> None:
        """Begin to execute a piece of code in the workspace as it is."""
        self.before, self.after, self.code = before, "", code
        if self.is_alive:
            self.lines, self.end, self.message = [], None, ""
            self.interrupted, self._left_s = False, self._wall_s
            self._do(partial(self._send, code))

    def receive(self, count: int) -> None:
        """Go on until so many lines were received, or the piece has ended."""
        while self.end is None and len(self.lines) < count:
            self._do(self._step)

    def stop(self, after: str) -> None:
        """Interrupt the piece at its last line."""
        self._do(self._interrupt)
        if self.end is None:
            self._ended(PieceEnd.RAISED, "interrupted")
        self.after, self.interrupted = after, True

    @property
    def is_alive(self) -> bool:
        """Whether it can go on."""
        return self.end not in (PieceEnd.LOST, PieceEnd.TIMEOUT)

    def close(self) -> None:
        """End the process and remove its folder."""
        if self._directory < 0:
            return
        os.close(self._directory)
        self._directory = -1
        self._selector.close()
        with suppress(OSError):
            self._child.close()
        self._folder.cleanup()

    def _step(self) -> None:
        found = self._next()
        if isinstance(found, OutputLine):
            self.lines.append(OutputLine(found.stream, printable(found.text)))
        elif found is None:
            self._ended(PieceEnd.COMPLETED, "")
        else:
            self._ended(PieceEnd.RAISED, printable(found)[:200])

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Overdue:
            self._ended(PieceEnd.TIMEOUT, f"no end after {self._wall_s:g} s of this machine")
        except (Died, OSError, ValueError, KeyError, TypeError) as error:
            self._ended(PieceEnd.LOST, f"the interpreter died: {error}"[:200])

    def _ended(self, end: PieceEnd, message: str) -> None:
        self.end, self.message = end, message
        if not self.is_alive:
            self.close()

    # -- pipes -------------------------------------------------------------------------------------

    def _write(self, data: bytes) -> None:
        try:
            self._child.stdin.write(data)
            self._child.stdin.flush()
        except OSError as error:
            raise Died("it takes no more input") from error

    def _read_line(self) -> bytes:
        """The next line of its standard output; what comes on standard error is let go."""
        while b"\n" not in self._unread:
            if len(self._unread) > _MOST_UNREAD:
                raise Died("it sends no lines")
            self._unread += self._read()
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _read(self) -> bytes:
        out = self._child.stdout
        while True:
            begun = time.monotonic()
            ready = self._selector.select(max(self._left_s, 0.0))
            self._left_s -= time.monotonic() - begun
            if not ready:
                raise Overdue
            for key, _ in ready:
                data = os.read(key.fd, _CHUNK)
                if key.fileobj is out:
                    if not data:
                        raise Died("its output has ended")
                    return data
                if not data:
                    self._selector.unregister(key.fileobj)


class PythonInterpreter(Interpreter):
    """A Python interpreter that runs `driver`."""

    def __init__(self, key: str, wall_s: float) -> None:
        super().__init__(key, wall_s)
        self._do(self._begin)

    def _launched(self, folder: Path) -> SandboxedChild:
        from earsim.apparatus.bodies.confinement import launched_python

        return launched_python(folder)

    def _begin(self) -> None:
        if json.loads(self._read_line()) != {"ready": True}:
            raise Died("it does not begin")

    def _send(self, code: str) -> None:
        self._tell({"code": code})

    def _next(self) -> OutputLine | str | None:
        if self.lines:
            self._tell("go")
        message = json.loads(self._read_line())
        if isinstance(message, dict) and "end" in message:
            return None if message["end"] is None else str(message["end"])
        stream, text = message["line"]
        if stream not in ("stdout", "stderr") or not isinstance(text, str):
            raise Died("it sends no lines")
        return OutputLine(stream, text)

    def _interrupt(self) -> None:
        self._tell("stop")
        message = json.loads(self._read_line())
        if not isinstance(message, dict) or "end" not in message:
            raise Died("it is not to be interrupted")

    def _tell(self, message: object) -> None:
        self._write(json.dumps(message).encode() + b"\n")
