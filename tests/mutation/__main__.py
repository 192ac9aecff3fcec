"""`make mutants`: break the code in small ways, and see which changes no fast test notices.

A sample of mutants is drawn from every group of modules, with a seed. The tests of the group run
once as it is, which tells what lines each of them runs. Each mutant is then tried in a copy of the
tree against the tests that run its line, cheapest first, up to the first that fails.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple, TypeVar

import typer

from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, examples, row, safe, table
from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.recording import ROOT, Recording, digest
from tests.mutation.tree import Tree

LEAST_KILLED = 0.95
"""Share of the mutants that the tests must notice in a group where that is enforced."""

T = TypeVar("T")
R = TypeVar("R")

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


_SMALL = ("tests/world", "tests/goals", "tests/dynamics", "tests/rulesets")
_RULES = ("tests/test_golden.py", "tests/envs/test_admissible.py")
_TIME = ("tests/processes",)
_PAGES = ("tests/test_docs.py::test_generated_pages_are_current",)
"""What is published of constants and verbs is read off them."""
_OF_STEPS = (
    "tests/test_conformance.py",
    "tests/test_state_machine.py::test_a_world_stays_sound_whatever_is_said",
    "tests/physical",
    "tests/render",
    "tests/envs",
)
_LAB = ("tests/apparatus", "tests/scenes")
_VALIDATED = ("", "_bench", "_nature", "_time", "_ways")
_OF_FILES = (
    "tests/schema",
    *(f"tests/cli/test_validate{name}.py" for name in _VALIDATED),
    "tests/generators/scenes/test_handling.py",
    "tests/scenes",
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
    "laws": Group("earsim/dynamics", (*_SMALL, *_PAGES, *_TIME, *_OF_STEPS)),
    "processes": Group(
        "earsim/processes", (*_SMALL, "tests/test_golden.py", *_TIME, *_OF_STEPS, *_LAB)
    ),
    "apparatus": Group("earsim/apparatus", ("tests/apparatus",)),
    "actions": Group("earsim/actions", (*_SMALL, *_PAGES, *_RULES, *_TIME, *_OF_STEPS, *_LAB)),
    "rulesets": Group("earsim/rulesets", (*_SMALL, *_PAGES, *_RULES, *_TIME, *_OF_STEPS, *_LAB)),
    "world": Group(
        "earsim/world",
        (*_SMALL, *_PAGES, *_OF_FILES, *_RULES, *_TIME, *_OF_STEPS, "tests/apparatus"),
    ),
}


def equivalents() -> dict[tuple[str, str, str], str]:
    """Mutants that behave as the original does, by `Mutant.key`, and why."""
    text = Path(__file__).with_name("equivalent.txt").read_text(encoding="utf-8")
    blocks = [block.split("\n") for block in text.strip().split("\n\n") if block]
    return {(path, before[2:], after[2:]): why for path, before, after, why in blocks}


class Trees:
    """Copies of the tree, each used by one thread at a time, and what is recorded of tests."""

    def __init__(self, folder: Path, jobs: int, kept: Path | None) -> None:
        self._kept = kept or folder
        self._pool = ThreadPoolExecutor(jobs)
        self._free: SimpleQueue[Tree] = SimpleQueue()
        for tree in self._pool.map(lambda number: Tree(folder / str(number)), range(jobs)):
            self._free.put(tree)

    def recorded(self, paths: tuple[str, ...]) -> Recording:
        """What lines the tests of these paths run; each path runs once, whoever asks for it."""

        def record(tree: Tree, path: str) -> Path:
            name = f"{path.replace('/', '.').replace('::', '.')}.{digest(path, tree.folder)}.sqlite"
            file = self._kept / name
            if not file.with_suffix(".json").exists():
                tree.record(path, file)
            return file

        return Recording(self._each(record, paths))

    def survivors(self, sample: list[Mutant], recording: Recording, screen: Screen) -> int:
        """How many the tests do not notice; each is shown as soon as that is known."""

        def survives(tree: Tree, mutant: Mutant) -> bool:
            if found := tree.survives(mutant, recording):
                screen.say(safe(mutant.diff()))
            return found

        return sum(self._each(survives, sample))

    def close(self) -> None:
        """End their servers."""
        self._pool.shutdown()
        while not self._free.empty():
            self._free.get().close()

    def _each(self, do: Callable[[Tree, T], R], things: Sequence[T]) -> list[R]:
        def done(thing: T) -> R:
            tree = self._free.get()
            try:
                return do(tree, thing)
            finally:
                self._free.put(tree)

        return list(self._pool.map(done, things))


@app.command(epilog=examples("make mutants ARGS='goals metrics --samples 0'"))
def main(
    groups: Annotated[list[str] | None, typer.Argument(help=f"Of {', '.join(GROUPS)}.")] = None,
    samples: Annotated[int, typer.Option(help="Mutants of each group; 0 for all.")] = 40,
    seed: Annotated[int, typer.Option(help="Draws the samples.")] = 0,
    jobs: Annotated[int, typer.Option(help="Mutants tried at a time.")] = os.cpu_count() or 1,
    seconds: Annotated[
        float, typer.Option(help="Tests of a mutant, the cheapest; what survives may be killed.")
    ] = math.inf,
    recorded: Annotated[
        Path | None, typer.Option(help="Folder that keeps what lines tests run, until they change.")
    ] = None,
) -> None:
    """Try mutants; exit 0 only if enough are killed in the groups where that is enforced."""
    if unknown := set(groups or ()) - GROUPS.keys():
        raise typer.BadParameter(f"no group: {', '.join(sorted(unknown))}; see --help")
    heads = ("mutants", "tried", "killed", "share")
    screen, shown, enough = Screen(), table("group", *heads, numbers=heads), True
    known = equivalents()
    with (
        TemporaryDirectory(prefix="earsim-mutants-") as folder,
        closing(Trees(Path(folder), jobs, recorded)) as trees,
    ):
        for name in groups or GROUPS:
            group = GROUPS[name]
            recording = trees.recorded(group.tests).within(seconds)
            found = [mutant for mutant in group.mutants() if mutant.key not in known]
            wanted = min(samples or len(found), len(found))
            sample = random.Random(f"{name} {seed}").sample(found, wanted)
            killed = wanted - trees.survivors(sample, recording, screen)
            is_low = group.enforced and killed < LEAST_KILLED * wanted
            enough = enough and not is_low
            share = f"{killed / wanted:.1%}{' (too low)' if is_low else ''}"
            row(shown, name, len(found), wanted, killed, share)
    screen.print(shown)
    if not enough:
        raise typer.Exit(Code.NO)


if __name__ == "__main__":
    app()
