"""The core keeps to the Python that mypyc compiles as it is meant: docs/design/015-compiled.md."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hatch_build import modules

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.source

Found = Iterator[tuple[ast.AST, str]]


def functions_of(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What a function does itself, without the functions in it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def asked_in(tree: ast.AST) -> Iterator[ast.expr]:
    """What stands behind `in` and `not in`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for operator, side in zip(node.ops, node.comparators, strict=True):
                if isinstance(operator, (ast.In, ast.NotIn)):
                    yield side


def cached_properties(tree: ast.Module, generators: frozenset[str]) -> Found:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="functools", names=names):
                if any(alias.name == "cached_property" for alias in names):
                    yield node, "cached_property is a plain property once compiled"


def empty_instances(tree: ast.Module, generators: frozenset[str]) -> Found:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="__new__", value=ast.Name(id=name))) if (
                name != "tuple"
            ):
                yield node, f"{name}.__new__ runs __init__ once compiled"


def members_of_generators(tree: ast.Module, generators: frozenset[str]) -> Found:
    for side in asked_in(tree):
        match side:
            case ast.GeneratorExp():
                yield side, "`in` a generator: make it a set, or ask any()"
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in generators:
                yield side, f"`in {name}()`, which is a generator: make it a set, or ask any()"


def members_of_stars(tree: ast.Module, generators: frozenset[str]) -> Found:
    for side in asked_in(tree):
        match side:
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                if any(isinstance(each, ast.Starred) for each in elements):
                    yield side, "a star behind `in`: ask twice, or join them first"


def attributes_on_functions(tree: ast.Module, generators: frozenset[str]) -> Found:
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()) if name in names:
                yield node, f"{name} is a function: it can have no attributes once compiled"


def closures_in_named_tuples(tree: ast.Module, generators: frozenset[str]) -> Found:
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        if not any(isinstance(base, ast.Name) and base.id == "NamedTuple" for base in node.bases):
            continue
        for function in functions_of(node):
            for inner in own_nodes(function):
                if isinstance(inner, (ast.Lambda, ast.FunctionDef)):
                    yield inner, f"a function inside a method of the named tuple {node.name}"


def dataclasses_of_abstract_classes(tree: ast.Module, generators: frozenset[str]) -> Found:
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    names = {c.name: {b.id for b in c.bases if isinstance(b, ast.Name)} for c in classes}
    for each in classes:
        decorators = [ast.unparse(decorator) for decorator in each.decorator_list]
        is_abstract = any("ABC" in names.get(base, ()) for base in names[each.name])
        if is_abstract and any(text.startswith("dataclass") for text in decorators):
            yield each, f"{each.name} is a dataclass of an ABC, which cannot be imported"


def sums_from_an_integer(tree: ast.Module, generators: frozenset[str]) -> Found:
    """Sums of whole numbers do no harm: they say so by a start of 0."""
    for node in ast.walk(tree):
        sides: list[ast.expr] = []
        match node:
            case ast.BinOp(left=left, right=right):
                sides = [left, right]
            case ast.UnaryOp(operand=side) | ast.AugAssign(value=side):
                sides = [side]
        for side in sides:
            match side:
                case ast.Call(func=ast.Name(id="sum"), args=[_]):
                    yield side, "a sum that begins with the integer 0: give its start, 0.0 or 0"


def keys_behind_operators(tree: ast.Module, generators: frozenset[str]) -> Found:
    for node in ast.walk(tree):
        match node:
            case (
                ast.BinOp(op=ast.Sub() | ast.BitAnd() | ast.BitOr(), right=right)
                | ast.AugAssign(op=ast.Sub() | ast.BitAnd() | ast.BitOr(), value=right)
            ):
                match right:
                    case ast.Call(func=ast.Attribute(attr="keys")):
                        yield node, "makes a set of a frozen set: difference(), intersection()"


def decorated_closures_that_name_themselves(tree: ast.Module, generators: frozenset[str]) -> Found:
    for function in functions_of(tree):
        for inner in own_nodes(function):
            if not isinstance(inner, ast.FunctionDef) or not inner.decorator_list:
                continue
            if any(isinstance(n, ast.Name) and n.id == inner.name for n in ast.walk(inner)):
                yield inner, f"{inner.name} does not find itself: a function of the module"


def weak_references(tree: ast.Module, generators: frozenset[str]) -> Found:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="weakref") | ast.Import(names=[ast.alias(name="weakref")]):
                yield node, "compiled objects have no weak references"


def frozen_without_a_pickle(tree: ast.Module, generators: frozenset[str]) -> Found:
    """One that inherits is right where what it inherits from is, which is checked itself."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name, bases=[], decorator_list=decorators) if any(
                "frozen=True" in ast.unparse(each) for each in decorators
            ):
                yield node, f"{name} cannot be loaded from a pickle: inherit from Frozen"


CHECKS: dict[Callable[[ast.Module, frozenset[str]], Found], str] = {
    cached_properties: "from functools import cached_property",
    empty_instances: "twin = World.__new__(World)",
    members_of_generators: "def each():\n    yield 1\nfound = 1 in each()",
    members_of_stars: "found = 1 in (*first, 2)",
    attributes_on_functions: "def once(): ...\nonce.done = True",
    dataclasses_of_abstract_classes: (
        "class Law(ABC): ...\n@dataclass(frozen=True)\nclass Constant(Law): ..."
    ),
    sums_from_an_integer: "left = 1.0 - sum(taken)",
    keys_behind_operators: "known &= seen.keys()",
    frozen_without_a_pickle: "@dataclass(frozen=True)\nclass Monitor:\n    number: int",
    decorated_closures_that_name_themselves: (
        "def outer():\n    @cache\n    def left(n):\n        return left(n - 1) if n else 0"
    ),
    weak_references: "from weakref import WeakValueDictionary",
    closures_in_named_tuples: (
        "class Pair(NamedTuple):\n    def key(self):\n        return sorted(self, key=lambda x: x)"
    ),
}


def generators_in(tree: ast.AST) -> Iterator[str]:
    for function in functions_of(tree):
        if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own_nodes(function)):
            yield function.name


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_core_can_be_compiled(check):
    trees = {path: ast.parse((ROOT / path).read_text(encoding="utf-8")) for path in modules(ROOT)}
    generators = frozenset(name for tree in trees.values() for name in generators_in(tree))
    found = [
        f"{path}:{getattr(node, 'lineno', 0)}: {why}"
        for path, tree in trees.items()
        for node, why in check(tree, generators)
    ]
    assert found == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_each_check_finds_what_it_is_for(check):
    tree = ast.parse(CHECKS[check])
    assert len(list(check(tree, frozenset(generators_in(tree))))) == 1
