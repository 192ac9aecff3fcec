"""`python -m benchmarks.revisions REVISION`: how much longer a step takes than at another revision.

The same commands are played by the code of both, in processes that take turns; what counts is the
sum of the least times of each command, so that what else the machine does weighs little.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.mix import record
from benchmarks.scenes import RULESETS, scenario_dict, walked_rooms
from benchmarks.stage import ENDLESS
from earsim import Engine, Episode, Scenario

_ROOT = Path(__file__).resolve().parents[1]
_DRIVER = _ROOT / "benchmarks" / "drivers" / "least_times.py"
_ROOMS = (4, 1)


def mixes(decisions: int) -> dict[str, dict[str, object]]:
    """The scenarios that are played, and the commands of each, as JSON values."""
    found: dict[str, dict[str, object]] = {}
    for ruleset in RULESETS:
        for rooms in _ROOMS:
            scenario = {**scenario_dict(rooms=rooms), "ruleset": ruleset}
            episode = Episode(Engine(Scenario.model_validate(scenario)), budget=ENDLESS)
            mix = record(episode, decisions, rooms=walked_rooms(44, rooms), length=ENDLESS)
            found[f"{ruleset}, {rooms} rooms"] = {"scenario": scenario, "given": mix.decisions}
    return found


def unpack(revision: str, folder: Path) -> Path:
    """The tree of a revision, in a folder."""
    archive = ["git", "-C", str(_ROOT), "archive", "--format=tar", revision]
    packed = subprocess.run(archive, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as tar:
        tar.extractall(folder, filter="data")
    return folder


def times(tree: Path, plays: Path, repeats: int) -> dict[str, list[float]]:
    """The least seconds of each command with the code of a tree, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}
    command = [sys.executable, str(_DRIVER), str(plays), str(repeats)]
    done = subprocess.run(command, env=environment, cwd=tree, capture_output=True, check=True)
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure and print, a line per scenario."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.revisions", description=__doc__)
    parser.add_argument("revision", help="what git calls the other one")
    parser.add_argument("--turns", type=int, default=4, help="processes of each revision")
    parser.add_argument("--repeats", type=int, default=5, help="times a process plays the commands")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        plays = Path(folder, "plays.json")
        plays.write_text(json.dumps(mixes(2_000)), encoding="utf-8")
        trees = {"then": unpack(options.revision, Path(folder, "then")), "now": _ROOT}
        least: dict[tuple[str, str], list[float]] = {}
        for _ in range(options.turns):
            for when, tree in trees.items():
                for name, found in times(tree, plays, options.repeats).items():
                    before = least.get((name, when), found)
                    least[name, when] = list(map(min, before, found))
    for name in dict.fromkeys([name for name, _ in least]):
        then, now = sum(least[name, "then"]), sum(least[name, "now"])
        count = len(least[name, "now"])
        print(
            f"{name:20} {then / count * 1e6:6.2f} us a step then, "
            f"{now / count * 1e6:6.2f} now, {now / then:.3f} times"
        )


if __name__ == "__main__":
    main()
