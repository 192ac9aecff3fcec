"""Difficulty: measured, and asked for by band."""

from earsim_generators.difficulty.measures import BANDS, Band, Measures, band_of, score
from earsim_generators.difficulty.measuring import lookalikes, measure

__all__ = ["BANDS", "Band", "Measures", "band_of", "lookalikes", "measure", "score"]
