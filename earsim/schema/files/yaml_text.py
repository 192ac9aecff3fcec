"""YAML as we accept it: the core schema of YAML 1.2, without aliases and tags.

PyYAML's own loader reads YAML 1.1, where ``on`` is true and ``12:30`` a number, lets aliases blow
up a small file, keeps the last of repeated keys and recurses over nesting. So only its parser is
used here; values are built from the events, one after the other.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from earsim.errors import FileError, Finding
from earsim.ids import printable
from earsim.schema.files.document import Document, Path, show_path

MAX_DEPTH = 64
"""How deep collections may nest."""

MAX_FINDINGS = 100

PLAIN_SCALARS: dict[str, re.Pattern[str]] = {
    "null": re.compile(r"(?:~|null|Null|NULL|)\Z"),
    "bool": re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"),
    "int": re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z"),
    "float": re.compile(
        r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
    ),
}
"""What unquoted text is, in the core schema of YAML 1.2; anything else is text."""

_MOST_DIGITS = 400

_Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str, source: str) -> Document:
    """Parses one YAML document.

    Raises:
        FileError: The text is not YAML, or uses aliases, tags or extreme nesting.
    """
    builder = _Builder(source)
    try:
        for event in yaml.parse(text, Loader=_Parser):
            builder.take(event)
    except yaml.YAMLError as error:
        raise FileError(source, [_syntax_finding(error, source)]) from None
    except RecursionError:
        raise FileError(source, [Finding(source, "", "nested too deeply")]) from None
    if builder.fatal:
        raise FileError(source, builder.fatal)
    return Document(source, builder.value, builder.lines, tuple(builder.findings))


def scalar(text: str) -> Any:
    """The value of unquoted text."""
    kind = next((kind for kind, form in PLAIN_SCALARS.items() if form.match(text)), "str")
    match kind:
        case "null":
            return None
        case "bool":
            return text[0] in "tT"
        case "int" if len(text) <= _MOST_DIGITS:
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        case "int":
            return float("inf")  # out of range for every number of ours, and refused as such
        case "float":
            return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return text


class _Frame:
    """A collection that is being filled."""

    __slots__ = ("items", "key", "line", "path")

    def __init__(self, items: dict[str, Any] | list[Any], path: Path, line: int) -> None:
        self.items = items
        self.path = path
        self.line = line
        self.key: str | None = None


class _Builder:
    """Builds the value of a document from parser events."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.value: Any = None
        self.lines: dict[Path, int] = {}
        self.findings: list[Finding] = []
        self.fatal: list[Finding] = []
        self._stack: list[_Frame] = []
        self._documents = 0

    def take(self, event: Any) -> None:
        """Takes the next event; stops building when something cannot be repaired."""
        line = event.start_mark.line + 1
        if len(self.fatal) >= MAX_FINDINGS:
            raise FileError(self.source, self.fatal)
        if isinstance(event, yaml.ScalarEvent):
            self._reject_extras(event, line)
            plain = event.implicit[0]
            self._put(scalar(event.value) if plain else event.value, event.value, line)
        elif isinstance(event, yaml.MappingStartEvent):
            self._open(event, {}, line)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._open(event, [], line)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._stack.pop()
        elif isinstance(event, yaml.AliasEvent):
            self._refuse(f"the alias *{event.anchor}", "aliases are not allowed", line)
            self._put(None, "", line)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._refuse("a second document", "one document per file", line)
                raise FileError(self.source, self.fatal)

    def _open(self, event: Any, items: dict[str, Any] | list[Any], line: int) -> None:
        self._reject_extras(event, line)
        if len(self._stack) >= MAX_DEPTH:
            self._refuse("nested too deeply", f"at most {MAX_DEPTH} levels", line)
            raise FileError(self.source, self.fatal)
        path = self._put(items, None, line)
        self._stack.append(_Frame(items, path, line))

    def _put(self, value: Any, text: str | None, line: int) -> Path:
        """Puts a value where it belongs; returns its path. ``text`` is None for a collection."""
        if not self._stack:
            self.value = value
            self.lines[()] = line
            return ()
        frame = self._stack[-1]
        if isinstance(frame.items, list):
            path = (*frame.path, len(frame.items))
            frame.items.append(value)
        elif frame.key is None:
            frame.key = self._key(frame, text, line)
            return (*frame.path, frame.key)
        else:
            path = (*frame.path, frame.key)
            frame.items.setdefault(frame.key, value)
            frame.key = None
        self.lines.setdefault(path, line)
        return path

    def _key(self, frame: _Frame, text: str | None, line: int) -> str:
        if text is None:
            self._refuse("a list or dictionary as key", "keys are plain text", line)
            raise FileError(self.source, self.fatal)
        if text in frame.items:
            place = show_path((*frame.path, text))
            first = self.lines.get((*frame.path, text))
            reason = f"the key is repeated (first on line {first})"
            if len(self.findings) < MAX_FINDINGS:
                finding = Finding(self.source, printable(place), reason, "keys are unique", line)
                self.findings.append(finding)
        return text

    def _reject_extras(self, event: Any, line: int) -> None:
        if event.anchor is not None:
            self._refuse(f"the anchor &{event.anchor}", "anchors are not allowed", line)
        if event.tag is not None:
            self._refuse(f"the tag {event.tag}", "tags are not allowed", line)

    def _refuse(self, reason: str, expected: str, line: int) -> None:
        place = show_path(self._stack[-1].path) if self._stack else ""
        finding = Finding(self.source, printable(place), printable(reason), expected, line)
        self.fatal.append(finding)


def _syntax_finding(error: yaml.YAMLError, source: str) -> Finding:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark is not None else None
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return Finding(source, "", f"not YAML: {printable(str(reason))}", "", line)
