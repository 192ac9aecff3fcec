"""Runs the examples of a page of the documentation.

The fenced blocks of a page run in order, in one folder and one Python namespace. A comment on the
line above a block says what is special about it::

    <!-- test: skip -->          it is not run
    <!-- test: exit 1 -->        its commands end with this code
    <!-- test: part of FILE -->  it is not run; the file holds it word for word
    <!-- file: hut.yaml -->      its text is written to that file
    <!-- output -->              it is what the Python block above prints

In expected output a line `...` stands for any lines. A console block holds commands after `$ `,
each with the output it must have; without any, only the exit code is looked at. A diff block is
applied to the file that it names.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from typer.testing import CliRunner

from earsim.cli import app
from earsim.schema import parse
from earsim.schema.files.yaml_text import parse_yaml

_FENCE = re.compile(
    r"^(?:<!-- (?P<note>[^\n]*?) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A fenced block, with the line its text begins on."""

    language: str
    text: str
    note: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    for match in _FENCE.finditer(page):
        line = page.count("\n", 0, match.start("text")) + 1
        yield Block(match["language"], match["text"], match["note"] or "", line)


class Page:
    """The examples of one page at work, in the current folder.

    With `in_copy` the folder holds a copy of the source, and commands use that.
    """

    def __init__(self, path: Path, *, in_copy: bool = False) -> None:
        self.path = path
        self.in_copy = in_copy
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.printed = ""

    def run(self) -> None:
        for block in blocks(self.path.read_text(encoding="utf-8")):
            if block.note.startswith("test: skip"):
                continue
            if block.note.startswith("test: part of "):
                whole = Path(block.note.removeprefix("test: part of ")).read_text(encoding="utf-8")
                assert block.text in whole, f"{self.path.name}:{block.line}"
                continue
            try:
                self._run(block)
            except BaseException as error:
                error.add_note(f"in the example at {self.path.name}:{block.line}")
                raise

    def _run(self, block: Block) -> None:
        if block.note.startswith("file: "):
            path = Path(block.note.removeprefix("file: "))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.note == "output":
            assert_like(self.printed, block.text)
        elif block.language in _RUNNERS:
            _RUNNERS[block.language](self, block)

    def python(self, block: Block) -> None:
        code = "\n" * (block.line - 1) + block.text
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, str(self.path), "exec"), self.names)
        self.printed = out.getvalue()

    def console(self, block: Block) -> None:
        match = re.fullmatch(r"test: exit (\d+)", block.note)
        code = int(match[1]) if match else 0
        for said in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, expected = said.partition("\n")
            printed = self.command(command, code)
            if expected.strip():
                assert_like(printed, expected)

    def command(self, line: str, code: int, *, typed: str | None = None) -> str:
        """Run a line; with `typed` on its input, what it complains of is part of the answer."""
        line, _, target = line.partition(" > ")
        words = shlex.split(line, comments=True)
        if self.in_copy and words[0] == "earsim":
            words[:1] = ["python", "-m", "earsim"]
        if words[0] == "earsim":
            result = CliRunner().invoke(app, words[1:])
            assert result.exit_code == code, f"{line}: {result.output} {result.exception!r}"
            printed = result.output
        else:
            assert words[0] == "python", f"{line}: how is this run? Else mark it as skipped"
            command = [sys.executable, *words[1:]]
            done = subprocess.run(command, capture_output=True, text=True, input=typed)
            assert done.returncode == code, f"{line}: {done.stdout}{done.stderr}"
            printed = done.stdout if typed is None else done.stdout + done.stderr
        if target:
            Path(target).write_text(printed, encoding="utf-8")
            return ""
        return printed

    def yaml(self, block: Block) -> None:
        if block.text.startswith("schema:"):
            parse(block.text, source=f"{self.path.name}:{block.line}")
        else:
            parse_yaml(block.text, f"{self.path.name}:{block.line}")

    def json(self, block: Block) -> None:
        json.loads(block.text)

    def diff(self, block: Block) -> None:
        """`--- FILE`, then hunks that begin with `@@`: lines kept, removed (-) and added (+)."""
        head, *hunks = re.split(r"^@@.*\n", block.text, flags=re.MULTILINE)
        path = Path(head.removeprefix("---").strip())
        text = path.read_text(encoding="utf-8")
        for hunk in hunks:
            lines = hunk.splitlines(keepends=True)
            old = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
            new = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
            assert text.count(old) == 1, f"{path} holds this {text.count(old)} times:\n{old}"
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")


_RUNNERS = {
    "python": Page.python,
    "console": Page.console,
    "yaml": Page.yaml,
    "json": Page.json,
    "diff": Page.diff,
}


def assert_like(printed: str, expected: str) -> None:
    """Line by line the same, outer and trailing blanks aside; `...` stands for any lines."""
    lines = [line.rstrip() for line in expected.strip("\n").splitlines()]
    pattern = "".join(
        "(?:.*\n)*?" if line.strip() == "..." else f"{re.escape(line)}\n" for line in lines
    )
    found = "".join(f"{line.rstrip()}\n" for line in printed.strip("\n").splitlines())
    assert re.fullmatch(pattern, found), f"printed:\n{found}\non the page:\n{expected}"
