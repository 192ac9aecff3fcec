"""Family `dry`: a function is filled in whose answers come from a solver of EAR-Sim."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.errors import UsageError
from earsim.registry import Registry
from earsim_generators.families.draft import Fields
from earsim_generators.families.dry.gas import gas
from earsim_generators.families.dry.loop import loop
from earsim_generators.families.dry.moisture import moisture
from earsim_generators.families.dry.problem import DrawnProblem, desk_scene
from earsim_generators.families.dry.slab import slab

PROBLEMS: Registry[Callable[[Random], DrawnProblem | None]] = Registry(
    "problem",
    {"slab": slab, "gas": gas, "loop": loop, "moisture": moisture},
)
"""What draws a problem; None where the numbers drawn are good for none."""


def dry(rng: Random, difficulty: str) -> Fields:
    """A scene with a dry bench and one of `PROBLEMS` on it, each as often as the others.

    Raises:
        UsageError: The walkthrough's code could not be executed here.
    """
    if reached().level < DEMAND.level:
        raise UsageError(
            f"family dry has code executed, and the sandbox here reaches level {reached().level:d} "
            f"of {DEMAND.level}: see earsim doctor --sandbox"
        )
    return desk_scene(rng, difficulty, PROBLEMS[rng.choice(tuple(PROBLEMS))])
