"""The transcript of a workstation: immutable, and enough to bring a fresh interpreter to its state.

Two worlds with equal transcripts have equal workspaces, so an interpreter that has come so far may
serve either.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple


class OutputLine(NamedTuple):
    """One line of output.

    Attributes:
        stream: ``stdout`` or ``stderr``.
        text: without its line break, at most `LONGEST_LINE` characters.
    """

    stream: str
    text: str


@dataclass(frozen=True, slots=True)
class Saved:
    """A text that was put into the workstation's folder."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Executed:
    """A piece of code that was executed.

    Attributes:
        code: as it was given.
        lines: that were received of it.
        stopped: it was interrupted at the last of these lines.
    """

    code: str
    lines: tuple[OutputLine, ...]
    stopped: bool


Entry = Saved | Executed


class PieceEnd(StrEnum):
    """How the execution of a piece of code ended."""

    COMPLETED = "completed"
    RAISED = "raised"  # an error of the code; the workspace is kept
    FLOODED = "flooded"  # more lines than a workstation takes; stopped at the last of them
    LOST = "lost"  # the interpreter died, and its workspace with it
    TIMEOUT = "timeout"  # the machine took too long: says nothing about who gave the code
    UNREPEATABLE = "unrepeatable"  # earlier pieces, executed again, gave other lines
    NO_BODY = "no_body"  # no interpreter, or no sandbox for it, on this machine

    @property
    def is_measured(self) -> bool:
        """Whether it says anything about who gave the code."""
        return self not in (PieceEnd.TIMEOUT, PieceEnd.NO_BODY)

    @property
    def repeats(self) -> bool:
        """Whether the piece ends so wherever and whenever it is executed."""
        return self.is_measured and self is not PieceEnd.UNREPEATABLE

    @property
    def keeps(self) -> bool:
        """Whether the workspace is as the piece left it."""
        return self in (PieceEnd.COMPLETED, PieceEnd.RAISED, PieceEnd.FLOODED)


@dataclass(frozen=True)
class Piece:
    """A piece of code in execution: the state of a workstation's run.

    Attributes:
        body: model of the workstation.
        work: what was done there before.
        code: what is executed.
        pace: seconds of world time that a line takes.
        lines: that were received.
        end: how it ended; None while it goes on.
        message: what ended it, where it did not complete.
        apart: it is executed in a workspace of its own and leaves nothing behind.
    """

    body: str
    work: tuple[Entry, ...]
    code: str
    pace: float
    lines: tuple[OutputLine, ...] = ()
    end: PieceEnd | None = None
    message: str = ""
    apart: bool = False

    @cached_property
    def before(self) -> str:
        """Key of the workspace in which the code is executed."""
        return workspace_key(self.body, self.work)

    @cached_property
    def key(self) -> str:
        """Key of the code together with the workspace in which it is executed."""
        data = self.code.encode("utf-8", "surrogatepass")
        return hashlib.sha256(self.before.encode() + data).hexdigest()


def workspace_key(body: str, work: tuple[Entry, ...]) -> str:
    """A key that equal workspaces of a body have in common."""
    found = hashlib.sha256(body.encode())
    for entry in work:
        if isinstance(entry, Saved):
            parts = ("saved", entry.name, entry.text)
        else:
            stopped = str(len(entry.lines)) if entry.stopped else ""
            parts = ("executed", entry.code, stopped)
        for part in parts:
            data = part.encode("utf-8", "surrogatepass")
            found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()


def entry_of(piece: Piece) -> Executed | None:
    """What a piece that has ended, or was interrupted, leaves in the transcript.

    None where it left nothing: it was interrupted before its first line, so it had not begun, or
    its workspace was its own.
    """
    if piece.apart:
        return None
    stopped = piece.end in (None, PieceEnd.FLOODED)
    if stopped and not piece.lines:
        return None
    return Executed(piece.code, piece.lines, stopped)
