"""Gains of a levitation rig, `levitation/1`: a ball held that comes to rest soon enough."""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

from earsim.apparatus.design import Requirement, Results, margin
from earsim.apparatus.levitation import LEVITATION
from earsim.apparatus.levitation.equations import LEAST_KP, critical_kd, greatest_ki
from earsim.apparatus.parameter import Settings, Value, defaults
from earsim_generators.families.apparatus.station import (
    RIG,
    BenchLooks,
    Experiment,
    document,
    first_fitting,
    run,
    significant,
    up,
)
from earsim_generators.families.draft import Fields

_LOOKS = BenchLooks(
    "Levitation rig", "Panel key", "Pole shoe", "thickness_mm", 38.0, (0.6, 0.5, 1.1)
)


class _Tightness(NamedTuple):
    """What a difficulty means.

    Attributes:
        slack: Settling time and greatest distance asked for, over those of a response.
        runs: That can be paid for.
        off_g: By how much a ball may differ from the nominal mass; it takes an integral part then.
    """

    slack: float
    runs: int
    off_g: int


_LEVELS = {
    "easy": _Tightness(1.5, 10, 0),
    "medium": _Tightness(1.5, 14, 6),
    "hard": _Tightness(1.25, 20, 10),
}
_NOMINAL_G = 50
_OFFSETS_MM = (-1.5, -1.0, -0.5, 0.5, 1.0, 1.5)
_REST_MM = 0.05
_PRICES_EUR = (2, 3, 4)

_TOO_SOFT = (0.5, 0.9)
"""Proportional gains that do not hold the ball, over the least that does."""


def levitation(rng: Random, difficulty: str) -> Fields:
    """Find gains that hold the ball and bring it to rest at the set point."""
    experiment = first_fitting(lambda: _drawn(rng, _LEVELS[difficulty]))
    return document(rng, difficulty, _LOOKS, experiment)


def _drawn(rng: Random, level: _Tightness) -> Experiment | None:
    """Bounds about a response; None where it is no good, or they are met without trying."""
    off = rng.choice((-1, 1)) * rng.randint(level.off_g // 2, level.off_g)
    fixed: dict[str, Value] = {
        "topology": "pid" if off else "pd",
        "mass": (_NOMINAL_G + off) / 1000,
        "offset": rng.choice(_OFFSETS_MM),
    }
    base = {**defaults(LEVITATION.parameters), **fixed}
    gains = _gains(rng, integral=off != 0)
    begun: dict[str, Value] = {
        **fixed,
        "kp": significant(rng.uniform(*_TOO_SOFT) * LEAST_KP, 2),
        "kd": 9.0,
    }
    greatest = {each.name: each.high for each in LEVITATION.parameters if each.name in gains}
    if any(gains[name] > most for name, most in greatest.items()):
        return None
    response = _results({**base, **gains})
    settling, largest = response["settling_s"], response["largest_error_mm"]
    if not isinstance(settling, float) or not isinstance(largest, float):
        return None
    asked = (
        Requirement("settling_s", high=up(level.slack * settling)),
        Requirement("largest_error_mm", high=up(level.slack * largest)),
        Requirement("final_error_mm", high=_REST_MM),
    )
    simple: list[dict[str, Value]] = [
        {n: share * most for n, most in greatest.items()} for share in (0.0, 0.5, 1.0)
    ]
    if any(margin(_results({**base, **each}), asked) >= 0.0 for each in (begun, *simple)):
        return None
    return _experiment(level, begun, gains, asked, rng.choice(_PRICES_EUR))


def _gains(rng: Random, *, integral: bool) -> dict[str, float]:
    """Of a loop that is stable for the nominal ball."""
    kp = significant(rng.uniform(1.3, 3.2) * LEAST_KP)
    kd = significant(rng.uniform(0.7, 1.5) * critical_kd(kp))
    if not integral:
        return {"kp": kp, "kd": kd}
    return {"kp": kp, "kd": kd, "ki": significant(rng.uniform(0.1, 0.3) * greatest_ki(kp, kd))}


def _results(settings: Settings) -> Results:
    return LEVITATION.results(LEVITATION.advance(LEVITATION.start(settings), math.inf).state)


def _experiment(
    level: _Tightness,
    begun: dict[str, Value],
    gains: dict[str, float],
    asked: tuple[Requirement, ...],
    price: int,
) -> Experiment:
    settled, farthest, _ = (each.high for each in asked)
    return Experiment(
        name="ball",
        title="A ball in the air",
        block={
            "model": LEVITATION.id,
            "settings": begun,
            "tunable": list(gains),
            "price": {"eur_per_run": price},
            "show": ["z", "i"],
        },
        goal=[
            {"measured": {"apparatus": RIG, "result": each.result, "at_most": each.high}}
            for each in asked
        ],
        says=(
            f"Tune the gains of the {{{RIG}}} so that, in the last run that it completes, its ball "
            f"settles within {settled:g} s, is never farther than {farthest:g} mm from the set "
            f"point and ends within {_REST_MM:g} mm of it. A run costs {price} euros, and you have "
            f"{price * level.runs}."
        ),
        limits={"eur": price * level.runs},
        runs=level.runs,
        commands=run(*(f"{name}={value}" for name, value in gains.items())),
    )
