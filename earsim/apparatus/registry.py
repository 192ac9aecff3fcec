"""The models that a scene can name."""

from __future__ import annotations

from earsim.apparatus.model import Model
from earsim.registry import Lazy, Registry

MODELS: Registry[Model] = Registry(
    "model",
    {
        "maglev/1": Lazy("earsim.apparatus.maglev:MAGLEV"),
        "levitation/1": Lazy("earsim.apparatus.levitation:LEVITATION"),
        "heat1d/1": Lazy("earsim.apparatus.heat1d:HEAT1D"),
        "euler1d/1": Lazy("earsim.apparatus.euler1d:EULER1D"),
        "ns2d/1": Lazy("earsim.apparatus.ns2d:NS2D"),
        "sixbox/1": Lazy("earsim.apparatus.sixbox:SIXBOX"),
        "python/1": Lazy("earsim.apparatus.bodies:PYTHON"),
        "octave/1": Lazy("earsim.apparatus.bodies:OCTAVE"),
        "wet_bench/1": Lazy("earsim.apparatus.wet_bench:WET_BENCH"),
        "dry_bench/1": Lazy("earsim.apparatus.dry_bench:DRY_BENCH"),
        "library/1": Lazy("earsim.apparatus.library:LIBRARY"),
        "figures/1": Lazy("earsim.apparatus.figures:FIGURES"),
    },
)
