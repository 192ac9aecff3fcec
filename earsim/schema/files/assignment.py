"""Assignments such as `models.0.options.temperature=0.2`, as `--set` takes them."""

from __future__ import annotations

from typing import Any

from earsim.errors import FileError, UsageError
from earsim.schema.files.yaml_text import parse_yaml


def assign(data: dict[str, Any], assignment: str) -> None:
    """Change a value in nested dictionaries and lists; what is missing on the way is added.

    Raises:
        UsageError: It cannot be read, or leads nowhere.
    """
    place, equals, text = assignment.partition("=")
    keys = place.strip().split(".")
    if not equals or not all(keys):
        raise UsageError(f"--set {assignment}: expected PLACE=VALUE, such as repeats=3")
    inner: Any = data
    try:
        for key in keys[:-1]:
            inner = inner.setdefault(key, {}) if isinstance(inner, dict) else inner[int(key)]
        inner[keys[-1] if isinstance(inner, dict) else int(keys[-1])] = _value(text)
    except (LookupError, ValueError, TypeError):
        raise UsageError(f"--set {assignment}: there is no place {place!r}") from None


def _value(text: str) -> Any:
    """A value as YAML has it, so that numbers, lists and null are what they look like."""
    try:
        return parse_yaml(text, "--set").value
    except FileError:
        return text
