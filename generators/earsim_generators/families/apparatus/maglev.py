"""Gains of a control rig, `maglev/1`: a response within a window about one that was computed."""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

from earsim.apparatus.design import Requirement, margin
from earsim.apparatus.maglev import MAGLEV
from earsim.apparatus.maglev.analysis import results_of
from earsim.apparatus.maglev.equations import gains_of
from earsim.apparatus.maglev.reference import PARTS
from earsim.apparatus.parameter import Settings, Value, defaults
from earsim_generators.families.apparatus.station import (
    RIG,
    BenchLooks,
    Experiment,
    document,
    first_fitting,
    run,
    significant,
)
from earsim_generators.families.draft import Fields

_LOOKS = BenchLooks("Control rig", "Panel key", "Amplifier", "thickness_mm", 41.0, (0.9, 0.5, 1.2))


class _Window(NamedTuple):
    """What a difficulty means.

    Attributes:
        half_width: Of the window that the overshoot must lie in, in percentage points.
        runs: That can be paid for.
    """

    half_width: int
    runs: int


_LEVELS = {
    "easy": _Window(8, 16),
    "medium": _Window(5, 18),
    "hard": _Window(3, 24),
}
_OVERSHOOT = (6.0, 40.0)
"""Percent, of the responses about which windows are laid."""

_SLACK = 1.1
"""Settling time asked for over that of the response."""

_LEAST_MARGIN = 0.01
_STEADY = 0.001


def maglev(rng: Random, difficulty: str) -> Fields:
    """Find gains whose response overshoots neither more nor less than is asked for."""
    experiment = first_fitting(lambda: _drawn(rng, _LEVELS[difficulty]))
    return document(rng, difficulty, _LOOKS, experiment)


def _drawn(rng: Random, level: _Window) -> Experiment | None:
    """A window about a response; None where it is no good, or found without trying."""
    topology = rng.choice(("pi", "pid"))
    greatest = {
        "Kp": rng.choice((4.0, 6.0, 8.0, 10.0)),
        "Ki": rng.choice((1.0, 2.0, 3.0)),
        "Kd": rng.choice((2.0, 4.0, 6.0)),
    }
    gains = PARTS[topology]
    base = {**defaults(MAGLEV.parameters), "topology": topology}
    wanted = {name: significant(greatest[name] * rng.uniform(0.1, 0.9)) for name in gains}
    begun: dict[str, Value] = {
        "topology": topology,
        **{name: significant(greatest[name] * rng.uniform(0.5, 0.9), 2) for name in gains},
    }
    response = results_of(gains_of({**base, **wanted}))
    overshoot, settling = response["overshoot_percent"], response["settling_s"]
    if not isinstance(overshoot, float) or not isinstance(settling, float):
        return None
    middle, settled = round(overshoot), math.ceil(10 * _SLACK * settling) / 10
    window = (middle - level.half_width, middle + level.half_width)
    asked = (
        Requirement("overshoot_percent", low=window[0], high=window[1]),
        Requirement("settling_s", high=settled),
        Requirement("steady_error", high=_STEADY),
    )
    if not _OVERSHOOT[0] <= overshoot <= _OVERSHOOT[1] or window[0] <= 0:
        return None
    if margin(response, asked) < _LEAST_MARGIN:
        return None
    simple: list[Settings] = [{**base, **begun}]
    simple += [{**base, **{n: greatest[n] * share for n in gains}} for share in (0.0, 0.5, 1.0)]
    if any(margin(results_of(gains_of(each)), asked) >= 0.0 for each in simple):
        return None
    return _experiment(level, greatest, begun, wanted, window, settled)


def _experiment(
    level: _Window,
    greatest: dict[str, float],
    begun: dict[str, Value],
    wanted: dict[str, float],
    window: tuple[int, int],
    settled: float,
) -> Experiment:
    gains = [name for name in greatest if name in wanted]
    price = 2 + round(greatest["Kp"]) % 3
    return Experiment(
        name="gains",
        title="Gains of a control rig",
        block={
            "model": MAGLEV.id,
            "settings": begun,
            "bounds": {name: [0.0, greatest[name]] for name in gains},
            "tunable": gains,
            "price": {"eur_per_run": price},
            "show": ["y", "u"],
        },
        goal=[
            _measured("overshoot_percent", at_least=window[0], at_most=window[1]),
            _measured("settling_s", at_most=settled),
            _measured("steady_error", at_most=_STEADY),
        ],
        says=(
            f"Tune the gains so that the {{{RIG}}}, in the last run that it completes, overshoots "
            f"by between {window[0]} and {window[1]} %, settles within {settled:g} s and ends "
            f"with a steady error of {_STEADY:g} at most. A run costs {price} euros, and you have "
            f"{price * level.runs}."
        ),
        limits={"eur": price * level.runs},
        runs=level.runs,
        commands=run(*(f"{name}={value}" for name, value in wanted.items())),
    )


def _measured(result: str, **bounds: float) -> Fields:
    return {"measured": {"apparatus": RIG, "result": result, **bounds}}
