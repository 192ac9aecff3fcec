"""`make mutants`: break the code in small ways, and see which changes no fast test notices.

A sample of mutants is drawn from every group of modules, with a seed. Each is tried in a copy of
the tree against the tests of its group, cheapest first, up to the first that fails.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

import typer

from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, examples, row, safe, table
from tests.mutation.operators import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
LEAST_KILLED = 0.95
"""Share of the mutants that the tests must notice in a group where that is enforced."""

_COPIED = ("agents", "docs", "earsim", "examples", "generators", "scenes", "tests", "training")
_PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow")

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
        # Python tells compiled files by time and size, which a mutant may share with the original.
        self._env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "CI": "1"}
        self._env |= {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}

    def pytest(self, tests: tuple[str, ...], timeout: float | None = None) -> bool:
        """Whether the tests pass, and in time."""
        command = [sys.executable, *_PYTEST, *tests]
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=self._env, capture_output=True, timeout=timeout
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def survives(self, mutant: Mutant, tests: tuple[str, ...], timeout: float) -> bool:
        """Whether the tests pass although the code is changed."""
        file = self.folder / mutant.path
        source = file.read_text(encoding="utf-8")
        file.write_text(mutant.applied(source), encoding="utf-8")
        try:
            return self.pytest(tests, timeout)
        finally:
            file.write_text(source, encoding="utf-8")


def survivors(
    sample: list[Mutant], tests: tuple[str, ...], trees: list[Tree], screen: Screen
) -> int:
    """How many the tests do not notice; each is shown as soon as that is known."""
    started = time.monotonic()
    if not trees[0].pytest(tests):
        raise typer.BadParameter(f"these tests fail as it is: {' '.join(tests)}")
    timeout = 10 + 5 * (time.monotonic() - started)

    def count(tree: Tree, part: list[Mutant]) -> int:
        found = 0
        for mutant in part:
            if tree.survives(mutant, tests, timeout):
                screen.say(safe(mutant.diff()))
                found += 1
        return found

    parts = [sample[number :: len(trees)] for number in range(len(trees))]
    with ThreadPoolExecutor(len(trees)) as pool:
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
    with TemporaryDirectory(prefix="earsim-mutants-") as folder:
        trees = [Tree(Path(folder) / str(number)) for number in range(jobs)]
        for name in groups or GROUPS:
            group = GROUPS[name]
            found = [mutant for mutant in group.mutants() if mutant.key not in known]
            wanted = min(samples or len(found), len(found))
            sample = random.Random(f"{name} {seed}").sample(found, wanted)
            killed = wanted - survivors(sample, group.tests, trees, screen)
            is_low = group.enforced and killed < LEAST_KILLED * wanted
            enough = enough and not is_low
            share = f"{killed / wanted:.1%}{' (too low)' if is_low else ''}"
            row(shown, name, len(found), wanted, killed, share)
    screen.print(shown)
    if not enough:
        raise typer.Exit(Code.NO)


if __name__ == "__main__":
    app()
