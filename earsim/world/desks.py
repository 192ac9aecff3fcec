"""Desks of dry benches, compiled from their files, and what cannot be about them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from earsim.apparatus.bodies.driver import LONGEST_LINE
from earsim.apparatus.dry_bench.problem import MAIN, DryProblem, DryTest
from earsim.schema.apparatus import Apparatus
from earsim.schema.dry_bench import DryDesk
from earsim.schema.model import FieldProblem

_BENCH = "dry_bench/1"
_LONGEST_ANSWER = LONGEST_LINE - len("OUTPUT 20 ")
_LONGEST_NUMBER = len("-1.2345678901234567e-300")


def problem_of(spec: DryDesk) -> DryProblem:
    """A desk as the model has it; nothing is wrong in it."""
    tests = tuple(DryTest(tuple(_plain(test.args)), _plain(test.equals)) for test in spec.tests)
    return DryProblem(spec.problem, spec.function, MappingProxyType(dict(spec.files)), tests)


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
        yield FieldProblem(("desk", "files"), f"there is no {MAIN}", f"{MAIN}, with the function")
    elif not re.search(rf"^def {desk.function}\(", desk.files[MAIN], re.MULTILINE):
        reason = f"{MAIN} has no function {desk.function!r}"
        yield FieldProblem(("desk", "function"), reason, f"def {desk.function}(...): in it")
    for number, test in enumerate(desk.tests):
        longest = _longest(_plain(test.equals))
        if longest > _LONGEST_ANSWER:
            reason = f"as a line of output it takes up to {longest} characters"
            expected = f"at most {_LONGEST_ANSWER}"
            yield FieldProblem(("desk", "tests", number, "equals"), reason, expected)


def _longest(value: Any) -> int:
    """Characters of a JSON value, every number with all its digits."""
    if isinstance(value, dict):
        return 2 + sum(len(json.dumps(key)) + _longest(value[key]) + 4 for key in value)
    if isinstance(value, list):
        return 2 + sum(_longest(each) + 2 for each in value)
    if isinstance(value, str | bool | None):
        return len(json.dumps(value))
    return _LONGEST_NUMBER
