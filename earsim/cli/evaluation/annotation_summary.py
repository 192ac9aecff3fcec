"""`earsim annotations`: labels that people gave to episodes of runs, and how far they agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.report_screen import show_table
from earsim.cli.screen import Screen, examples, line
from earsim.errors import UsageError
from earsim.evaluation.annotations import (
    ANNOTATIONS,
    add_annotations,
    load_annotations,
    read_annotations,
)
from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.report.annotation_tables import all_tables

EXAMPLES = examples(
    "earsim annotations runs/small",
    "earsim annotations runs/small --add annotations.jsonl",
)


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    add: Annotated[
        Path | None,
        typer.Option(help="Add what was saved from an exported page; for one run."),
    ] = None,
) -> None:
    """Count the labels of `earsim view` by subject, and compare every two annotators.

    Notes and labels lie in RUN/annotations.jsonl.
    """
    screen = Screen()
    if add is not None:
        if len(runs) != 1:
            raise UsageError("--add is for one run: name its folder alone")
        annotations = read_annotations(add)
        add_annotations(runs[0], annotations, str(add))
        screen.say(line(f"added to {runs[0] / ANNOTATIONS}: {len(annotations):,} annotations"))
    if not any(load_annotations(run) for run in runs):
        screen.say("nothing is annotated")
        return
    for table in all_tables(read_groups(runs)):
        show_table(screen, table)
