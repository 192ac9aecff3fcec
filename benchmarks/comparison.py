"""`python -m benchmarks.comparison --cache DIR`: steps per CPU second beside other projects.

Installs each project into a virtual environment of its own below the folder, lets a small driver
(`benchmarks/drivers/`) play it, all of them in turn in each round, and prints a table. What cannot
be installed or played gets a row that says why. docs/comparison.md says what the figures mean.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.timing import calibration_s
from earsim.tables.document import Table
from earsim.tables.markdown import table_text

_ROOT = Path(__file__).resolve().parents[1]
_DRIVERS = _ROOT / "benchmarks" / "drivers"
_INSTALL_S, _DRIVE_S = 1800, 900
_REASON_CHARS = 160

HEAD = ("world", "version", "steps per CPU second", "least", "most", "characters", "on offer")


class Project(NamedTuple):
    """Something to be driven.

    Attributes:
        name: for the row, if it cannot be played; and of the folder.
        requirement: what pip is asked for; empty for this project, which is driven as it stands.
        driver: the file, and what it is told besides the seconds and the folder of its data.
        fetch: a program of the project that brings its data into a folder, if it needs one.
    """

    name: str
    requirement: str
    driver: tuple[str, ...]
    fetch: str = ""


PROJECTS = (
    Project("EAR-Sim ear-bench, list", "", ("ear_sim.py", "ear-bench", "list")),
    Project("EAR-Sim ear-bench, text", "", ("ear_sim.py", "ear-bench", "text")),
    Project("EAR-Sim physical, list", "", ("ear_sim.py", "physical", "list")),
    Project("EAR-Sim physical, text", "", ("ear_sim.py", "physical", "text")),
    Project("MiniGrid", "minigrid==3.2.0", ("minigrid_world.py",)),
    Project("TextWorld", "textworld==1.7.0", ("textworld_game.py", "textworld")),
    Project("ScienceWorld", "scienceworld==1.2.3", ("scienceworld_world.py",)),
    Project("ALFWorld", "alfworld==0.4.2", ("textworld_game.py", "alfworld"), "alfworld-download"),
)


class NotPlayed(Exception):
    """Why a project could not be played."""


class Row(NamedTuple):
    """What was measured of a project.

    Attributes:
        name: of the project and what was played.
        version: of the project.
        steps_per_s: per CPU second, one figure per round.
        chars: characters of text at the end of an episode, on average.
        offered: commands on offer then.
        failure: why there is nothing; empty if there is.
    """

    name: str
    version: str = ""
    steps_per_s: tuple[float, ...] = ()
    chars: float = 0.0
    offered: float = 0.0
    failure: str = ""


def main() -> None:
    """Install, measure and print."""
    options = _options()
    before = calibration_s()
    rows = compare(options.cache, rounds=options.rounds, seconds=options.seconds)
    found = {
        "calibration_s": (before, calibration_s()),
        "rounds": options.rounds,
        "seconds": options.seconds,
        "rows": [row._asdict() for row in rows],
    }
    print(report(found))
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.comparison", description="Steps per CPU second beside others."
    )
    parser.add_argument(
        "--cache", type=Path, required=True, metavar="DIR", help="virtual environments and games"
    )
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--seconds", type=float, default=5.0, metavar="S", help="per row and round")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    return parser.parse_args()


def compare(cache: Path, *, rounds: int, seconds: float) -> list[Row]:
    """One row per project, in their order; each round plays all of them."""
    cache = cache.resolve()
    rows: dict[str, Row] = {}
    for project in PROJECTS:
        try:
            _install(project, cache)
            rows[project.name] = Row(project.name)
        except NotPlayed as reason:
            rows[project.name] = Row(project.name, failure=str(reason))
    for _ in range(rounds):
        for project in PROJECTS:
            row = rows[project.name]
            if not row.failure:
                rows[project.name] = _driven(project, row, cache, seconds)
    return list(rows.values())


def _install(project: Project, cache: Path) -> None:
    """Make the virtual environment and bring the data, unless that was done before.

    Raises:
        NotPlayed: It does not work.
    """
    if not project.requirement:
        return
    home = cache / project.name
    done, data = home / "installed", home / "data"
    if not done.exists() or done.read_text(encoding="utf-8") != project.requirement:
        print(f"installing {project.requirement} ...", file=sys.stderr)
        venv.create(home / "venv", with_pip=True, clear=True)
        pip = [_python(home), "-m", "pip", "install", "--quiet", project.requirement]
        _run(pip, "pip cannot install it", _INSTALL_S)
        data.mkdir(exist_ok=True)
        done.write_text(project.requirement, encoding="utf-8")
    if project.fetch and not any(data.iterdir()):
        fetch = [str(home / "venv" / "bin" / project.fetch), "--data-dir", str(data)]
        _run(fetch, f"installed, but {project.fetch} cannot bring its games", _INSTALL_S)


def _driven(project: Project, row: Row, cache: Path, seconds: float) -> Row:
    """The row with one round more, or with why there is none."""
    home = cache / project.name
    file, *told = project.driver
    python = _python(home) if project.requirement else sys.executable
    command = [python, str(_DRIVERS / file), str(seconds), *told, str(home / "data")]
    try:
        found: dict[str, Any] = json.loads(
            _run(command, "its driver fails", _DRIVE_S, ours=not project.requirement)
        )
    except NotPlayed as reason:
        return Row(project.name, failure=str(reason))
    return Row(
        found["name"],
        found["version"],
        (*row.steps_per_s, found["steps_per_s"]),
        found["chars"],
        found["offered"],
    )


def _python(home: Path) -> str:
    return str(home / "venv" / "bin" / "python")


def _run(command: list[str], failure: str, timeout_s: int, *, ours: bool = False) -> str:
    """The last line that a program prints, if any.

    Raises:
        NotPlayed: It fails, or takes too long.
    """
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if ours:
        settings["PYTHONPATH"] = os.pathsep.join(map(str, filter(None, (_ROOT, *sys.path[1:]))))
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout_s, env=settings, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotPlayed(f"{failure} within {timeout_s} s") from None
    lines = (done.stderr if done.returncode else done.stdout).strip().splitlines()
    last = lines[-1] if lines else ""
    if done.returncode:
        raise NotPlayed(f"{failure}: {last[:_REASON_CHARS]}")
    return last


def report(found: dict[str, Any]) -> str:
    """The measurements as Markdown: a table, what could not be played, and how it was measured."""
    rows = [Row(**row) for row in found["rows"]]
    table = Table("", HEAD, texts=2).with_rows(
        (
            row.name,
            row.version,
            round(median(row.steps_per_s)),
            round(min(row.steps_per_s)),
            round(max(row.steps_per_s)),
            round(row.chars),
            round(row.offered),
        )
        for row in rows
        if not row.failure
    )
    before, after = found["calibration_s"]
    lines = [table_text(table), ""]
    lines += [f"- {row.name}: not played; {row.failure}" for row in rows if row.failure]
    lines.append(
        f"- {found['rounds']} rounds of {found['seconds']:g} CPU seconds each; the calibration loop"
        f" took {before:.2f} s before and {after:.2f} s after"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
