"""A process that has imported what no mutant changes, and forks a run of pytest per request.

Importing pytest, Hypothesis and pydantic takes longer than most mutants live. A request is a line
of JSON on standard input: arguments, environment and a timeout in seconds. The answer is a line on
standard output: the exit code, or `null` where the run was killed at the timeout.
"""

from __future__ import annotations

import asyncio  # noqa: F401  # as all below: imported for those that are forked
import json
import os
import signal
import sys
import time
from contextlib import suppress

import coverage  # noqa: F401
import gymnasium  # noqa: F401
import hypothesis.stateful  # noqa: F401
import networkx  # noqa: F401
import numpy  # noqa: F401
import pydantic.main  # noqa: F401
import pytest
import rich.console  # noqa: F401
import typer.testing  # noqa: F401
import yaml  # noqa: F401

_STEP_S = 0.02
# Hypothesis asks for its assertions to be rewritten, which is too late, and which nothing needs.
_ARGUMENTS = ("-W", "ignore::pytest.PytestAssertRewriteWarning")


def run(arguments: list[str], variables: dict[str, str]) -> None:
    """Be a run of pytest: all of the product and its tests is imported anew, from the path set."""
    os.setsid()
    os.environ.update(variables)
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    sys.path[:0] = os.environ["PYTHONPATH"].split(os.pathsep)
    sys.dont_write_bytecode = "PYTHONDONTWRITEBYTECODE" in variables
    code = 3
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123  # a path of the system, not a file
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        with suppress(BaseException):
            code = int(pytest.main([*_ARGUMENTS, *arguments]))
    os._exit(code)


def awaited(child: int, timeout: float | None) -> int | None:
    """The exit code of a child, or None where it had to be killed: it, or who asked, is late."""
    end, asks = None if timeout is None else time.monotonic() + timeout, os.getppid()
    while (end is None or time.monotonic() < end) and os.getppid() == asks:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(_STEP_S)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def main() -> None:
    """Answer requests until there are no more."""
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            run(asked["arguments"], asked["variables"])
        sys.stdout.write(f"{json.dumps(awaited(child, asked['timeout']))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
