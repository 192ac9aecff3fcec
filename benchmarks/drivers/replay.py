"""Plays a world at random once, then again and again, and prints the CPU time of a step as JSON.

A driver runs in the environment of the project it drives, so nothing here needs anything but the
standard library. Resets are not measured, and choosing commands is done before.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

EPISODES, DECISIONS = 10, 50


class Told(NamedTuple):
    """What a step gave: something to measure the length of, the commands on offer, and the end."""

    text: str
    offered: Sequence[Any]
    over: bool


def run(name: str, version: str, reset: Callable[[int], Told], step: Callable[[Any], Told]) -> None:
    """Record episodes with commands drawn from those on offer, and give them until time is up."""
    seconds = float(sys.argv[1])
    episodes = [_record(seed, reset, step) for seed in range(EPISODES)]
    told: list[Told] = []
    taken, steps = 0.0, 0
    while taken < seconds:
        for seed, commands in enumerate(episodes):
            reset(seed)
            begun = _cpu_s()
            for command in commands:
                last = step(command)
            taken += _cpu_s() - begun
            steps += len(commands)
            told.append(last)
    found = {
        "name": name,
        "version": version,
        "steps_per_s": steps / taken,
        "chars": sum(len(each.text) for each in told) / len(told),
        "offered": sum(len(each.offered) for each in told) / len(told),
    }
    print(json.dumps(found))


def _record(seed: int, reset: Callable[[int], Told], step: Callable[[Any], Told]) -> list[Any]:
    rng = Random(seed)
    told, commands = reset(seed), []
    while len(commands) < DECISIONS and not told.over:
        commands.append(rng.choice(told.offered))
        told = step(commands[-1])
    return commands


def _cpu_s() -> float:
    """CPU time of this process and, where they can be seen (Linux), of its children."""
    return time.process_time() + sum(map(_of_child, _children()))


def _children() -> list[Path]:
    own = Path(f"/proc/self/task/{os.getpid()}/children")
    if not own.exists():
        return []
    return [Path("/proc", child, "stat") for child in own.read_text(encoding="ascii").split()]


def _of_child(stat: Path) -> float:
    """User and system time of a process and of its own children that have ended."""
    fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
