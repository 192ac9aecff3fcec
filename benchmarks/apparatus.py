"""What models of apparatus cost: `python -m benchmarks.apparatus`.

A run is timed from its start to its results, in one go and reading by reading as a world does it,
beside the size of its state. Models that are not installed are left out.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import NamedTuple

from benchmarks.timing import calibration_s, cpu_s
from earsim.apparatus.model import Model
from earsim.apparatus.parameter import Settings, Value, defaults
from earsim.apparatus.registry import MODELS


class Case(NamedTuple):
    """A run to time.

    Attributes:
        model: its id.
        given: settings besides the defaults.
        world_s: seconds of the world that it gets; a long run is cut there.
        goal_ms: CPU milliseconds of the run; None without a goal.
    """

    model: str
    given: Mapping[str, Value]
    world_s: float = 3600.0
    goal_ms: float | None = None


CASES = (
    Case("maglev/1", {"Kp": 2.818, "Ki": 0.8, "Kd": 1.886, "topology": "pid"}, goal_ms=5.0),
    Case("maglev/1", {"Kp": 12.0, "Ki": 8.0, "topology": "pi", "blocks": "cascade"}, goal_ms=5.0),
    Case("levitation/1", {"kp": 150.0, "kd": 5.0}),
    Case("heat1d/1", {"n": 64}),
    Case("euler1d/1", {"n": 512}, goal_ms=300.0),
    Case("ns2d/1", {}, world_s=5.0),
    Case("sixbox/1", {}, goal_ms=1.5),
)

WAITED_S = 1.0
"""Allowance by which the run in parts goes on each time."""


class Timed(NamedTuple):
    """CPU time of a run, and what it left.

    Attributes:
        run_ms: start, one advance, results.
        parts_ms: the same in advances of one second of the world.
        readings: samples that it gave.
        state_kb: its last state, pickled.
    """

    run_ms: float
    parts_ms: float
    readings: int
    state_kb: float


def timed(model: Model, settings: Settings, world_s: float, *, runs: int = 5) -> Timed:
    """The median of several runs."""
    end = world_s * (model.rate or 1.0)
    progress = model.advance(model.start(settings), end)
    whole = cpu_s(lambda: _run(model, settings, end), before=_nothing, runs=runs)
    parts = cpu_s(lambda: _in_parts(model, settings, end), before=_nothing, runs=runs)
    kb = len(pickle.dumps(progress.state)) / 1000
    return Timed(whole * 1000, parts * 1000, len(progress.samples), kb)


def _run(model: Model, settings: Settings, end: float) -> None:
    model.results(model.advance(model.start(settings), end).state)


def _in_parts(model: Model, settings: Settings, end: float) -> None:
    state, allowance = model.start(settings), 0.0
    while allowance < end:
        allowance = min(end, allowance + WAITED_S * (model.rate or 1.0))
        progress = model.advance(state, allowance)
        state = progress.state
        if progress.done or progress.failed is not None:
            break
    model.results(state)


def _nothing() -> None:
    pass


def installed(name: str) -> Model | None:
    """A model of the registry; None where it cannot be imported."""
    try:
        return MODELS[name]
    except ImportError:
        return None


def main() -> None:
    """Time all cases and print them."""
    print(f"x += i & 7 over 10^7 values: {calibration_s():.2f} s of CPU time\n")
    print("model          run ms   goal   in parts ms   readings   us/reading   state kB")
    for case in CASES:
        model = installed(case.model)
        if model is None:
            print(f"{case.model:13} not installed")
            continue
        settings = {**defaults(model.parameters), **case.given}
        found = timed(model, settings, case.world_s)
        goal = "" if case.goal_ms is None else f"{case.goal_ms:g}"
        per_reading = found.parts_ms * 1000 / max(1, found.readings)
        print(
            f"{case.model:13} {found.run_ms:7.2f} {goal:>6} {found.parts_ms:13.2f}"
            f" {found.readings:10} {per_reading:12.1f} {found.state_kb:10.1f}"
        )


if __name__ == "__main__":
    main()
