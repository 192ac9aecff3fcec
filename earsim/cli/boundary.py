"""Where exceptions end: each becomes one message and an exit code, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

from typer.core import TyperGroup

from earsim.cli.screen import complain
from earsim.errors import EarSimError
from earsim.signals import exit_code


class Code(IntEnum):
    """Exit codes of every command."""

    FINE = 0
    NO = 1  # the question was answered with no: findings, differences, nothing measured
    WRONG_INPUT = 2
    MACHINE = 3  # the disk is full, a folder may not be written, a server is gone ...
    INTERRUPTED = 130  # 128 and the number of the signal: see `exit_code`
    READER_LEFT = 141  # as if SIGPIPE had ended us


EXIT_CODES = (
    "Exit codes: 0 all is well, 1 the answer is no (findings, differences, not measured), "
    "2 wrong input or usage, 3 a machine gave out (disk full, server gone), "
    "130 interrupted (143 by SIGTERM, 129 by SIGHUP)."
)


@contextmanager
def errors_told() -> Iterator[None]:
    """Turn whatever a command raises on purpose into a message on stderr and an exit."""
    try:
        yield
        sys.stdout.flush()  # a full disk or a closed pipe shows only now
    except EarSimError as error:
        complain(str(error))
        raise SystemExit(Code.WRONG_INPUT) from None
    except KeyboardInterrupt as interrupt:
        complain("interrupted; what was finished is kept")
        raise SystemExit(exit_code(interrupt)) from None
    except BrokenPipeError:
        _forget_output()
        raise SystemExit(Code.READER_LEFT) from None
    except OSError as error:
        _forget_output()
        complain(_words(error))
        raise SystemExit(Code.MACHINE) from None


class Boundary(TyperGroup):
    """The group of all commands, with `errors_told` around whichever runs."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command."""
        with errors_told():
            return super().invoke(ctx)


def _words(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else f"output: {reason}"


def _forget_output() -> None:
    """Keep the interpreter from failing once more when it flushes at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # stdout is no file: nothing will be flushed to one
        return
