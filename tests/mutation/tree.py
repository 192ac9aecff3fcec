"""A copy of the repository in which a mutant is tried."""

from __future__ import annotations

import compileall
import json
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from tests.mutation.operators import Mutant
from tests.mutation.recording import RECORDED, ROOT, SELECTED, Recording

_COPIED = ("agents", "docs", "earsim", "examples", "generators", "scenes", "tests", "training")
_PLUGINS = ("-p", "tests.mutation.plugin", "-p", "no:cacheprovider", "-p", "no:xdist")
_PYTEST = ("-x", "-q", *_PLUGINS)
_FIRST_S = 5.0
"""Most mutants are killed by the cheapest tests: the others need not even be collected."""


class Tree:
    """A copy of the repository in which one mutant at a time may live."""

    def __init__(self, folder: Path) -> None:
        for name in _COPIED:
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.folder = folder
        paths = [str(folder / package) for package in ("", "agents", "generators", "training")]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "CI": "1"}
        env["OMP_NUM_THREADS"] = "1"
        # Python tells compiled files by time and size, which a mutant may share with the original.
        by_hash = py_compile.PycInvalidationMode.CHECKED_HASH
        for name in ("agents", "earsim", "generators"):
            compileall.compile_dir(folder / name, quiet=2, invalidation_mode=by_hash)
        command, pipe = [sys.executable, "-m", "tests.mutation.server"], subprocess.PIPE
        self._server = subprocess.Popen(
            command, cwd=folder, env=env, stdin=pipe, stdout=pipe, text=True
        )

    def close(self) -> None:
        """End its server."""
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait()

    def record(self, path: str, file: Path) -> None:
        """Run the tests there, which must pass, and record their lines and times.

        Of a folder or a file those that are not slow; what is named by itself in any case.
        """
        quick = () if "::" in path else ("-m", "not slow")
        done = self._pytest([*quick, path], **{RECORDED: str(file.resolve())})
        if done == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise typer.BadParameter(f"no test that is not slow: {path}")
        if done:
            raise typer.BadParameter(f"a test fails as it is: {path}")

    def survives(self, mutant: Mutant, recording: Recording) -> bool:
        """Whether the tests pass although the code is changed."""
        file = self.folder / mutant.path
        source = file.read_text(encoding="utf-8")
        file.write_text(mutant.applied(source), encoding="utf-8")
        try:
            tests = recording.tests_of(mutant)
            return not any(
                self._fails(part, recording) for part in recording.batches(tests, _FIRST_S)
            )
        finally:
            file.write_text(source, encoding="utf-8")

    def _fails(self, tests: list[str], recording: Recording) -> bool:
        """Whether one of them fails, or they take much longer than they should."""
        chosen = self.folder / "selected.json"
        chosen.write_text(json.dumps(tests), encoding="utf-8")
        timeout = 60 + 5 * sum(recording.seconds[test] for test in tests)
        paths = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        try:
            variables = {SELECTED: str(chosen), "PYTHONDONTWRITEBYTECODE": "1"}
            done = self._pytest(paths, timeout, **variables)
        except TimeoutError:
            return True
        # A test that is gone with what it was parametrised by does not fail.
        return done not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)

    def _pytest(self, paths: list[str], timeout: float | None = None, **variables: str) -> int:
        """The exit code of the tests there; raises `TimeoutError` where they take longer."""
        asked = {"arguments": [*_PYTEST, *paths], "variables": variables, "timeout": timeout}
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        print(json.dumps(asked), file=self._server.stdin, flush=True)
        code = json.loads(self._server.stdout.readline())
        if code is None:
            raise TimeoutError
        return int(code)
