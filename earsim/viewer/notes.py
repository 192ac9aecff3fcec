"""Notes and labels as the page shows and writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from earsim.evaluation.annotations import Annotation, add_annotations, load_annotations
from earsim.evaluation.report.annotation_tables import agreement
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.tables.document import Table
from earsim.viewer.run import Run


def notes(runs: Sequence[Run]) -> dict[str, Any]:
    """The annotations of all runs, each with the number of its run, and their agreement.

    Raises:
        FileError: Those of a run cannot be read.
    """
    found = [load_annotations(run.path) for run in runs]
    return {
        "annotations": [
            {"run": number, **_told(each)} for number, of in enumerate(found) for each in of
        ],
        "agreement": table_data(agreement(found)),
    }


def add_note(run: Run, text: str) -> None:
    """Write an annotation that the page has sent.

    Raises:
        FileError: It is none, or about something that the run does not have.
        OSError: It cannot be written.
    """
    annotation = validated(parse_json(text, "the annotation"), Annotation)
    add_annotations(run.path, [annotation], "the annotation")


def _told(each: Annotation) -> dict[str, Any]:
    return each.model_dump(mode="json", exclude={"schema_", "withdrawn"})


def table_data(table: Table) -> dict[str, Any]:
    """A table of a report as JSON values."""
    return {
        "title": table.title,
        "head": list(table.texts_of_head),
        "texts": table.texts,
        "note": table.note,
        "rows": [{"cells": list(table.texts_of(row)), "strong": row.strong} for row in table.rows],
    }
