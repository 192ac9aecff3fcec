"""Mutation operators: small changes of Python source that a good test suite notices."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

_PAIRS: tuple[tuple[Any, Any], ...] = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot)),
    *((ast.In, ast.NotIn), (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.Div)),
    *((ast.BitOr, ast.BitAnd), (ast.FloorDiv, ast.Mod)),
)
_OTHER = dict(_PAIRS) | {other: one for one, other in _PAIRS}
_LEFT_OUT = ("annotation", "returns", "decorator_list", "bases")
_TYPES = ("Callable", "Mapping", "Registry", "TypeVar", "dict", "list", "tuple")
_VARIADIC = ("invalid", "failure")
"""Functions of which every argument may be left out: the checks of a verb."""


Edits = Iterator[tuple[Any, str]]
"""Statements or expressions, with the texts that may take their place."""


class Mutant(NamedTuple):
    """One change of one file; `before` are the lines from `line` on that `after` replaces."""

    path: str
    line: int
    before: str
    after: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it whatever is changed elsewhere: path and first lines, without indent."""
        return self.path, self.before.strip().split("\n")[0], self.after.strip().split("\n")[0]

    def applied(self, source: str) -> str:
        """The source with the change."""
        lines = source.splitlines(keepends=True)
        start = self.line - 1
        return "".join([*lines[:start], self.after, *lines[start + self.before.count("\n") :]])

    def diff(self) -> str:
        """The change, headed by its place."""
        changed = [f"- {line}" for line in self.before.splitlines()]
        changed += [f"+ {line}" for line in self.after.splitlines()]
        return "\n".join([f"{self.path}:{self.line}", *changed])


def mutants_of(path: str, source: str) -> list[Mutant]:
    """All mutants of a file, in its order, each once."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    found: dict[Mutant, None] = {}
    for node in _code(ast.parse(source)):
        for changed, text in (*_statements(node), *_tests(node), *_operators(node), *_values(node)):
            touched = lines[changed.lineno - 1 : changed.end_lineno]
            head, tail = touched[0][: changed.col_offset], touched[-1][changed.end_col_offset :]
            after = head + text.encode() + tail
            before = b"".join(touched)
            found[Mutant(path, changed.lineno, before.decode(), after.decode())] = None
    return sorted(found)


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes that do something: no docstrings, types, assertions, decorators or f-strings."""
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and field not in _LEFT_OUT and not _is_inert(child):
                yield child
                yield from _code(child)


def _is_inert(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert() | ast.JoinedStr():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.keyword(arg="strict"):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]):
            return True
        case ast.Subscript(value=ast.Name(id=name)):
            return name in _TYPES
    return False


def _statements(node: ast.AST) -> Edits:
    """Leave it out, or return nothing."""
    match node:
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield node, "return None"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.If(orelse=[]):
            yield node, "pass"
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield node, "pass"


def _tests(node: ast.AST) -> Edits:
    """Negate a condition, where no operator in it has an opposite that does the same."""
    found = node.ifs if isinstance(node, ast.comprehension) else []
    for test in [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else found:
        if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield test, f"(not ({ast.unparse(test)}))"


def _operators(node: ast.AST) -> Edits:
    """The other operator of a pair; no `not`."""
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                changed = [*ops[:place], _OTHER[type(op)](), *ops[place + 1 :]]
                yield node, f"({ast.unparse(ast.Compare(node.left, changed, node.comparators))})"
        case ast.BoolOp(op=op):
            yield node, f"({ast.unparse(ast.BoolOp(_OTHER[type(op)](), node.values))})"
        case ast.BinOp(op=op) if type(op) in _OTHER:
            yield node, f"({ast.unparse(ast.BinOp(node.left, _OTHER[type(op)](), node.right))})"
        case ast.UnaryOp(op=ast.Not()):
            yield node, f"({ast.unparse(node.operand)})"


def _values(node: ast.AST) -> Edits:
    """The other truth value, one more or less, or one element less."""
    match node:
        case ast.Constant(value=bool() as value):
            yield node, str(not value)
        case ast.Constant(value=int() | float() as value):
            yield from ((node, repr(value + 1)), (node, repr(value - 1)))
        case ast.Tuple(elts=[*_, ast.Slice()] | [ast.Slice(), *_]):
            return
        case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()) | ast.Set():
            yield from ((node, ast.unparse(type(node)(rest))) for rest in _one_less(node.elts))
        case ast.Dict():
            for rest in _one_less(list(zip(node.keys, node.values, strict=True))):
                yield node, ast.unparse(ast.Dict(*map(list, zip(*rest, strict=True))))
        case ast.Call(func=ast.Name(id=name)) if name in _VARIADIC:
            for rest in _one_less(node.args):
                yield node, ast.unparse(ast.Call(node.func, rest, node.keywords))


def _one_less(elements: list[Any]) -> list[list[Any]]:
    places = range(len(elements)) if len(elements) > 1 else ()
    return [[*elements[:place], *elements[place + 1 :]] for place in places]
