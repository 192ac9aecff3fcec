"""Desks of dry benches, compiled from their files, and what cannot be about them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from earsim.apparatus.bodies.driver import LONGEST_LINE
from earsim.apparatus.dry_bench.problem import MAIN, DryProblem, DryProgram, DryTest
from earsim.schema.apparatus import Apparatus
from earsim.schema.dry_bench import DryDesk
from earsim.schema.model import FieldProblem

_BENCH = "dry_bench/1"
_LONGEST_ANSWER = LONGEST_LINE - len("OUTPUT 20 ")
_LONGEST_NUMBER = len("-1.2345678901234567e-300")


def problem_of(spec: DryDesk) -> DryProblem:
    """A desk as the model has it; nothing is wrong in it."""
    tests = tuple(DryTest(tuple(_plain(test.args)), _plain(test.equals)) for test in spec.tests)
    programs = tuple(DryProgram(dict(t.files), t.prints) for t in spec.programs)
    files = dict(spec.files)
    return DryProblem(spec.problem, spec.function or "", files, tests, programs)


def _plain(value: Any) -> Any:
    """A JSON value of a file as one that is read from JSON."""
    return json.loads(json.dumps(value))


def desk_problems(spec: Apparatus) -> Iterator[FieldProblem]:
    """What is wrong in a desk; places are relative to the apparatus."""
    if (spec.desk is None) is (spec.model == _BENCH):
        reason = f"{spec.model} {'without' if spec.desk is None else 'with'} a desk"
        yield FieldProblem(("desk",), reason, f"a desk for {_BENCH}, and for no other model")
    if spec.desk is None:
        return
    desk = spec.desk
    if MAIN not in desk.files:
        yield FieldProblem(
            ("desk", "files"), f"there is no {MAIN}", f"{MAIN}, with what is missing"
        )
    yield from _test_problems(desk)
    for number, test in enumerate(desk.tests):
        yield from _too_long(("tests", number, "equals"), _longest(_plain(test.equals)))
    for number, run in enumerate(desk.programs):
        longest = max(map(len, run.prints.splitlines()), default=0)
        yield from _too_long(("programs", number, "prints"), longest)


def _test_problems(desk: DryDesk) -> Iterator[FieldProblem]:
    """Whether there is something to test, of one kind."""
    if bool(desk.tests) is bool(desk.programs):
        reason = "there are no tests" if not desk.tests else "there are tests of two kinds"
        yield FieldProblem(("desk", "tests"), reason, "either tests, or programs")
    if (desk.function is None) is bool(desk.tests):
        expected = "a function where there are tests, and none where there are programs"
        yield FieldProblem(("desk", "function"), f"function is {desk.function!r}", expected)
    elif desk.function and not re.search(
        rf"^def {desk.function}\(", desk.files.get(MAIN, ""), re.MULTILINE
    ):
        reason = f"{MAIN} has no function {desk.function!r}"
        yield FieldProblem(("desk", "function"), reason, f"def {desk.function}(...): in it")


def _too_long(place: tuple[str | int, ...], characters: int) -> Iterator[FieldProblem]:
    if characters > _LONGEST_ANSWER:
        reason = f"as a line of output it takes up to {characters} characters"
        yield FieldProblem(("desk", *place), reason, f"at most {_LONGEST_ANSWER}")


def _longest(value: Any) -> int:
    """Characters of a JSON value, every number with all its digits."""
    if isinstance(value, dict):
        return 2 + sum([len(json.dumps(key)) + _longest(value[key]) + 4 for key in value], 0)
    if isinstance(value, list):
        return 2 + sum([_longest(each) + 2 for each in value], 0)
    if isinstance(value, str | bool | None):
        return len(json.dumps(value))
    return _LONGEST_NUMBER
