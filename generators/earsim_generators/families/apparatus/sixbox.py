"""Thresholds of a six-box ocean, `sixbox/1`, whose coefficients are drawn about the presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from earsim.apparatus.parameter import Settings, Value
from earsim.apparatus.publish import publish
from earsim.apparatus.sixbox.model import SIXBOX
from earsim.apparatus.sixbox.presets import PRESETS, preset
from earsim.apparatus.sixbox.questions import QUESTIONS, Direction, ThresholdQuestion
from earsim.apparatus.sixbox.reference import by_rule, regimes_of
from earsim.apparatus.sixbox.regimes import Regimes, changed
from earsim.apparatus.sixbox.settings import PARAMETERS
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

_LOOKS = BenchLooks(
    "Workstation", "Chip card", "Data cassette", "thickness_mm", 24.0, (0.6, 0.6, 0.7)
)

_DRAWN: Final = (
    "F_s", "F_nA", "F_nP", "F_IB", "eps_A", "eps_P", "eps_IB", "M_ek", "M_SD",
    "Tr_nA", "Tr_nP", "Tr_s", "A_GM", "A_R", "Kv",
)  # fmt: skip
"""Coefficients of which some are drawn anew for every scene."""

_HOW_MANY = 8
_SPREAD = 0.35
"""Each lies within this share of its value in the preset."""


class _Strictness(NamedTuple):
    """What a difficulty means.

    Attributes:
        factor: Within which an answer is right.
        spare_runs: Over those of doubling and bisection.
    """

    factor: float
    spare_runs: int


_LEVELS = {
    "easy": _Strictness(1.15, 6),
    "medium": _Strictness(1.1, 3),
    "hard": _Strictness(1.06, 1),
}

_SAYS: Final = {
    "F_nA": "freshwater to the northern Atlantic (F_nA, m3/s, upwards)",
    "F_s": "freshwater to the Southern Ocean (F_s, m3/s, upwards)",
    "M_ek": "transport by the southern winds (M_ek, m3/s, downwards)",
    "eps_P": "resistance to Pacific sinking (eps_P, 1/s, upwards)",
}
"""The settings that are asked about."""

_MOST_RUNS = 9
_LEAST_RUNS = 3
_SCAN = 1.04
"""Factor between the values at which no regime may have changed before the threshold."""

_CLOSE = 0.004
"""Width, as a share, of the bracket that the answer is the middle of."""


class _Threshold(NamedTuple):
    """Where a regime changes.

    Attributes:
        at: The middle of where it can be answered to be.
        shown: A value beyond, at which it has changed.
        runs: That doubling and bisection take, with that of the settings as they are.
    """

    at: float
    shown: float
    runs: int


def sixbox(rng: Random, difficulty: str) -> Fields:
    """How far can a setting go until the sinking in one of the basins is another one?"""
    experiment = first_fitting(lambda: _drawn(rng, _LEVELS[difficulty]))
    return document(rng, difficulty, _LOOKS, experiment)


def _drawn(rng: Random, level: _Strictness) -> Experiment | None:
    new = dict(PRESETS[rng.choice(tuple(PRESETS))])
    base = {**preset(), **new}
    for each in PARAMETERS:
        if each.name in _DRAWN and rng.random() < _HOW_MANY / len(_DRAWN):
            value = float(base[each.name]) * rng.uniform(1.0 - _SPREAD, 1.0 + _SPREAD)
            new[each.name] = significant(min(max(value, each.low), each.high))
    name = rng.choice(tuple(_SAYS))
    known = next(each for each in QUESTIONS if each.parameter == name)
    question = replace(known, which="any")
    settings: Settings = {**base, **new}
    before = regimes_of(settings)
    found = None if before is None else _threshold(question, settings, before, level)
    if before is None or found is None:
        return None
    after = regimes_of({**settings, name: found.shown})
    return None if after is None else _experiment(question, new, before, after, found, level)


def _threshold(
    question: ThresholdQuestion, settings: Settings, before: Regimes, level: _Strictness
) -> _Threshold | None:
    """The threshold; None where there is none, several, or the rule's answer is not near it."""
    answer = by_rule(question, settings)
    if not isinstance(answer.at, float) or not _LEAST_RUNS <= answer.runs + 1 <= _MOST_RUNS:
        return None

    def changes(value: float) -> bool:
        return changed(before, regimes_of({**settings, question.parameter: value}), question.which)

    start, way = float(settings[question.parameter]), question.directions[0]
    outward = _SCAN if way is Direction.UP else 1.0 / _SCAN
    same, changing = start, publish(start * outward)
    while not changes(changing):
        if (changing - answer.at) * (answer.at - start) > 0.0:
            return None
        same, changing = changing, publish(changing * outward)
    while abs(changing - same) > _CLOSE * changing:
        middle = publish((same + changing) / 2.0)
        same, changing = (same, middle) if changes(middle) else (middle, changing)
    # A bracket of 5 % ends up to so much beyond the threshold.
    at = significant((changing + changing * (1.05 if way is Direction.UP else 1 / 1.05)) / 2.0)
    shown = significant(at * outward)
    apart = max(answer.at / at, at / answer.at)
    if apart > 1.0 + 0.9 * (level.factor - 1.0) or not changes(shown):
        return None
    return _Threshold(at, shown, answer.runs + 1)


def _experiment(
    question: ThresholdQuestion,
    new: Mapping[str, Value],
    before: Regimes,
    after: Regimes,
    found: _Threshold,
    level: _Strictness,
) -> Experiment:
    name, runs = question.parameter, found.runs + level.spare_runs
    basin, regime = ("A", after.a) if after.a != before.a else ("P", after.p)
    between = significant((float({**preset(), **new}[name]) + found.at) / 2.0)
    return Experiment(
        name="threshold",
        title="When the sinking is another one",
        block={
            "model": SIXBOX.id,
            "settings": dict(new),
            "tunable": [name],
            "price": {"eur_per_run": 0.25, "kwh_per_h": 0.5},
            "show": ["D_A", "D_P", "M_A", "M_P"],
        },
        goal=[
            {"submitted": {"name": "threshold", "equals": found.at, "factor": level.factor}},
            {"operation": {"apparatus": RIG, "status": "completed", "count": _LEAST_RUNS}},
            _shown(f"regime_{basin}", regime),
        ],
        says=(
            f"On the {{{RIG}}} a run ends with a regime of sinking in either basin: 3 to the "
            f"bottom, 2 to middle depths, 1 none. With which {_SAYS[name]} is one of them first "
            "another one than with the settings as they are? Show it by runs, and answer with "
            f"SUBMIT threshold=NUMBER, right within a factor of {level.factor:g}. You have {runs} "
            "runs."
        ),
        limits={"runs": runs},
        runs=runs,
        commands=[
            *run(),
            *run(f"{name}={between:g}"),
            *run(f"{name}={found.shown:g}"),
            f"SUBMIT threshold={found.at:g}",
        ],
    )


def _shown(result: str, regime: int) -> Fields:
    return {
        "measured": {"apparatus": RIG, "result": result, "equals": regime, "from": "any"},
    }
