"""`python -m benchmarks [--quick] [--json FILE]`: all speed figures of this machine."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.goals import Figure, figures
from benchmarks.growth import ALONE, MOST_FOR_UNVISITED, Cost, Unvisited, costs, unvisited
from benchmarks.kinds import Kind, Part, kinds, parts
from benchmarks.scenes import RULESETS
from benchmarks.stage import Stage
from benchmarks.start import starts
from benchmarks.timing import calibration_s
from earsim.installed import build

_VERDICTS = {True: "reached", False: "MISSED", None: ""}


def main() -> None:
    """Measure everything and print it."""
    options = _options()
    decisions, runs = (2_000, 3) if options.quick else (10_000, 5)
    found: dict[str, Any] = {"build": build(), "calibration_s": calibration_s()}
    print(f"the {found['build']} build")
    print(f"x += i & 7 over 10^7 values: {found['calibration_s']:.2f} s of CPU time")
    print("\n== a process from its start\n")
    begun = starts(runs=max(5, runs))
    found["start"] = [{**figure._asdict(), "reached": figure.reached} for figure in begun]
    for figure in begun:
        print(_line_of_goal(figure))
    for ruleset in RULESETS:
        found[ruleset] = _measure(ruleset, decisions, runs)
    found["calibration_s_after"] = calibration_s()
    print(f"\nx += i & 7 again: {found['calibration_s_after']:.2f} s")
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer steps, rougher figures")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    return parser.parse_args()


def _measure(ruleset: str, decisions: int, runs: int) -> dict[str, Any]:
    stage = Stage.of(ruleset, decisions)
    mix = stage.mix
    print(
        f"\n== {ruleset}: {mix.accepted_share:.0%} of the commands accepted, "
        f"{mix.take_or_put_share:.0%} of those take or put\n"
    )
    goals = figures(ruleset, decisions=decisions, runs=runs)
    for figure in goals:
        print(_line_of_goal(figure))
    by_kind, by_part = kinds(stage), parts(stage, runs=runs)
    print("\nper step      share   median us")
    for kind in by_kind:
        print(_line_of_kind(kind))
    print("\nof a step                 us")
    for part in by_part:
        print(_line_of_part(part))
    grown = costs(ruleset, decisions=decisions // 2, runs=max(1, runs // 2))
    print("\nscene                        us/command   kB/world   kB/episode")
    for cost in grown:
        print(_line_of_cost(cost))
    alone = next(cost.us_per_command for cost in grown if cost.size == ALONE)
    teams = {cost.size: cost for cost in grown if "agents" in cost.size}
    for size, team in teams.items():
        print(f"a command with {size}: {team.us_per_command / alone:.1f} times one agent's")
    empty = unvisited(ruleset, decisions=max(5_000, decisions // 2), rounds=runs)
    print("\nrooms nobody enters                           step   + text   + list  times  goal")
    for more in empty:
        print(_line_of_unvisited(more))
    return {
        "accepted_share": mix.accepted_share,
        "take_or_put_share": mix.take_or_put_share,
        "goals": [{**figure._asdict(), "reached": figure.reached} for figure in goals],
        "kinds": [kind._asdict() for kind in by_kind],
        "parts": [part._asdict() for part in by_part],
        "growth": [cost._asdict() for cost in grown],
        "unvisited": [more._asdict() for more in empty],
    }


def _line_of_goal(figure: Figure) -> str:
    decimals = 0 if figure.value >= 1000 else 4 if figure.value < 1 else 1
    line = f"{figure.name:36} {figure.value:12,.{decimals}f} {figure.unit:10}"
    if figure.goal is None:
        return line
    sign = "<=" if figure.at_most else ">="
    return f"{line} goal {sign} {figure.goal:>9,} {_VERDICTS[figure.reached]}"


def _line_of_kind(kind: Kind) -> str:
    return f"{kind.kind:12} {kind.share:6.1%} {kind.median_us:10.1f}"


def _line_of_part(part: Part) -> str:
    return f"{part.part:24} {part.us:5.1f}"


def _line_of_cost(cost: Cost) -> str:
    return (
        f"{cost.size:28} {cost.us_per_command:9.1f} {cost.world_kb:10.1f} {cost.episode_kb:10.1f}"
    )


def _line_of_unvisited(more: Unvisited) -> str:
    verdict = _VERDICTS[more.times <= MOST_FOR_UNVISITED]
    return (
        f"{more.size:42} {more.step_us:7.1f} {more.text_us:8.1f} {more.us:8.1f} {more.times:6.2f}"
        f"  <= {MOST_FOR_UNVISITED} {verdict}; text of {more.chars:,} characters,"
        f" {more.listed} commands"
    )


if __name__ == "__main__":
    main()
