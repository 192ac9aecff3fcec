"""A workstation as a model: its run executes one piece of code, a line of output at a time.

Line k is received when k times `seconds_per_line` have passed, however fast the machine is, and
the interpreter is held back at it; the end takes the time of one more line. So a run can be stopped
at any line, and what is stopped there has done no more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from earsim.apparatus.bodies.lines import result
from earsim.apparatus.bodies.transcript import Entry, OutputLine, Piece, PieceEnd
from earsim.apparatus.model import Advanced, Expected, Model, ModelEvent, ModelOutput, Severity
from earsim.apparatus.parameter import Parameter, Settings, Value

MOST_LINES = 10_000
"""Lines of one piece; the one that would print more is stopped there, and has failed."""

OUTPUT = "output"
"""The event of one line."""

_PACE = "seconds_per_line"


class Workstation(Model):
    """A workstation.

    Attributes:
        language: what it executes, as people call it.
    """

    language: ClassVar[str]

    parameters = (
        Parameter(_PACE, "world time that a line of output takes", 1.0, "s", low=0.1, high=60.0),
    )
    channels = ()
    quantities: ClassVar[tuple[ModelOutput, ...]] = (
        ModelOutput("result", "", "what the last line `result = value` says; none without one"),
        ModelOutput("lines", "", "lines of output"),
    )
    events = (OUTPUT, "done", *[e.value for e in PieceEnd if e is not PieceEnd.COMPLETED])

    def start(self, settings: Settings) -> Piece:
        """The execution of no code, in an empty workspace."""
        return self.piece("", (), settings)

    def piece(self, code: str, work: Sequence[Entry], settings: Settings) -> Piece:
        """The execution of a piece of code in a workspace, before it begins."""
        return Piece(self.id, tuple(work), code, float(settings[_PACE]))

    def advance(self, state: Piece, allowance: float) -> Advanced:
        """Receive the lines that are due; the interpreter is asked for no more than these."""
        due = math.floor(min(allowance / state.pace, MOST_LINES + 1.0) + 1e-9)
        if state.end is not None or due <= len(state.lines):
            return Advanced(state, (), (), 0.0, None, state.end is PieceEnd.COMPLETED)
        new = _executed(state, due)
        events = [_output(new, k) for k in range(len(state.lines) + 1, len(new.lines) + 1)]
        if new.end is None:
            return Advanced(new, (), tuple(events), 0.0, None, False)
        at = (len(new.lines) + 1) * new.pace
        if new.end is PieceEnd.COMPLETED:
            done = ModelEvent(at, at, "done", Severity.INFO, {"lines": len(new.lines)})
            return Advanced(new, (), (*events, done), 0.0, None, True)
        failed = ModelEvent(at, at, new.end.value, Severity.INFO, {"message": new.message})
        timed_out = new.end is PieceEnd.TIMEOUT
        return Advanced(
            new, (), (*events, failed), 0.0, None, False, new.message, timed_out=timed_out
        )

    def results(self, state: Piece) -> Mapping[str, Value | None]:
        """What the lines so far say."""
        return {"result": result(state.lines), "lines": len(state.lines)}

    def expected(self, settings: Settings) -> Expected:
        """Nothing is known of code beforehand."""
        return Expected(None, None)


def _executed(state: Piece, due: int) -> Piece:
    """A piece with the lines that are due, and its end where that has come."""
    if not state.code:
        return replace(state, end=PieceEnd.COMPLETED)
    from earsim.apparatus.bodies.pool import POOL

    found = POOL.lines(state, min(due, MOST_LINES + 1))
    lines, end, message = found.lines, found.end, found.message
    if len(lines) > MOST_LINES:
        end, message = PieceEnd.FLOODED, f"more than {MOST_LINES} lines"
    return replace(state, lines=lines[:MOST_LINES], end=end, message=message)


def _output(piece: Piece, k: int) -> ModelEvent:
    line: OutputLine = piece.lines[k - 1]
    facts = {"stream": line.stream, "line": line.text}
    return ModelEvent(k * piece.pace, k * piece.pace, OUTPUT, Severity.INFO, facts)


class PythonBody(Workstation):
    """A persistent Python interpreter."""

    id = "python/1"
    title = "workstation: a Python interpreter that executes code piece by piece"
    language = "Python"


class OctaveBody(Workstation):
    """A persistent GNU Octave interpreter, where Octave is installed."""

    id = "octave/1"
    title = "workstation: a GNU Octave interpreter that executes code piece by piece"
    language = "Octave"
