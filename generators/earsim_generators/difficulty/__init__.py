"""Difficulty: measured, and asked for by band."""

from earsim_generators.difficulty.measurement import lookalikes, measure
from earsim_generators.difficulty.measures import BANDS, Band, Measures, band_of, score

__all__ = ["BANDS", "Band", "Measures", "band_of", "lookalikes", "measure", "score"]
