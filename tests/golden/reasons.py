"""Which reasons a ruleset can give, read off the code of its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from earsim.actions.outcome import Reason
from earsim.engine import Engine


def reasons_of(engine: Engine) -> set[Reason]:
    """Every reason that a check of a verb, the parser or the decision names, however deep."""
    checks = [check for verb in engine.verbs.values() for check, _ in verb.checks]
    found: set[Reason] = set()
    for function in (*checks, Engine._parse, engine.ruleset.decide):
        found |= reasons_in(function)
    return found


def reasons_in(function: Callable[..., Any], seen: set[int] | None = None) -> set[Reason]:
    """Reasons named in a function or in functions of earsim that it calls."""
    seen = set() if seen is None else seen
    if id(function) in seen or not isinstance(function, FunctionType):
        return set()
    seen.add(id(function))
    names = set(_names(function.__code__))
    found = {reason for reason in Reason if reason.name in names} if "Reason" in names else set()
    for called in _called(function, names):
        if called.__module__.startswith("earsim."):
            found |= reasons_in(called, seen)
    return found


def _called(function: FunctionType, names: set[str]) -> Iterator[FunctionType]:
    """Functions that are reached by a global name, in a module named, or from a closure."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    values = [function.__globals__.get(name) for name in names]
    modules = [value for value in values if isinstance(value, ModuleType)]
    inner = [getattr(module, name, None) for module in modules for name in names]
    for value in (*cells, *values, *inner):
        if isinstance(value, FunctionType):
            yield value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
