"""`python -m earsim_generators.bench RECIPE FOLDER`: build a benchmark from its recipe."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from earsim.errors import EarSimError
from earsim_generators.bench.builder import build
from earsim_generators.bench.recipe import load_recipe, paraphrases_in


def main(arguments: Sequence[str] | None = None) -> int:
    """Build it, and say what it holds."""
    options = _parser().parse_args(arguments)
    try:
        recipe = load_recipe(options.recipe)
        words = paraphrases_in(options.paraphrases or options.recipe.parent, recipe)
        told = build(recipe, options.folder, jobs=options.jobs, paraphrases=words)
    except EarSimError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    for name, suite in told["suites"].items():
        sys.stdout.write(f"{name}: {suite['scenarios']:,} scenarios, sha256 {suite['sha256']}\n")
    sys.stdout.write(f"rejected: {100 * told['rejection_share']:.1f} % of what was proposed\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m earsim_generators.bench", description="Build a benchmark from its recipe."
    )
    parser.add_argument("recipe", type=Path, help="YAML file")
    parser.add_argument("folder", type=Path, help="where the suites go")
    parser.add_argument(
        "--paraphrases", type=Path, help="folder of paraphrases; that of the recipe without"
    )
    parser.add_argument("--jobs", type=int, help="processes; all cores without")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
