"""`python -m benchmarks.builds`: the compiled build beside plain Python, in one run.

`make fast` comes first. Each build measures the same commands in processes of its own, which take
turns; what counts is the best of each. The compiled one starts where the source cannot hide it.
Before that, both play random episodes of all that the repository has, and must tell the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.apparatus import CASES, installed, timed
from benchmarks.goals import batched, commands_per_s, steps_per_s
from benchmarks.growth import play
from benchmarks.mix import Mix, record
from benchmarks.processes import us_a_law
from benchmarks.scenes import RULESETS
from benchmarks.stage import ENDLESS, Stage
from benchmarks.timing import calibration_s, cpu_s
from earsim import Engine, Episode, digest, open_suite
from earsim.apparatus.parameter import defaults
from earsim.errors import EarSimError, UsageError
from earsim.installed import build
from earsim.suites.opening import ear_bench_dir

_ROOT = Path(__file__).resolve().parents[1]
_FAST = _ROOT / ".venv-fast" / "bin" / "python"

TIMES = 2.5
"""Times as fast as plain Python: what steps may reach instead of their goal."""


SUITES = ("starter", "time", "laboratory", "earsim-bench-mini")
DECISIONS = 40


def told(suites: tuple[str, ...] = SUITES) -> str:
    """A hash of all that agents are told in a random episode of every scenario of some suites."""
    heard = hashlib.blake2b(digest_size=16)
    for suite in map(open_suite, suites):
        for scenario_id in suite.ids:
            for ruleset in RULESETS:
                try:
                    episode = Episode(Engine(suite.load(scenario_id), ruleset), budget=ENDLESS)
                except UsageError:  # a goal over time, where no time passes
                    continue
                for text in _random_episode(episode, Random(f"{scenario_id} {ruleset}")):
                    heard.update(text.encode("utf-8", "backslashreplace") + b"\0")
    return heard.hexdigest()


def _random_episode(episode: Episode, rng: Random) -> Iterator[str]:
    listed = {agent: episode.admissible(agent) for agent in episode.agents}
    for _ in range(DECISIONS):
        offered = {a: [c for c in listed[a] if c != "DONE"] for a in episode.agents}
        commands = {agent: rng.choice(each) for agent, each in offered.items() if each}
        decision = episode.step(commands)
        yield digest(episode.world)
        listed = {agent: episode.admissible(agent) for agent in episode.agents}
        for agent in episode.agents:
            yield from (episode.full(agent), episode.changes(agent), episode.changed_help(agent))
            yield from (episode.feedback(agent), episode.noticed(agent), *listed[agent])
        yield json.dumps([each.to_json() for each in decision.outcomes.values()], default=str)


class Row(NamedTuple):
    """One figure of one build; `goal` is for the compiled one, 0 where there is none."""

    name: str
    unit: str
    value: float
    goal: float = 0.0

    @property
    def is_rate(self) -> bool:
        """Whether more is better."""
        return self.unit.endswith("/s")


def measured(decisions: int, runs: int) -> Iterator[Row]:
    """The figures of the build that is imported here."""
    yield Row("x += i & 7 over 10^7 values", "s", calibration_s())
    for ruleset, goal in zip(RULESETS, (110_000, 100_000), strict=True):
        stage = Stage.of(ruleset, decisions)
        text = steps_per_s(stage, runs)
        yield Row(f"{ruleset}: text and admissible commands", "steps/s", text, goal)
        yield Row(f"{ruleset}: feedback", "commands/s", commands_per_s(stage, runs), 400_000)
        yield Row(f"{ruleset}: text, 64 in a vector", "steps/s", batched(stage, 64, runs), 150_000)
        alone = us_a_command(stage.engine, stage.mix, runs)
        for agents, most in ((2, 2.0), (4, 4.5)):
            team = Stage.of(ruleset, decisions // agents, agents=agents)
            times = us_a_command(team.engine, team.mix, runs) / alone
            yield Row(f"{ruleset}: a command of one of {agents} agents", "times", times, most)
    yield from _eval_single(decisions, runs)
    for law, us in us_a_law().items():
        yield Row(f"law: {law}", "us", us, 1.0)
    for case in CASES:
        model = installed(case.model)
        if model is not None:
            found = timed(model, {**defaults(model.parameters), **case.given}, case.world_s)
            us = found.parts_ms * 1000 / max(1, found.readings)
            kind = "".join(f", {case.given[name]}" for name in ("topology",) if name in case.given)
            yield Row(f"reading: {case.model}{kind}", "us", us, 10.0)


def us_a_command(engine: Engine, mix: Mix, runs: int) -> float:
    """Microseconds, with text and admissible commands."""
    episode = Episode(engine, budget=ENDLESS)
    seconds = cpu_s(lambda: play(episode, mix), before=episode.restart, runs=runs)
    return seconds / mix.commands * 1e6


def _eval_single(decisions: int, runs: int) -> Iterator[Row]:
    try:
        scenario = open_suite("eval-single").load("eval-single/00014")
    except EarSimError:  # no data
        return
    for ruleset in RULESETS:
        engine = Engine(scenario, ruleset)
        rooms = list(engine.blueprint.rooms)
        mix = record(Episode(engine, budget=ENDLESS), decisions, rooms=rooms, length=ENDLESS)
        text = steps_per_s(Stage(engine, mix), runs)
        yield Row(f"{ruleset}: eval-single/00014", "steps/s", text, 85_000)


def _best(rows: list[Row]) -> Row:
    return (max if rows[0].is_rate else min)(rows, key=lambda row: row.value)


def _said(python: Path, folder: Path, *arguments: str) -> Any:
    """What this module prints as JSON when another Python runs it in a folder."""
    command = [str(python), "-m", "benchmarks.builds", *arguments]
    done = subprocess.run(command, cwd=folder, env=_plain(), stdout=subprocess.PIPE, check=True)
    kind, said = json.loads(done.stdout)
    if (kind == "compiled") != (folder != _ROOT):
        raise SystemExit(f"{python} imports the {kind} build in {folder}")
    return said


def _are_told_alike(places: list[tuple[Path, Path]]) -> None:
    """Stop where the builds tell different things: they would not be two builds of one world."""
    if len({_said(*place, "--told") for place in places}) > 1:
        raise SystemExit("the two builds tell different things: compile what is here, make fast")
    print("random episodes: both builds tell the same bytes", file=sys.stderr)


def _plain() -> dict[str, str]:
    """The environment without what would put this source on the path; the data by a whole path."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return {**kept, "EAR_BENCH_DIR": str(ear_bench_dir().resolve()), "PYTHONHASHSEED": "0"}


