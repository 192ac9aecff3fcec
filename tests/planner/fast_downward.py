"""Fast Downward, as the package `up-fast-downward` brings it: asked for a shortest plan of a task.

The package's own interface goes through another library; its two programs are called directly.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from earsim.planner.pddl import PddlTask

BLIND = "astar(blind(), max_time={seconds})"
"""The search that assumes nothing: it cannot share a mistake with an estimate."""

_SOLVED, _NO_PLAN_EVEN_THEN, _NO_PLAN, _GAVE_UP = 0, 10, 11, 12
"""Exit codes of both programs; the translator too may see that there is no plan."""

_TRANSLATE = """
import gc, runpy
gc.disable()
runpy.run_module("fast_downward.translate", run_name="__main__", alter_sys=True)
"""
"""The translator without the collector of garbage, which takes up to two fifths of its time."""

_BOUND = re.compile(r"^\[.*\] f = (\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a search.

    Attributes:
        plan: a shortest plan, as text; None where there is none, or none was found in time.
        decided: whether the search came to its end.
        bound: no plan is shorter, where that is known.
    """

    plan: str | None
    decided: bool
    bound: int


def is_installed() -> bool:
    """Whether both programs, translator and search, are here."""
    return all(find_spec(name) is not None for name in ("up_fast_downward", "fast_downward"))


def solve(task: PddlTask, folder: Path, *, seconds: float, search: str = BLIND) -> Answer:
    """Look for a shortest plan in a folder of its own, for at most some seconds of search."""
    (folder / "domain.pddl").write_text(task.domain, encoding="utf-8")
    (folder / "problem.pddl").write_text(task.problem, encoding="utf-8")
    files = ("domain.pddl", "problem.pddl")
    done = _run(folder, sys.executable, "-c", _TRANSLATE, *files)
    assert done.returncode in (_SOLVED, _NO_PLAN_EVEN_THEN), done.stdout + done.stderr
    done = _run(folder, _search_program(), "--search", search.format(seconds=seconds))
    bound = max(map(int, _BOUND.findall(done.stdout)), default=0)
    if done.returncode == _SOLVED:
        return Answer((folder / "sas_plan").read_text(encoding="utf-8"), True, bound)
    assert done.returncode in (_NO_PLAN, _GAVE_UP), done.stdout + done.stderr
    return Answer(None, done.returncode == _NO_PLAN, bound)


def _search_program() -> str:
    spec = find_spec("up_fast_downward")
    assert spec is not None, "up-fast-downward is not installed"
    return str(Path(spec.origin or "").parent / "downward/builds/release/bin/downward")


def _run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    translated = folder / "output.sas"
    text = translated.read_text(encoding="utf-8") if translated.exists() else ""
    return subprocess.run(
        command, cwd=folder, input=text, capture_output=True, text=True, check=False
    )
