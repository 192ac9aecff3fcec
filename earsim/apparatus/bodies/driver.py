"""The program of a Python workstation's interpreter: it executes pieces of code for its parent.

It runs in a process of its own and imports nothing of this package. Parent and child exchange one
JSON value a line. The parent sends code; for every line of output the child waits for leave to go
on, so that it is never ahead of what was received.
"""

import io
import json
import linecache
import os
import random
import sys
import traceback
import types
from typing import Any

LONGEST_LINE = 2000
MOST_REFUSALS = 1000


class Parent:
    """The other end of the pipes."""

    def __init__(self) -> None:
        self._requests = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
        self._out = os.dup(1)
        self._refusals = 0
        self.stopping = False

    def receive(self) -> Any:
        """What the parent says next; without a parent there is nothing left to do."""
        text = self._requests.readline()
        if not text:
            os._exit(0)
        return json.loads(text)

    def send(self, message: object) -> None:
        """Say something to the parent."""
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self._out, data) :]

    def line(self, stream: str, text: str) -> None:
        """Pass on a line of output; return with the leave to go on."""
        if not self.stopping:
            self.send({"line": [stream, text]})
            self.stopping = self.receive() == "stop"
        if self.stopping:
            self._refusals += 1
            if self._refusals > MOST_REFUSALS:
                os._exit(1)  # it will not be interrupted
            raise KeyboardInterrupt

    def begun(self) -> None:
        """A new piece begins."""
        self.stopping, self._refusals = False, 0


class Output(io.TextIOBase):
    """Standard output or error, cut into lines.

    The folder, whose name differs each time, is told as a full stop.
    """

    def __init__(self, parent: Parent, name: str, folder: str) -> None:
        self._parent, self._name, self._folder, self._rest = parent, name, folder, ""

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, text: str) -> int:
        """Pass on every line that is complete."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        *lines, rest = text.split("\n")
        for line in lines:
            line, self._rest = self._rest + line, ""
            self._emit(line)
        self._rest = (self._rest + rest)[: LONGEST_LINE + 1]
        return len(text)

    def clear(self) -> None:
        """Drop a line that was begun."""
        self._rest = ""

    def end(self) -> None:
        """Pass on a line that was begun and not ended."""
        rest, self._rest = self._rest, ""
        if rest:
            self._emit(rest)

    def _emit(self, line: str) -> None:
        line = line.rstrip("\r").replace(self._folder, ".")
        cut = line[:LONGEST_LINE] + "..." if len(line) > LONGEST_LINE else line
        self._parent.line(self._name, cut)


def execute(code: str, name: str, scope: dict[str, Any], out: Output, err: Output) -> str | None:
    """Execute a piece of code; what it raised, in one line, or None."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    told = None
    try:
        try:
            exec(compile(code, name, "exec"), scope)
        except SystemExit as end:
            if end.code not in (None, 0):
                told = f"SystemExit: {end.code}"
        except BaseException as error:  # noqa: BLE001 - whatever code raises is told
            told = traceback.format_exception_only(type(error), error)[-1].strip()
            trace = error.__traceback__
            own = trace.tb_next if trace is not None else None
            err.write("".join(filter(_tells, _lines(error, own))))
        out.end()
        err.end()
    except KeyboardInterrupt:
        told = told or "KeyboardInterrupt"
    return told


def _lines(error: BaseException, trace: types.TracebackType | None) -> list[str]:
    told = "".join(traceback.format_exception(type(error), error, trace))
    return told.splitlines(keepends=True)


def _tells(line: str) -> bool:
    """Whether a line is more than marks below code, which differ between versions of Python."""
    return bool(line.strip(" ~^\n"))


def prepared() -> None:
    """Whatever is drawn at random is drawn alike in every interpreter."""
    random.seed(0)
    try:
        import numpy
    except ImportError:
        return
    numpy.random.seed(0)


def main(folder: str, library: str) -> None:
    """Execute what the parent sends, until it sends no more.

    Args:
        folder: the workstation's, in which code runs.
        library: a folder of modules that code can import.
    """
    parent = Parent()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.chdir(folder)
    sys.path[:0] = [folder]
    sys.path.append(library)
    sys.argv = [""]
    sys.dont_write_bytecode = True
    out, err = Output(parent, "stdout", folder), Output(parent, "stderr", folder)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), out, err
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    prepared()
    parent.send({"ready": True})
    count = 0
    while True:
        code = parent.receive()["code"]
        count += 1
        parent.begun()
        out.clear()
        err.clear()
        told = execute(code, f"<piece {count}>", module.__dict__, out, err)
        sys.stdout, sys.stderr = out, err
        parent.send({"end": told and told.replace(folder, ".")})


if __name__ == "__main__":
    main(*sys.argv[1:3])
