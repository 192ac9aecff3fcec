"""A GNU Octave interpreter, where Octave is installed.

Octave has no way to wait after each line that it prints; it is held back only by its full pipe. So
what is interrupted there is undone: a fresh interpreter executes again what came before it.
"""

from __future__ import annotations

import os
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

_OPTIONS = ("--no-gui", "--quiet", "--no-init-file", "--no-site-file", "--no-history", "--eval")
_PIECE = "piece_to_execute_"

_MARK_CHARS = 32
_REQUESTS = "requests_to_execute_"
"""A queue (FIFO) in the folder, so that code which reads its standard input finds it closed."""

_DRIVER = f"""
function serve_pieces_ (folder)
  page_screen_output (false); page_output_immediately (true); crash_dumps_octave_core (false);
  format long; rand ('twister', 0); randn ('twister', 0);
  dup2 (stdout, stderr);
  requests = fopen ([folder '/{_REQUESTS}'], 'r');
  mark = fread (requests, {_MARK_CHARS}, 'char=>char')';
  printf ('%s\\n', mark); fflush (stdout);
  while ! isempty (fread (requests, 1))  % fgetl would wait for what follows the line
    told = '';
    try
      evalin ('base', fileread ([folder '/{_PIECE}']));
    catch problem
      told = [' ' strrep(problem.message, "\\n", ' ')];
    end
    fflush (stdout); printf ('%s%s\\n', mark, told); fflush (stdout);
  end
end
serve_pieces_ (getenv ('HOME'))
"""


class OctaveInterpreter(Interpreter):
    """Octave under a driver that executes piece after piece; a secret mark ends each of them."""

    stops = False

    def __init__(self, key: str, wall_s: float) -> None:
        self._mark = secrets.token_hex(_MARK_CHARS // 2)
        self._end: str | None = ""
        self._requests = -1
        super().__init__(key, wall_s)
        self._do(self._begin)

    def _launched(self, folder: Path) -> SandboxedChild:
        program = octave()
        if program is None:
            raise UsageError("octave/1 needs GNU Octave, and no octave-cli is on the path")
        os.mkfifo(_REQUESTS, 0o644, dir_fd=self._directory)
        self._requests = os.open(_REQUESTS, os.O_RDWR, dir_fd=self._directory)
        try:
            return confined((program, *_OPTIONS, _DRIVER), folder)
        except BaseException:
            os.close(self._requests)
            raise

    def _begin(self) -> None:
        self._child.stdin.close()
        self._request(self._mark)
        told = self._read_line().decode("utf-8", "replace").strip()
        if told != self._mark:
            raise Died(f"it does not begin: {told}")

    def _send(self, code: str) -> None:
        self._end = ""
        self._save(Saved(_PIECE, code))
        self._request(".")

    def _request(self, text: str) -> None:
        os.write(self._requests, text.encode())

    def _next(self) -> OutputLine | str | None:
        if self._end != "":
            return self._end
        text = self._read_line().decode("utf-8", "replace").rstrip("\r")
        text = text.replace(self._folder.name, ".")  # whose name differs each time
        before, mark, after = text.partition(self._mark)
        if mark:
            self._end = after[1:] or None
            if not before:
                return self._end
        cut = before[:LONGEST_LINE] + "..." if len(before) > LONGEST_LINE else before
        return OutputLine("stdout", cut)

    def close(self) -> None:
        """End the process and remove its folder."""
        if self._requests >= 0:
            os.close(self._requests)
            self._requests = -1
        super().close()

    def _interrupt(self) -> None:
        raise Died("it cannot be interrupted and keep its workspace")
