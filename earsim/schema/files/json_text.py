"""JSON as we accept it: repeated keys are findings, and nothing in it can crash the reader."""

from __future__ import annotations

import json
from typing import Any

from earsim.errors import FileError, Finding
from earsim.ids import printable
from earsim.schema.files.document import Document, Path
from earsim.schema.files.yaml_text import parse_yaml


def parse_json(text: str, source: str) -> Document:
    """Parses a JSON text. Lines of places are not known; see `find_lines`.

    Raises:
        FileError: The text is not JSON.
    """
    repeated: list[str] = []

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        items = dict(pairs)
        if len(items) < len(pairs):
            names = [name for name, _ in pairs]
            repeated.extend(name for name in items if names.count(name) > 1)
        return items

    try:
        value = json.loads(text, object_pairs_hook=build)
    except json.JSONDecodeError as error:
        if not text.strip():
            return Document(source, None)
        finding = Finding(source, "", f"not JSON: {error.msg}", "", error.lineno)
        raise FileError(source, [finding]) from None
    except RecursionError:
        raise FileError(source, [Finding(source, "", "nested too deeply")]) from None
    except ValueError:  # an integer of thousands of digits
        raise FileError(source, [Finding(source, "", "a number is out of range")]) from None
    findings = tuple(
        Finding(source, "", f"the key {printable(name)!r} is repeated", "keys are unique")
        for name in repeated[:100]
    )
    return Document(source, value, {}, findings)


def find_lines(text: str, source: str) -> dict[Path, int]:
    """Lines of the places in a JSON text; empty when they cannot be told.

    JSON is all but a subset of YAML, so the parser that keeps lines is asked, for messages only.
    """
    try:
        return parse_yaml(text, source).lines
    except FileError:
        return {}
