"""Family `apparatus`: a rig or a solver is got ready, and answers what it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from earsim.registry import Registry
from earsim_generators.families.apparatus.euler1d import euler1d
from earsim_generators.families.apparatus.heat1d import heat1d
from earsim_generators.families.apparatus.levitation import levitation
from earsim_generators.families.apparatus.maglev import maglev
from earsim_generators.families.apparatus.ns2d import ns2d
from earsim_generators.families.apparatus.sixbox import sixbox
from earsim_generators.families.draft import Fields

MODELS: Registry[Callable[[Random, str], Fields]] = Registry(
    "model",
    {
        "maglev/1": maglev,
        "levitation/1": levitation,
        "heat1d/1": heat1d,
        "euler1d/1": euler1d,
        "ns2d/1": ns2d,
        "sixbox/1": sixbox,
    },
)
"""What draws the scenes about a model, by the model's id."""


def apparatus(rng: Random, difficulty: str) -> Fields:
    """A scene about one of `MODELS`, each as often as the others."""
    return MODELS[rng.choice(tuple(MODELS))](rng, difficulty)
