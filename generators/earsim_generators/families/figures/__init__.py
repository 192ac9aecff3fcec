"""Family `figures`: figures drawn from runs of solvers are looked at, and questions answered."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from earsim.registry import Registry
from earsim_generators.families.draft import Fields
from earsim_generators.families.figures.ocean import changing, meanwhile, passing
from earsim_generators.families.figures.question import FigureQuestion, screen_scene
from earsim_generators.families.figures.slab import falling, film, giving

FIGURE_QUESTIONS: Registry[Callable[[Random], FigureQuestion | None]] = Registry(
    "figure question",
    {each.__name__: each for each in (passing, falling, changing, giving, meanwhile, film)},
)
"""What draws a question; None where the runs drawn are good for none."""

ASKED: Final = {
    "easy": ("passing", "falling"),
    "medium": ("changing", "giving"),
    "hard": ("meanwhile", "film"),
}
"""The questions of a difficulty: one curve, one figure of four runs, two figures."""


def figures(rng: Random, difficulty: str) -> Fields:
    """A scene with figures, and a question about them; of the ocean or of slabs, equally often."""
    return screen_scene(rng, difficulty, FIGURE_QUESTIONS[rng.choice(ASKED[difficulty])])
