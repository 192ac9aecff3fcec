"""Reading a sweep: a file, and assignments such as `models.0.options.temperature=0.2` on top."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from earsim.errors import FileError, UsageError
from earsim.evaluation.runs.sweep import Sweep
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
        _assign(data, assignment)
    return validated(Document(FLAGS, data), Sweep)


def _document(path: Path) -> Document:
    text = read_text(path)
    return (parse_json if path.suffix == ".json" else parse_yaml)(text, str(path))


def _assign(data: dict[str, Any], assignment: str) -> None:
    place, equals, text = assignment.partition("=")
    keys = place.strip().split(".")
    if not equals or not all(keys):
        raise UsageError(f"--set {assignment}: expected PLACE=VALUE, such as repeats=3")
    inner: Any = data
    try:
        for key in keys[:-1]:
            inner = _go(inner, key)
        _set(inner, keys[-1], _value(text))
    except (LookupError, ValueError, TypeError):
        raise UsageError(f"--set {assignment}: there is no place {place!r}") from None


def _go(inner: Any, key: str) -> Any:
    if isinstance(inner, dict):
        return inner.setdefault(key, {})
    return inner[int(key)]


def _set(inner: Any, key: str, value: Any) -> None:
    if isinstance(inner, dict):
        inner[key] = value
    else:
        inner[int(key)] = value


def _value(text: str) -> Any:
    """A value as YAML has it, so that numbers, lists and null are what they look like."""
    try:
        return parse_yaml(text, "--set").value
    except FileError:
        return text
