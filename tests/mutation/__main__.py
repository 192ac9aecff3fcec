"""`make mutants`: break the code in small ways, and see which changes no fast test notices.

A sample of mutants is drawn from every group of modules, with a seed. The tests of the group run
once as it is, which tells what lines each of them runs. Each mutant is then tried in a copy of the
tree against the tests that run its line, cheapest first, up to the first that fails.
"""

from __future__ import annotations

import compileall
import json
import os
import py_compile
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

import pytest
import typer

from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, examples, row, safe, table
from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.plugin import RECORDED, SELECTED
from tests.mutation.recording import Recording

ROOT = Path(__file__).resolve().parents[2]
LEAST_KILLED = 0.95
"""Share of the mutants that the tests must notice in a group where that is enforced."""

_COPIED = ("agents", "docs", "earsim", "examples", "generators", "scenes", "tests", "training")
_PLUGINS = ("-p", "tests.mutation.plugin", "-p", "no:cacheprovider", "-p", "no:xdist")
_PYTEST = ("-m", "pytest", "-x", "-q", *_PLUGINS, "-m", "not slow")
_FIRST_S = 5.0
"""Most mutants are killed by the cheapest tests: the others need not even be collected."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class Group(NamedTuple):
    """A folder or module, and the tests about it, cheapest first."""

    source: str
    tests: tuple[str, ...]
    enforced: bool = False

    def mutants(self) -> Iterator[Mutant]:
        """All mutants, equivalent ones included."""
        source = ROOT / self.source
        for file in sorted(source.rglob("*.py")) if source.is_dir() else [source]:
            path = file.relative_to(ROOT).as_posix()
            yield from mutants_of(path, file.read_text(encoding="utf-8"))


_RULES = ("tests/test_golden.py", "tests/rulesets", "tests/envs/test_admissible.py")
_TIME = ("tests/dynamics", "tests/processes")
_PAGES = ("tests/test_docs.py",)
"""What is published of constants and verbs is read off them."""
_OF_STEPS = (
    "tests/world",
    "tests/goals",
    "tests/test_conformance.py",
    "tests/test_state_machine.py",
    "tests/physical",
    "tests/render",
    "tests/envs",
)
_PROOFS = ("tests/planner/test_necessity.py", "tests/planner/test_certificates.py")
_ABOUT_METRICS = ("metrics", "counting", "failure_modes", "statistics", "comparison", "report")
_METRICS = tuple(f"tests/evaluation/test_{name}.py" for name in _ABOUT_METRICS)
_SPLITS = "generators/earsim_generators/suites/splits.py"
GROUPS = {
    "goals": Group("earsim/goals", ("tests/goals",), enforced=True),
    "proofs": Group("earsim/planner/proofs", _PROOFS, enforced=True),
    "metrics": Group("earsim/evaluation/metrics", _METRICS, enforced=True),
    "splits": Group(_SPLITS, ("tests/generators/making/test_runs.py",), enforced=True),
    "laws": Group("earsim/dynamics", (*_TIME, *_OF_STEPS)),
    "processes": Group("earsim/processes", ("tests/test_golden.py", *_TIME, *_OF_STEPS)),
    "apparatus": Group("earsim/apparatus", ("tests/apparatus",)),
    "actions": Group("earsim/actions", (*_RULES, *_TIME, *_OF_STEPS)),
    "rulesets": Group("earsim/rulesets", (*_RULES, *_TIME, *_OF_STEPS)),
    "world": Group("earsim/world", (*_RULES, *_TIME, *_OF_STEPS)),
}


def equivalents() -> dict[tuple[str, str, str], str]:
    """Mutants that behave as the original does, by `Mutant.key`, and why."""
    text = Path(__file__).with_name("equivalent.txt").read_text(encoding="utf-8")
    blocks = [block.split("\n") for block in text.strip().split("\n\n") if block]
    return {(path, before[2:], after[2:]): why for path, before, after, why in blocks}


class Tree:
    """A copy of the repository in which one mutant at a time may live."""

    def __init__(self, folder: Path) -> None:
        for name in _COPIED:
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.folder = folder
        paths = [str(folder / package) for package in ("", "agents", "generators", "training")]
        self._env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "CI": "1"}
        self._env |= {"OMP_NUM_THREADS": "1"}
        # Python tells compiled files by time and size, which a mutant may share with the original.
        by_hash = py_compile.PycInvalidationMode.CHECKED_HASH
        compileall.compile_dir(folder, quiet=2, invalidation_mode=by_hash)

    def record(self, path: str) -> Path:
        """Run the tests there, which must pass, and record their lines and times."""
        file = self.folder / f"{path.replace('/', '.')}.sqlite"
        if self._pytest([path], **{RECORDED: str(file)}):
            raise typer.BadParameter(f"a test fails as it is: {path}")
        return file

    def survives(self, mutant: Mutant, recording: Recording) -> bool:
        """Whether the tests pass although the code is changed."""
        file = self.folder / mutant.path
        source = file.read_text(encoding="utf-8")
        file.write_text(mutant.applied(source), encoding="utf-8")
        try:
            tests = recording.tests_of(mutant)
            return not any(
                self._fails(part, recording) for part in recording.batches(tests, _FIRST_S)
            )
        finally:
            file.write_text(source, encoding="utf-8")

    def _fails(self, tests: list[str], recording: Recording) -> bool:
        """Whether one of them fails, or they take much longer than they should."""
        chosen = self.folder / "selected.json"
        chosen.write_text(json.dumps(tests), encoding="utf-8")
        timeout = 60 + 5 * sum(recording.seconds[test] for test in tests)
        paths = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        try:
            variables = {SELECTED: str(chosen), "PYTHONDONTWRITEBYTECODE": "1"}
            done = self._pytest(paths, timeout, **variables)
        except subprocess.TimeoutExpired:
            return True
        # A test that is gone with what it was parametrised by does not fail.
        return done not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)

    def _pytest(self, paths: list[str], timeout: float | None = None, **variables: str) -> int:
        command, env = [sys.executable, *_PYTEST, *paths], {**self._env, **variables}
        done = subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, timeout=timeout
        )
        return done.returncode


def recorded(paths: tuple[str, ...], trees: list[Tree], pool: ThreadPoolExecutor) -> Recording:
    """What lines the tests of these paths run, each path in a process of its own."""
    parts = [paths[number :: len(trees)] for number in range(len(trees))]
    files = pool.map(lambda tree, part: [tree.record(path) for path in part], trees, parts)
    found = {file.stem: file for file in chain.from_iterable(files)}
    return Recording([found[path.replace("/", ".")] for path in paths])


def survivors(
    sample: list[Mutant],
    recording: Recording,
    trees: list[Tree],
    pool: ThreadPoolExecutor,
    screen: Screen,
) -> int:
    """How many the tests do not notice; each is shown as soon as that is known."""

    def count(tree: Tree, part: list[Mutant]) -> int:
        found = 0
        for mutant in part:
            if tree.survives(mutant, recording):
                screen.say(safe(mutant.diff()))
                found += 1
        return found

    parts = [sample[number :: len(trees)] for number in range(len(trees))]
    return sum(pool.map(count, trees, parts))


@app.command(epilog=examples("make mutants ARGS='goals metrics --samples 0'"))
def main(
    groups: Annotated[list[str] | None, typer.Argument(help=f"Of {', '.join(GROUPS)}.")] = None,
    samples: Annotated[int, typer.Option(help="Mutants of each group; 0 for all.")] = 40,
    seed: Annotated[int, typer.Option(help="Draws the samples.")] = 0,
    jobs: Annotated[int, typer.Option(help="Mutants tried at a time.")] = os.cpu_count() or 1,
) -> None:
    """Try mutants; exit 0 only if enough are killed in the groups where that is enforced."""
    if unknown := set(groups or ()) - GROUPS.keys():
        raise typer.BadParameter(f"no group: {', '.join(sorted(unknown))}; see --help")
    heads = ("mutants", "tried", "killed", "share")
    screen, shown, enough = Screen(), table("group", *heads, numbers=heads), True
    known = equivalents()
    with TemporaryDirectory(prefix="earsim-mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        trees = [Tree(Path(folder) / str(number)) for number in range(jobs)]
        for name in groups or GROUPS:
            group = GROUPS[name]
            recording = recorded(group.tests, trees, pool)
            found = [mutant for mutant in group.mutants() if mutant.key not in known]
            wanted = min(samples or len(found), len(found))
            sample = random.Random(f"{name} {seed}").sample(found, wanted)
            killed = wanted - survivors(sample, recording, trees, pool, screen)
            is_low = group.enforced and killed < LEAST_KILLED * wanted
            enough = enough and not is_low
            share = f"{killed / wanted:.1%}{' (too low)' if is_low else ''}"
            row(shown, name, len(found), wanted, killed, share)
    screen.print(shown)
    if not enough:
        raise typer.Exit(Code.NO)


if __name__ == "__main__":
    app()
