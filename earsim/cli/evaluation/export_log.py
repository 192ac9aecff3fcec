"""`earsim export-log`: a run in the log format of another evaluation tool."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, examples, line
from earsim.evaluation.formats.inspect_log import write_inspect_log
from earsim.evaluation.formats.lm_eval import write_lm_eval
from earsim.evaluation.formats.recorded import recorded_cells
from earsim.evaluation.formats.trajectories import write_trajectories
from earsim.evaluation.store.database import Store

EXAMPLES = examples(
    "earsim export-log runs/small",
    "earsim export-log runs/small --to lm-eval --out results",
    "earsim export-log runs/starter-random-1 --to trajectories --out trajectories",
)


class Tool(StrEnum):
    """Whose format it is."""

    INSPECT = "inspect"
    LM_EVAL = "lm-eval"
    TRAJECTORIES = "trajectories"


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    to: Annotated[
        Tool,
        typer.Option(
            help="inspect: .eval logs; lm-eval: results and samples; trajectories: our own, "
            "a file per episode."
        ),
    ] = Tool.INSPECT,
    out: Annotated[Path, typer.Option(help="Folder for the files.")] = Path("logs"),
) -> None:
    """Write a run as inspect_ai or lm-evaluation-harness would have, or as trajectories."""
    screen = Screen()
    written = 0
    if to is Tool.TRAJECTORIES:
        for _ in write_trajectories(run, out):
            written += 1
        screen.say(line(f"{written:,} {'trajectory' if written == 1 else 'trajectories'} in {out}"))
        if not written:
            raise typer.Exit(Code.NO)
        return
    with Store.open(run, readonly=True) as store:
        for cell in recorded_cells(run, store):
            out.mkdir(parents=True, exist_ok=True)
            if to is Tool.INSPECT:
                path = out / f"{cell.cell.name}.eval"
                write_inspect_log(cell, path)
            else:
                path = write_lm_eval(cell, out)
            screen.say(line(f"written: {path}"))
            written += 1
    if not written:
        screen.say("the run has no episodes")
        raise typer.Exit(Code.NO)
