"""A GNU Octave interpreter, where Octave is installed.

Octave has no way to wait after each line that it prints; it is held back only by its full pipe. So
what is interrupted there is undone: a fresh interpreter executes again what came before it.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from earsim.apparatus.bodies.confinement import confined, octave
from earsim.apparatus.bodies.interpreter import Died, Interpreter
from earsim.apparatus.bodies.transcript import OutputLine, Saved
from earsim.errors import UsageError

if TYPE_CHECKING:
    from earsim.sandbox import SandboxedChild

LONGEST_LINE = 2000

_OPTIONS = ("--no-gui", "--quiet", "--no-init-file", "--no-site-file", "--no-history")
_FIRST = (
    "page_screen_output(false); page_output_immediately(true); crash_dumps_octave_core(false); "
    "rand('twister', 0); randn('twister', 0);\n"
)
_PIECE = "piece_to_execute_"


class OctaveInterpreter(Interpreter):
    """Octave, fed through its standard input; a mark that nobody can know ends each piece."""

    stops = False

    def __init__(self, key: str, wall_s: float) -> None:
        self._mark = secrets.token_hex(16)
        self._end: str | None = ""
        super().__init__(key, wall_s)
        self._do(lambda: self._write(_FIRST.encode()))

    def _launched(self, folder: Path) -> SandboxedChild:
        program = octave()
        if program is None:
            raise UsageError("octave/1 needs GNU Octave, and no octave-cli is on the path")
        return confined((program, *_OPTIONS), folder)

    def _send(self, code: str) -> None:
        self._end = ""
        self._save(Saved(_PIECE, code))
        told = f"printf('%s %s\\n', '{self._mark}', strrep(told_.message, \"\\n\", ' '))"
        self._write(
            f"try, evalin('base', fileread('{_PIECE}')); printf('%s\\n', '{self._mark}'); "
            f"catch told_, {told}; end; clear told_; fflush(stdout);\n".encode()
        )

    def _next(self) -> OutputLine | str | None:
        if self._end != "":
            return self._end
        text = self._read_line().decode("utf-8", "replace").rstrip("\r")
        before, mark, after = text.partition(self._mark)
        if mark:
            self._end = after[1:] or None
            if not before:
                return self._end
        cut = before[:LONGEST_LINE] + "..." if len(before) > LONGEST_LINE else before
        return OutputLine("stdout", cut)

    def _interrupt(self) -> None:
        raise Died("it cannot be interrupted and keep its workspace")
