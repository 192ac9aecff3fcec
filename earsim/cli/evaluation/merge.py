"""`earsim merge`: the shards of an evaluation as one run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.screen import Screen, examples, safe
from earsim.evaluation.runs.merge import merge

EXAMPLES = examples("earsim merge runs/sweep-shard*of8 --out runs/sweep")


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of `earsim eval`.")],
    out: Annotated[Path, typer.Option(help="Folder of the merged run; may exist.")],
) -> None:
    """Put runs together. An episode that stands in several counts once."""
    merged = merge(runs, out)
    repeated = f", {merged.repeated:,} stood in several" if merged.repeated else ""
    told = f"{merged.episodes:,} of {merged.planned:,} episodes in {out}{repeated}"
    Screen().say(safe(told))
