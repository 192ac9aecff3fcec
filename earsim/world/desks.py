"""Desks of dry benches, compiled from their files, and what cannot be about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from earsim.apparatus.dry_bench.problem import MAIN, DryProblem, DryTest
from earsim.schema.apparatus import Apparatus
from earsim.schema.dry_bench import DryDesk
from earsim.schema.model import FieldProblem

_BENCH = "dry_bench/1"


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
    if MAIN not in spec.desk.files:
        yield FieldProblem(("desk", "files"), f"there is no {MAIN}", f"{MAIN}, with the function")
    elif f"def {spec.desk.function}(" not in spec.desk.files[MAIN]:
        reason = f"{MAIN} has no function {spec.desk.function!r}"
        yield FieldProblem(("desk", "function"), reason, f"def {spec.desk.function}(...): in it")
