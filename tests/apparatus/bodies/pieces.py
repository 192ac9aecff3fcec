"""Pieces of code on a workstation, executed as far as a test wants."""

from __future__ import annotations

from earsim.apparatus.bodies.model import Workstation
from earsim.apparatus.bodies.transcript import Entry, Piece, entry_of
from earsim.apparatus.parameter import defaults


def piece(body: Workstation, code: str, *work: Entry) -> Piece:
    """A piece of code that has not begun."""
    return body.piece(code, work, defaults(body.parameters))


def done(body: Workstation, code: str, *work: Entry, seconds: float = 1e6) -> Piece:
    """A piece of code after so many seconds."""
    state: Piece = body.advance(piece(body, code, *work), seconds).state
    return state


def work_of(body: Workstation, *codes: str) -> tuple[Entry, ...]:
    """The transcript of pieces that were executed one after the other."""
    work: tuple[Entry, ...] = ()
    for code in codes:
        entry = entry_of(done(body, code, *work))
        assert entry is not None
        work = (*work, entry)
    return work


def texts(state: Piece) -> list[str]:
    """Its lines of output."""
    return [line.text for line in state.lines]
