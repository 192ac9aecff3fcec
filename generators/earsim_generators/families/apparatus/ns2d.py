"""Resolution of a wind tunnel, `ns2d/1`: an error within a tolerance of a stored curve."""

from __future__ import annotations

import math
from random import Random

from earsim.apparatus.ns2d import NS2D
from earsim.apparatus.ns2d.curves import LEVELS, PROFILES, RESOLUTIONS, CurvePoint, curve, levels
from earsim.apparatus.parameter import Value
from earsim_generators.families.apparatus.grids import SLACK, Budget
from earsim_generators.families.apparatus.station import (
    RIG,
    BenchLooks,
    Experiment,
    document,
    first_fitting,
    run,
)
from earsim_generators.families.draft import Fields

_LOOKS = BenchLooks(
    "Wind tunnel", "Fan key", "Tunnel model", "thickness_mm", 480.0, (4.0, 1.2, 1.8)
)
_ACCURACY = {"easy": "low", "medium": "medium", "hard": "medium"}


def ns2d(rng: Random, difficulty: str) -> Fields:
    """Find a resolution that is fine enough without paying for one that is much finer."""
    experiment = first_fitting(lambda: _drawn(rng, difficulty))
    return document(rng, difficulty, _LOOKS, experiment)


def _drawn(rng: Random, difficulty: str) -> Experiment | None:
    """A profile whose curve has the level of accuracy; None where it is not resolved."""
    shape, reynolds = rng.choice(PROFILES)
    accuracy = _ACCURACY[difficulty]
    tolerance = levels(shape, reynolds).get(accuracy)
    if tolerance is None:
        return None
    points = curve(shape, reynolds)
    tried = [point for point in points if point.resolution <= LEVELS[accuracy]]
    budget = Budget.of(SLACK[difficulty] * math.fsum(point.cost for point in tried))
    if _refined(points, tried[-1]).cost < budget.units:
        return None
    settings: dict[str, Value] = {"boundary": shape, "reynolds": reynolds}
    return _experiment(
        {**settings, "resolution": tried[0].resolution}, tried[-1], tolerance, budget
    )


def _refined(points: tuple[CurvePoint, ...], wanted: CurvePoint) -> CurvePoint:
    """The first stored point of at least twice the resolution."""
    return next(point for point in points if point.resolution >= 2 * wanted.resolution)


def _experiment(
    settings: dict[str, Value], wanted: CurvePoint, tolerance: float, budget: Budget
) -> Experiment:
    return Experiment(
        name="wake",
        title="Flow past a model",
        block={
            "model": NS2D.id,
            "settings": settings,
            "bounds": {"resolution": [RESOLUTIONS[0], RESOLUTIONS[-1]]},
            "tunable": ["resolution"],
            "levels": {"resolution": list(RESOLUTIONS)},
            "price": {"eur_per_mflop": budget.price},
            "show": ["max_speed", "courant"],
        },
        goal=[
            {"measured": {"apparatus": RIG, "result": "error", "at_most": tolerance}},
            {"spent": {"account": "eur", "at_most": budget.eur}},
        ],
        says=(
            f"Choose the resolution of the {{{RIG}}} so that its last run has an error of "
            f"{tolerance:g} at most. {budget.says}"
        ),
        limits=budget.limits,
        runs=4,
        commands=run(f"resolution={wanted.resolution}"),
    )
