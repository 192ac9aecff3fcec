"""Benchmarks: suites of a fixed name and version, built from a recipe in the repository."""

from earsim_generators.bench.recipe import Mini, Part, Recipe, load_recipe

__all__ = ["Mini", "Part", "Recipe", "load_recipe"]
