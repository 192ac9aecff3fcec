"""Resolution of a slab, `heat1d/1`: a flux to a tolerance, for a budget."""

from __future__ import annotations

from random import Random

import numpy as np

from earsim.apparatus.heat1d import HEAT1D
from earsim.apparatus.heat1d.equations import END_S, Conditions
from earsim.apparatus.heat1d.exact import flux
from earsim.apparatus.heat1d.reference import CONDITIONS, LEAST_DIFFERENCE, LOGARITHMIC
from earsim.apparatus.parameter import defaults
from earsim_generators.families.apparatus.grids import SLACK, Rung, rung
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
    "Plate bench", "Bench key", "Brick sample", "thickness_mm", 85.0, (1.2, 0.8, 0.9)
)
_FINEST = {"easy": 32, "medium": 64, "hard": 128}
_COARSEST = 8
_BEYOND = 4
"""The finest grid that can be set, over the one that is wanted."""

_FLUX_OVER_TOLERANCE = 2.0
"""A second-order error is 4/3 of the difference from twice as many cells."""


def heat1d(rng: Random, difficulty: str) -> Fields:
    """Find a grid that is fine enough without paying for finer ones, and tell the flux."""
    experiment = first_fitting(lambda: _drawn(rng, difficulty))
    return document(rng, difficulty, _LOOKS, experiment)


def _drawn(rng: Random, difficulty: str) -> Experiment | None:
    conditions = _conditions(rng)
    settings = {**defaults(HEAT1D.parameters), **conditions}
    if abs(conditions["T_init"] - conditions["T_inf"]) < LEAST_DIFFERENCE:
        return None
    sizes = [_COARSEST]
    while sizes[-1] < _FINEST[difficulty]:
        sizes.append(2 * sizes[-1])
    found = rung(HEAT1D, settings, sizes, SLACK[difficulty])
    if found is None:
        return None
    truth = flux(Conditions.of(settings), END_S)
    within = significant(_FLUX_OVER_TOLERANCE * found.tolerance * abs(truth))
    end = HEAT1D.finish({**settings, "n": found.n}).state
    told = float(HEAT1D.results(end)["flux_wpm2"] or 0.0)
    if abs(told - truth) > 0.9 * within or abs(truth) < 1.0:
        return None
    return _experiment(conditions, found, truth, within, told)


def _conditions(rng: Random) -> dict[str, float]:
    """Drawn uniformly within the bounds of the model, h in its logarithm."""
    drawn = {}
    for each in HEAT1D.parameters:
        if each.name in LOGARITHMIC:
            low, high = np.log(each.low), np.log(each.high)
            drawn[each.name] = significant(float(np.exp(rng.uniform(low, high))))
        elif each.name in CONDITIONS:
            drawn[each.name] = significant(rng.uniform(each.low, each.high))
    return drawn


def _experiment(
    conditions: dict[str, float], found: Rung, truth: float, within: float, told: float
) -> Experiment:
    return Experiment(
        name="flux",
        title="What flows through a wall",
        block={
            "model": HEAT1D.id,
            "settings": {**conditions, "n": _COARSEST},
            "bounds": {"n": [_COARSEST, _BEYOND * found.n]},
            "tunable": ["n"],
            "price": {"eur_per_mflop": found.budget.price},
            "show": ["flux_wpm2", "wall_c"],
        },
        goal=[
            *found.goal,
            {"submitted": {"name": "flux", "equals": significant(truth, 8), "within": within}},
        ],
        says=(
            f"Choose the cells n of the {{{RIG}}} so that its last run has an error of "
            f"{found.tolerance:g} at most, and answer with SUBMIT flux=NUMBER what it tells as "
            f"flux_wpm2. {found.budget.says}"
        ),
        limits=found.budget.limits,
        runs=6,
        commands=[*run(f"n={found.n}"), f"SUBMIT flux={told:g}"],
    )
