"""A problem of a dry bench: files, what is to be filled in, and tests whose answers stay here.

The interpreter that executes a solution is sent arguments, or files, and nothing else. What it
returns comes back as JSON, what it prints as lines, and is held against the answer in this process.
So code that looks for the answers, or that changes how values compare, finds nothing to gain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from earsim.apparatus.bodies.transcript import OutputLine, Saved
from earsim.apparatus.dry_bench.comparison import same, same_text
from earsim.apparatus.dry_bench.trial import code_of_calls, code_of_runs

MAIN = "main.py"
"""The file with the function to fill in."""


class DryTest(NamedTuple):
    """One unit test.

    Attributes:
        arguments: that the function is called with, as JSON values.
        answer: what it is to return, a JSON value.
    """

    arguments: tuple[Any, ...]
    answer: Any


class DryProgram(NamedTuple):
    """One run of the program.

    Attributes:
        files: by name, beside those of the problem or instead of them.
        prints: what it is to print.
    """

    files: Mapping[str, str]
    prints: str


class DryProblem(NamedTuple):
    """What lies on a dry bench.

    Attributes:
        statement: what is to be done.
        function: the one of `MAIN` that is tested; empty where the program is.
        files: the texts of its files by name, as they are at first.
        tests: unit tests of the function.
        programs: runs of the program instead.
    """

    statement: str
    function: str
    files: Mapping[str, str]
    tests: tuple[DryTest, ...]
    programs: tuple[DryProgram, ...] = ()

    @property
    def saved(self) -> tuple[Saved, ...]:
        """The files as entries of a transcript."""
        return tuple(Saved(name, text) for name, text in self.files.items())

    @property
    def size(self) -> int:
        """How many tests there are."""
        return len(self.tests) + len(self.programs)

    @property
    def program(self) -> str:
        """Code that carries out the tests, and tells in lines what came of each."""
        if self.programs:
            return code_of_runs([run.files for run in self.programs], MAIN)
        return code_of_calls([test.arguments for test in self.tests], self.function)

    def outputs(self, lines: Sequence[OutputLine]) -> dict[int, Any]:
        """What came of the tests, by their number: a JSON value, or the text that was printed.

        A test is missing that raised an error, or returned no JSON value.
        """
        found: dict[int, list[str]] = {}
        ended = set[int]()
        for line in lines:
            word, _, rest = line.text.partition(" ")
            number, _, text = rest.partition(" ")
            if line.stream != "stdout" or number not in _NUMBERS[: self.size]:
                continue
            if word == _OUTPUT:
                found.setdefault(int(number), []).append(text)
            elif word == _END:
                ended.add(int(number))
        if self.programs:
            return {number: "\n".join(found.get(number, ())) for number in sorted(ended)}
        return _values(found)

    def passed(self, lines: Sequence[OutputLine]) -> int:
        """How many tests pass, by the lines that the program told."""
        told = self.outputs(lines)
        if self.programs:
            pairs = [(same_text, run.prints) for run in self.programs]
        else:
            pairs = [(same, test.answer) for test in self.tests]
        return sum(
            number in told and agree(answer, told[number])
            for number, (agree, answer) in enumerate(pairs, start=1)
        )


def _values(found: Mapping[int, Sequence[str]]) -> dict[int, Any]:
    """The JSON value of the last line of each test, where it is one."""
    values: dict[int, Any] = {}
    for number, texts in found.items():
        with suppress(ValueError, RecursionError):
            values[number] = json.loads(texts[-1])
    return values


_OUTPUT, _END = "OUTPUT", "END"
_NUMBERS = tuple(map(str, range(1, 100)))
