"""What numbers that move cost: `python -m benchmarks.processes [--runs N]`.

A hall with 44 objects, of which eight have a number that changes all the time and that is seen, and
the same hall in which they stand still: the same commands, measured in turn. Then the laws by
themselves.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from benchmarks.mix import record
from benchmarks.scenes import scenario_dict, walked_rooms
from benchmarks.stage import ENDLESS
from earsim import Engine, Episode, Scenario
from earsim.dynamics.drying import drying
from earsim.dynamics.flow import Gravity
from earsim.dynamics.law import Exponentials, Law, Linear
from earsim.envs.single import OmniEAREnv

LEAST_SHARE = 0.6
"""Of the rate of the hall that stands still."""
MOST_US_A_LAW = 2.0
ROOM_C = 21.0


def scenario(*, live: bool, **settings: Any) -> Scenario:
    """The hall of the benchmarks; with or without processes for the numbers of eight things."""
    raw = scenario_dict(rooms=1, **settings)
    raw["scene"]["rooms"][0]["temperature_c"] = ROOM_C
    things = {thing["id"]: thing for thing in raw["scene"]["objects"]}
    for node, numbers, processes in _eight():
        things[node].update(numbers)
        if live:
            things[node]["processes"] = processes
    return Scenario.model_validate(raw)


def _eight() -> list[tuple[str, dict[str, float], list[dict[str, Any]]]]:
    """Four things that cool, two batteries, two wet things; none comes to rest in an hour."""
    cools = [{"heat": {"heat_capacity_jpk": 9e4, "conductance_wpk": 5.0}}]
    drains = [{"discharge": {"power_w": 1.0}}]
    dries = [{"drying": {"equilibrium_ratio": 0.1, "k_ph": 0.2}}]
    return [
        *((f"flask_{n}", {"temperature_c": 90.0 - n}, cools) for n in range(4)),
        *((f"meter_{n}", {"charge_percent": 99.0, "capacity_wh": 20.0}, drains) for n in range(2)),
        *((f"crate_{n}", {"moisture_ratio": 0.9}, dries) for n in range(2)),
    ]


class Rate(NamedTuple):
    """Steps a second with full text and admissible commands, medians of runs in turn."""

    still: float
    live: float
    share: float


def rates(*, decisions: int = 2_000, runs: int = 5) -> Rate:
    """The hall that stands still and the one that lives, the same commands in both."""
    still, live = scenario(live=False), scenario(live=True)
    episode = Episode(Engine(still), budget=ENDLESS)
    mix = record(episode, decisions, rooms=walked_rooms(44, 1), length=ENDLESS)
    mix.check()
    (agent,) = episode.agents
    commands = [decision[agent] for decision in mix.decisions]
    envs = [OmniEAREnv(each, admissible_commands=True, budget=ENDLESS) for each in (still, live)]
    taken: list[list[float]] = [[], []]
    for _ in range(runs):
        for env, times in zip(envs, taken, strict=True):
            env.reset()
            start = process_time()
            for command in commands:
                env.step(command)
            times.append(process_time() - start)
    shares = [one / other for one, other in zip(*taken, strict=True)]
    one, other = (len(commands) / median(times) for times in taken)
    return Rate(one, other, median(shares))


def us_a_law(*, times: int = 200_000) -> dict[str, float]:
    """Microseconds that it takes to evaluate each kind of law, the call included."""
    laws: dict[str, Law] = {
        "a line": Linear(20.0, 0.1),
        "one body": Exponentials(21.0, 0.0, ((59.0, 1 / 4186),)),
        "two bodies": Exponentials(-4.0, 0.0, ((7.0, 0.006), (-2.0, 0.0002))),
        "gravity": Gravity(0.4, 0.0055),
        "drying": drying(0.9, critical=0.6, equilibrium=0.1, rate=1e-4),
    }
    return {name: _us(law.at, times) for name, law in laws.items()}


def _us(at: Callable[[float], float], times: int) -> float:
    start = process_time()
    for t in range(times):
        at(t * 0.05)
    return (process_time() - start) / times * 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.processes", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--decisions", type=int, default=2_000, metavar="N")
    options = parser.parse_args()
    rate = rates(decisions=options.decisions, runs=options.runs)
    verdict = "reached" if rate.share >= LEAST_SHARE else "MISSED"
    print(f"text and commands, all still      {rate.still:9,.0f} steps/s")
    print(f"the same, eight numbers that move {rate.live:9,.0f} steps/s")
    print(
        f"share                             {rate.share:9.1%}  goal >= {LEAST_SHARE:.0%} {verdict}"
    )
    for name, us in us_a_law().items():
        verdict = "reached" if us <= MOST_US_A_LAW else "MISSED"
        print(f"{name:33} {us:9.2f} us  goal <= {MOST_US_A_LAW:g} {verdict}")


if __name__ == "__main__":
    main()
