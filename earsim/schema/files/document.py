"""A parsed file before it is validated: plain values, and the line of each place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from earsim.errors import Finding

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """What a YAML or JSON text says.

    Attributes:
        source: Name of the file for messages.
        value: Dictionaries, lists, text, numbers, booleans and None.
        lines: Line, from 1, of each place that has one.
        findings: What is wrong with the text although it could be parsed, such as repeated keys.
    """

    source: str
    value: Any
    lines: dict[Path, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    def line(self, path: Path) -> int | None:
        """Line of the innermost known place on the way to ``path``."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return None


def show_path(path: Path) -> str:
    """A path as people write it: ``objects[3].mass_kg``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text
