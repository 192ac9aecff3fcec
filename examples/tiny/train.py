"""Train a small language model from scratch on a processor; see README.md beside this file.

    python examples/tiny/train.py --set data.path=rows --out runs/tiny
    earsim train eval runs/tiny --suite direct/test.jsonl.gz --temperature 0.5

It is `earsim train sft` with three additions: a tokenizer made from the rows and a model of random
weights (`runs/tiny/start`), rows whose things have other names, and a trainer of its own. The same
command goes on where one stopped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from earsim.errors import EarSimError
from earsim_training.sft import libraries
from earsim_training.sft.recipe import read_recipe
from tiny_model.training import TinySettings, TinyTraining


def main(arguments: Sequence[str] | None = None) -> int:
    """Train; the exit code is 2 where something is wrong with what was asked for."""
    options = vars(_parser().parse_args(arguments))
    config, folder, assignments, dry_run = map(options.pop, ("config", "out", "set", "dry_run"))
    try:
        libraries.require()
        recipe = read_recipe(config, [f"model.path={folder / 'start'}", *assignments])
        libraries.prepare(recipe.optimisation.threads)
        training = TinyTraining(recipe, folder, TinySettings(**options))
        if training.finished:
            print(f"finished before: {folder}")
            return 0
        print(*training.filtered.report.lines(), sep="\n")
        print(f"{training.model.num_parameters():,} parameters, {type(training.model).__name__}")
        if not dry_run:
            print(f"written: {training.run(lambda told: print(told, flush=True))}")
    except EarSimError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(__file__).with_name("tiny.yaml")
    parser.add_argument("--config", type=Path, default=beside, help="recipe; tiny.yaml by default")
    parser.add_argument("--out", type=Path, default=Path("runs/tiny"), help="run folder")
    parser.add_argument(
        "--set", action="append", default=[], metavar="PLACE=VALUE", help="as earsim train sft"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be learned, and stop"
    )
    for each in fields(TinySettings):
        flag, kind = f"--{each.name.replace('_', '-')}", type(each.default)
        text = f"{each.metadata['help']} (%(default)s)"
        parser.add_argument(flag, type=kind, default=each.default, help=text)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
