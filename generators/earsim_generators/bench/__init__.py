"""Benchmarks: suites of a fixed name and version, built from a recipe in the repository."""

from earsim_generators.bench.recipe import BenchmarkRecipe, Mini, SuitePart, load_recipe

__all__ = ["BenchmarkRecipe", "Mini", "SuitePart", "load_recipe"]
