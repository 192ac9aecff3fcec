"""Reading a sweep: a file, and assignments such as `models.0.options.temperature=0.2` on top."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from earsim.errors import UsageError
from earsim.evaluation.runs.sweep import Sweep
from earsim.schema.files.assignment import assign
from earsim.schema.files.document import Document
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml

FLAGS = "the command line"


def read_sweep(path: str | Path) -> dict[str, Any]:
    """What a sweep file says, as a dictionary that may be changed.

    Raises:
        FileError: It cannot be read, or is no dictionary.
    """
    document = _document(Path(path))
    if not isinstance(document.value, dict):
        raise UsageError(f"{path} is no sweep: expected a dictionary with `models`, `suites` ...")
    validated(document, Sweep)  # here its lines are still known
    return document.value


def sweep_of(data: dict[str, Any], assignments: Iterable[str] = ()) -> Sweep:
    """The sweep of a dictionary with assignments applied, in their order.

    Raises:
        FileError: Something is wrong in it; all findings at once.
        UsageError: An assignment cannot be read, or leads nowhere.
    """
    for assignment in assignments:
        assign(data, assignment)
    return validated(Document(FLAGS, data), Sweep)


def _document(path: Path) -> Document:
    text = read_text(path)
    return (parse_json if path.suffix == ".json" else parse_yaml)(text, str(path))