def main() -> None:
    """Measure and print, a line per figure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.builds", description=__doc__)
    parser.add_argument("--python", type=Path, default=_FAST, help="that has the compiled wheel")
    parser.add_argument("--turns", type=int, default=3, help="processes of each build")
    parser.add_argument("--decisions", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3, help="medians of so many")
    parser.add_argument("--measure", action="store_true", help="only this build, as JSON")
    parser.add_argument("--told", action="store_true", help="only a hash of what it tells, as JSON")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps([build(), list(measured(options.decisions, options.runs))]))
        return
    if options.told:
        print(json.dumps([build(), told()]))
        return
    if not options.python.exists():
        raise SystemExit(f"{options.python} is not there: run  make fast  first")
    arguments = ["--decisions", str(options.decisions), "--runs", str(options.runs)]
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(_ROOT / "benchmarks", folder / "benchmarks")
        places = [(Path(sys.executable), _ROOT), (options.python, folder)]
        _are_told_alike(places)
        turns: list[list[list[Row]]] = []
        for turn in range(options.turns):
            said = [_said(*place, "--measure", *arguments) for place in places]
            turns.append([[Row(*row) for row in rows] for rows in said])
            if len({tuple(row.name for row in rows) for rows in turns[-1]}) > 1:
                raise SystemExit("the two builds measure different things")
            print(f"turn {turn + 1} of {options.turns}", file=sys.stderr)
    print(f"{'':45} {'pure':>10} {'compiled':>10}  times  goal")
    for place, row in enumerate(turns[0][0]):
        pure_row, fast_row = (_best([turn[n][place] for turn in turns]) for n in (0, 1))
        print(_line(row, pure_row.value, fast_row.value))


def _line(row: Row, pure: float, fast: float) -> str:
    times = fast / pure if row.is_rate else pure / fast
    digits = 0 if row.is_rate else 2
    told = ""
    if row.goal:
        is_reached = fast >= row.goal if row.is_rate else fast <= row.goal
        is_step = row.is_rate and row.goal in (110_000, 100_000)
        verdict = "reached" if is_reached or (is_step and times >= TIMES) else "MISSED"
        told = f"{'>=' if row.is_rate else '<='} {row.goal:,g} {verdict}"
    return (
        f"{row.name:45} {pure:10,.{digits}f} {fast:10,.{digits}f}  {times:5.2f}  "
        f"{row.unit:10} {told}"
    )


if __name__ == "__main__":
    main()
