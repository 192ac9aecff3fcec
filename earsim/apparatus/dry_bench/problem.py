"""A problem of a dry bench: files, a function to fill in, and tests whose answers stay here.

The interpreter that executes a solution is sent arguments and nothing else. What it returns comes
back as JSON and is held against the answer in this process, so code that looks for the answers, or
that changes how values compare, finds nothing to gain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from earsim.apparatus.bodies.transcript import OutputLine, Saved

MAIN = "main.py"
"""The file with the function to fill in."""

WITHIN = 0.02
"""How far a number may be from the answer, as a share of it (SGI's unit tests)."""

PROCESSOR_S = 300.0
"""Seconds of the processor that all tests may take together, each its share (SGI's time limit)."""

_ZERO = 1e-12


class DryTest(NamedTuple):
    """One unit test.

    Attributes:
        arguments: that the function is called with, as JSON values.
        answer: what it is to return, a JSON value.
    """

    arguments: tuple[Any, ...]
    answer: Any


class DryProblem(NamedTuple):
    """What lies on a dry bench.

    Attributes:
        statement: what is to be done.
        function: the one of `MAIN` that is tested.
        files: the texts of its files by name, as they are at first.
        tests: unit tests.
    """

    statement: str
    function: str
    files: Mapping[str, str]
    tests: tuple[DryTest, ...]

    @property
    def saved(self) -> tuple[Saved, ...]:
        """The files as entries of a transcript."""
        return tuple(Saved(name, text) for name, text in self.files.items())

    @property
    def program(self) -> str:
        """Code that calls the function once a test, and tells a line of what came of each."""
        calls = json.dumps([test.arguments for test in self.tests])
        share = PROCESSOR_S / max(len(self.tests), 1)
        return _PROGRAM.format(function=self.function, calls=json.dumps(calls), share=share)

    def outputs(self, lines: Sequence[OutputLine]) -> dict[int, Any]:
        """What the function returned, by the number of the test; the last line of each counts.

        A test is missing whose call raised an error, or returned no JSON value.
        """
        numbers = {str(number): number for number in range(1, len(self.tests) + 1)}
        found: dict[int, Any] = {}
        for line in lines:
            word, _, rest = line.text.partition(" ")
            number, _, text = rest.partition(" ")
            if line.stream != "stdout" or word != _OUTPUT or number not in numbers:
                continue
            try:
                found[numbers[number]] = json.loads(text)
            except (ValueError, RecursionError):
                found.pop(numbers[number], None)
        return found

    def passed(self, lines: Sequence[OutputLine]) -> int:
        """How many tests pass, by the lines that the program told."""
        told = self.outputs(lines)
        return sum(
            number in told and same(test.answer, told[number])
            for number, test in enumerate(self.tests, start=1)
        )


# Nothing in it is secret: a solution that tells such lines itself only guesses answers that way,
# and one that stops the timer meets the wall limit of all workstations.
_PROGRAM = """\
import json, signal, traceback
def _over(*_):
    raise TimeoutError('more than {share:g} s of the processor')
def _plain(value):
    if hasattr(value, 'tolist'):
        return value.tolist()
    raise TypeError(f'{{type(value).__name__}} is no JSON value')
signal.signal(signal.SIGPROF, _over)
signal.setitimer(signal.ITIMER_PROF, {share}, 1.0)
from main import {function}
for _number, _call in enumerate(json.loads({calls}), start=1):
    signal.setitimer(signal.ITIMER_PROF, {share}, 1.0)
    try:
        _told = json.dumps({function}(*_call), default=_plain)
    except Exception as _error:
        print(f'ERROR {{_number}}', ''.join(traceback.format_exception_only(_error)).strip())
    else:
        print(f'OUTPUT {{_number}}', _told)
signal.setitimer(signal.ITIMER_PROF, 0)
"""
_OUTPUT = "OUTPUT"


def same(answer: Any, told: Any) -> bool:
    """Whether a JSON value is the answer: equal, and numbers within `WITHIN` of it."""
    if isinstance(answer, bool) or isinstance(told, bool):
        return answer is told
    if isinstance(answer, int | float) and isinstance(told, int | float):
        return answer == told or _near(answer, told)
    if isinstance(answer, list) and isinstance(told, list):
        return len(answer) == len(told) and all(map(same, answer, told))
    if isinstance(answer, dict) and isinstance(told, dict):
        return answer.keys() == told.keys() and all(same(answer[k], told[k]) for k in answer)
    return type(answer) is type(told) and bool(answer == told)


def _near(answer: float, told: float) -> bool:
    try:
        return abs(float(told) - answer) <= max(WITHIN * abs(answer), _ZERO)
    except OverflowError:  # an integer beyond all floats
        return False
