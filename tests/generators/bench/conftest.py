"""A benchmark that is made in a second."""

from pathlib import Path

import pytest

from earsim_generators.bench import BenchmarkRecipe, load_recipe
from earsim_generators.bench.builder import build

TINY = """\
schema: earsim.recipe/1
name: tiny
version: 3
canary: tiny canary
seed: 5
preset: small
bands: [easy]
domains: [clinic, home, museum]
held_out: [museum]
parts:
  tiny: {split: test, n: 14}
  tiny-words: {split: test_vocabulary, n: 7}
  tiny-places: {split: test_domain, n: 7}
mini:
  tiny-mini: {of: tiny, n: 7}
"""


@pytest.fixture(scope="session")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> BenchmarkRecipe:
    path = tmp_path_factory.mktemp("recipe") / "recipe.yaml"
    path.write_text(TINY, encoding="utf-8")
    return load_recipe(path)


@pytest.fixture(scope="session")
def built(recipe: BenchmarkRecipe, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the tiny benchmark."""
    folder = tmp_path_factory.mktemp("built")
    build(recipe, folder, jobs=1)
    return folder
