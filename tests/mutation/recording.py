"""Which tests run which lines: only these can notice that a line was changed."""

from __future__ import annotations

import ast
import itertools
import json
import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path

from coverage.numbits import numbits_to_nums, numbits_union

from tests.mutation.operators import Mutant

ROOT = Path(__file__).resolve().parents[2]
_RECORDED_IN = ("earsim", "generators")
RECORDED, SELECTED = "EARSIM_MUTANTS_RECORDED", "EARSIM_MUTANTS_SELECTED"
"""Variables that the plugin reads: the file to record lines in; the JSON list of tests to run."""


def digest(path: str, root: Path) -> str:
    """Of what a recording of tests depends on: all code that may be changed, and the tests."""
    whole = sha256()
    for name in (*_RECORDED_IN, path.partition("::")[0]):
        place = root / name
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            whole.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    return whole.hexdigest()[:12]


class Recording:
    """What the plugin wrote while tests ran in a copy of the tree, a file for each path."""

    def __init__(self, files: list[Path]) -> None:
        self._most = math.inf
        self.seconds: dict[str, float] = {}
        """All tests in the order of the paths, cheapest first in each, and how long each takes."""
        self._lines: dict[str, dict[str, bytes]] = {}
        for file in files:
            found = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
            self.seconds |= dict(sorted(found.items(), key=lambda test: test[1]))
            with closing(sqlite3.connect(file)) as lines:
                for path, test, numbits in lines.execute(_QUERY):
                    place = path[max(path.rfind(f"/{name}/") for name in _RECORDED_IN) + 1 :]
                    ran = self._lines.setdefault(place, {})
                    # Each path has a test without a name: what runs at import.
                    ran[test] = numbits_union(ran.get(test, b""), numbits)
        self._places = {test: place for place, test in enumerate(self.seconds)}

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that can notice it, cheapest path first.

        What runs at import, or once and is kept, shows in tests that do not run it: then all of
        them, those first that run the module.
        """
        lines = _statement(mutant.path, mutant.line)
        ran = self._lines.get(mutant.path, {})
        hit = {test for test, bits in ran.items() if lines.intersection(numbits_to_nums(bits))}
        is_kept = _keeps(mutant.path) or "" in hit
        tests = [test for test in self.seconds if is_kept or test in hit]
        # The cheapest that run the line; then those that run anything of the module, and the rest.
        ranked = sorted(tests, key=lambda t: (t not in hit, t not in ran, self._rank(t, t in hit)))
        total = itertools.accumulate(self.seconds[test] for test in ranked)
        kept = {test for test, seconds in zip(ranked, total, strict=True) if seconds <= self._most}
        return sorted(kept or ranked[:1], key=lambda test: (test not in ran, self._places[test]))

    def _rank(self, test: str, runs_it: bool) -> float:
        return self.seconds[test] if runs_it else self._places[test]

    def within(self, seconds: float) -> Recording:
        """The same, with no more tests of a mutant than take so long."""
        self._most = seconds
        return self

    def batches(self, tests: list[str], first: float) -> Iterator[list[str]]:
        """The tests that take so many seconds in all, then the others."""
        total, place = 0.0, 0
        while place < len(tests) and total <= first:
            total += self.seconds[tests[place]]
            place += 1
        yield from (part for part in (tests[:place], tests[place:]) if part)


_QUERY = """
    select path, context, numbits from line_bits
    join file on file.id = file_id join context on context.id = context_id
"""


@cache
def _statement(path: str, line: int) -> set[int]:
    """The lines of the innermost statement there, without its body."""
    lines = {line}
    for node in ast.walk(_tree(path)):
        match node:
            case ast.stmt(lineno=start, end_lineno=int(end)) if start <= line <= end:
                body = getattr(node, "body", None)
                last = max(start, body[0].lineno - 1) if body else end
                # The walk comes to an inner statement after those around it.
                lines = set(range(start, last + 1)) if line <= last else {line}
    return lines


@cache
def _keeps(path: str) -> bool:
    """Whether a function of a module keeps what it has found, by that which it calls."""
    functions = [node for node in ast.walk(_tree(path)) if isinstance(node, ast.FunctionDef)]
    return any("cache" in ast.unparse(one) for node in functions for one in node.decorator_list)


@cache
def _tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))
