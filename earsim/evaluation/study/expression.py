"""Metrics that a user writes: expressions over named numbers of episodes, never executed.

::

    mean(cost_units where success = 1) / mean(decisions)
    share(refused > 3 and not success)
    decisions / budget                      the mean over all episodes is meant

Numbers, names, ``+ - * /``, comparisons, ``and or not``, brackets, ``min`` and ``max`` of several
values; over episodes ``mean min max sum share count`` of one value, each with ``where``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from earsim.errors import UsageError, near_misses

Numbers = Mapping[str, float]
"""Named numbers of one episode."""

_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|(<=|>=|!=|[-+*/()<>=,]))")
_LONGEST, _DEEPEST = 500, 30
_WORDS = frozenset({"and", "or", "not", "where"})
_OVER: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": lambda values: sum(values) / len(values),
    "min": min,
    "max": max,
    "sum": sum,
    "count": len,
    "share": lambda values: sum(map(bool, values)) / len(values),
}
"""What is taken over episodes."""

_OF_NONE = {"sum": 0.0, "count": 0.0}
"""Values over no episodes, where there is one."""

_BINARY: Mapping[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else math.nan,
    "<": lambda a, b: float(a < b),
    "<=": lambda a, b: float(a <= b),
    ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b),
    "=": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "and": lambda a, b: float(bool(a) and bool(b)),
    "or": lambda a, b: float(bool(a) or bool(b)),
}
_LEVELS = (("or",), ("and",), ("<", "<=", ">", ">=", "=", "!="), ("+", "-"), ("*", "/"))
"""Binary operators, those that bind least first."""


@dataclass(frozen=True, slots=True)
class Term:
    """A part of an expression.

    Attributes:
        kind: ``number``, ``name``, ``negative``, ``not``, an operator, ``each`` (min or max of
            several values) or ``over`` (episodes).
        word: the name, or the function.
        value: of a number.
        parts: what it is made from; the second part of ``over`` is its condition.
    """

    kind: str
    word: str = ""
    value: float = 0.0
    parts: tuple[Term, ...] = ()

    def names(self) -> Iterable[str]:
        """The numbers of episodes that it reads."""
        if self.kind == "name":
            yield self.word
        for part in self.parts:
            yield from part.names()

    @property
    def is_over(self) -> bool:
        """Whether it takes something over episodes."""
        return self.kind == "over" or any(part.is_over for part in self.parts)


class Expression:
    """A metric of a user."""

    def __init__(self, text: str) -> None:
        """Read it.

        Raises:
            UsageError: It is none; the message points at the place.
        """
        self.text = text
        root = _Parser(text).read()
        self._root = root if root.is_over else Term("over", "mean", parts=(root,))
        _check(self._root, text, inside=False)
        self.names = frozenset(root.names())

    def over(self, episodes: Sequence[Numbers]) -> float | None:
        """Its value over episodes; None where that does not exist.

        An episode that lacks a number which an aggregate reads is left out of that aggregate.
        """
        value = _over(self._root, episodes)
        return value if math.isfinite(value) else None

    def require(self, known: Iterable[str]) -> None:
        """Compare its names with those that there are.

        Raises:
            UsageError: One is unknown.
        """
        known = sorted(known)
        for name in sorted(self.names):
            if name not in known:
                near = near_misses(name, known)
                hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}"
                raise UsageError(f"{self.text!r}: no episode has a number {name!r}{hint}")


def _check(node: Term, text: str, *, inside: bool) -> None:
    """Names stand inside an aggregate over episodes, and aggregates not inside another.

    Raises:
        UsageError: They do not.
    """
    if node.kind == "name" and not inside:
        raise UsageError(f"{text!r}: {node.word} outside of mean(...) beside one that is inside")
    if node.kind == "over" and inside:
        raise UsageError(f"{text!r}: {node.word}(...) inside of another one over episodes")
    for part in node.parts:
        _check(part, text, inside=inside or node.kind == "over")


def _over(node: Term, episodes: Sequence[Numbers]) -> float:
    if node.kind != "over":
        return _combined(node, [_over(part, episodes) for part in node.parts])
    wanted = set(node.names())
    rows = [row for row in episodes if wanted <= row.keys()]
    if len(node.parts) == 2:
        rows = [row for row in rows if _value(node.parts[1], row)]
    values = [_value(node.parts[0], row) for row in rows]
    return _OVER[node.word](values) if values else _OF_NONE.get(node.word, math.nan)


def _value(node: Term, row: Numbers) -> float:
    if node.kind == "name":
        return row[node.word]
    return _combined(node, [_value(part, row) for part in node.parts])


def _combined(node: Term, values: Sequence[float]) -> float:
    if node.kind == "number":
        return node.value
    if node.kind == "negative":
        return -values[0]
    if node.kind == "not":
        return float(not values[0])
    if node.kind == "each":
        return (min if node.word == "min" else max)(values)
    return _BINARY[node.kind](values[0], values[1])


class _Parser:
    """Recursive descent over the tokens of a text."""

    def __init__(self, text: str) -> None:
        if len(text) > _LONGEST:
            raise UsageError(f"an expression has at most {_LONGEST} characters, not {len(text):,}")
        self._text, self._tokens, self._at, self._depth = text, _tokens(text), 0, 0

    def read(self) -> Term:
        """The whole text."""
        node = self._binary(0)
        if self._next:
            raise self._wrong("the end")
        return node

    @property
    def _next(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._next
        if not token or (wanted and token != wanted):
            raise self._wrong(repr(wanted) if wanted else "a value")
        self._at += 1
        return token

    def _wrong(self, wanted: str) -> UsageError:
        at = self._tokens[self._at][1] if self._at < len(self._tokens) else len(self._text)
        found = repr(self._next) if self._next else "the end"
        return UsageError(f"{self._text!r}, character {at + 1}: {found} instead of {wanted}")

    def _binary(self, level: int) -> Term:
        if level == len(_LEVELS):
            return self._unary()
        node = self._binary(level + 1)
        while self._next in _LEVELS[level]:
            node = Term(self._take(), parts=(node, self._binary(level + 1)))
        return node

    def _unary(self) -> Term:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UsageError(f"{self._text!r}: nested more than {_DEEPEST} deep")
        try:
            if self._next in ("-", "not"):
                kind = "negative" if self._take() == "-" else "not"
                return Term(kind, parts=(self._unary(),))
            return self._primary()
        finally:
            self._depth -= 1

    def _primary(self) -> Term:
        token = self._take()
        if token == "(":
            node = self._binary(0)
            self._take(")")
            return node
        if token[0].isdigit():
            return Term("number", value=float(token))
        if not (token[0].isalpha() or token[0] == "_") or token in _WORDS:
            self._at -= 1
            raise self._wrong("a value")
        return self._call(token) if self._next == "(" else Term("name", token)

    def _call(self, word: str) -> Term:
        if word not in _OVER:
            self._at -= 1
            raise self._wrong(f"one of {', '.join(_OVER)}")
        self._take("(")
        if word == "count" and self._next == ")":
            parts = [Term("number", value=1.0)]
        else:
            parts = [self._binary(0)]
        while self._next == "," and word in ("min", "max"):
            self._take()
            parts.append(self._binary(0))
        over = len(parts) == 1
        if over and self._next == "where":
            self._take()
            parts.append(self._binary(0))
        self._take(")")
        return Term("over" if over else "each", word, parts=tuple(parts))


def _tokens(text: str) -> list[tuple[str, int]]:
    """Tokens with the places where they begin."""
    found, at = [], 0
    stripped = text.rstrip()
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if match is None:
            start = at + len(stripped[at:]) - len(stripped[at:].lstrip())
            raise UsageError(f"{text!r}, character {start + 1}: {stripped[start]!r} means nothing")
        token = next(group for group in match.groups() if group is not None)
        found.append((token, match.end() - len(token)))
        at = match.end()
    return found
