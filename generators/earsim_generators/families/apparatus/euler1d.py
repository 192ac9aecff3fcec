"""Resolution of a shock tube, `euler1d/1`: an error within a tolerance, for a budget."""

from __future__ import annotations

from random import Random

from earsim.apparatus.euler1d import EULER1D
from earsim.apparatus.euler1d.cases import CASES
from earsim.apparatus.parameter import Value, defaults
from earsim_generators.families.apparatus.grids import SLACK, Rung, rung
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
    "Shock tube", "Arming pin", "Foil cassette", "thickness_mm", 240.0, (3.0, 0.4, 1.2)
)
_FINEST = {"easy": 64, "medium": 128, "hard": 128}
_COARSEST = {"easy": 32, "medium": 32, "hard": 16}
_BEYOND = 4
"""The finest grid that can be set, over the one that is wanted."""


def euler1d(rng: Random, difficulty: str) -> Fields:
    """Find a grid that is fine enough without paying for finer ones."""
    experiment = first_fitting(lambda: _drawn(rng, difficulty))
    return document(rng, difficulty, _LOOKS, experiment)


def _drawn(rng: Random, difficulty: str) -> Experiment | None:
    drawn: dict[str, Value] = {
        "case": rng.choice(tuple(CASES)),
        "cfl": round(rng.uniform(0.15, 0.45), 2),
        "reconstruction": rng.choice(("printed", "kappa")),
        "beta": round(rng.uniform(1.0, 2.0), 1),
    }
    sizes = [_COARSEST[difficulty]]
    while sizes[-1] < _FINEST[difficulty]:
        sizes.append(2 * sizes[-1])
    settings = {**defaults(EULER1D.parameters), **drawn}
    found = rung(EULER1D, settings, sizes, SLACK[difficulty])
    return None if found is None else _experiment({**drawn, "n": sizes[0]}, found)


def _experiment(settings: dict[str, Value], found: Rung) -> Experiment:
    return Experiment(
        name="shock",
        title="A shock and a bill",
        block={
            "model": EULER1D.id,
            "settings": settings,
            "bounds": {"n": [16, _BEYOND * found.n]},
            "tunable": ["n"],
            "price": {"eur_per_mflop": found.budget.price},
            "show": ["density_min", "pressure_max", "speed_max"],
        },
        goal=found.goal,
        says=(
            f"Choose the cells n of the {{{RIG}}} so that its last run is sound and has an error "
            f"of {found.tolerance:g} at most. {found.budget.says}"
        ),
        limits=found.budget.limits,
        runs=6,
        commands=run(f"n={found.n}"),
    )
