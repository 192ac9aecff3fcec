"""Edits of files that somebody wrote: something is put in, and every other byte stays.

A file is edited as text, at a place that the YAML parser names, since writing it anew would lose
its comments and its layout. The result is read back: it must say what the file said before, and
what was put in, or else nothing is written.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from earsim.atomic import replacing
from earsim.errors import FileError, Finding, UsageError
from earsim.schema.files.document import show_path
from earsim.schema.files.load import parse_file
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml

Walkthrough = Sequence[str | Mapping[str, str]]
"""A plan as a task file has it: a command per decision, or one by agent."""

_KEY = "walkthrough"


def write_walkthrough(path: Path, task: str, plan: Walkthrough, *, force: bool = False) -> None:
    """Put a plan into a task of a scene or scenario file.

    Raises:
        FileError: The file is broken, holds a walkthrough already and ``force`` is not set, or
            is laid out in a way in which nothing can be put in safely.
    """
    text = _text(path)
    value = parse_yaml(text, str(path)).value
    root = _compose(text, path)
    if "tasks" in value:
        index = next(at for at, each in enumerate(value["tasks"]) if each["id"] == task)
        where: tuple[str | int, ...] = ("tasks", index)
        node, entry = _child(root, "tasks").value[index], value["tasks"][index]
    else:
        where, node, entry = ("task",), _child(root, "task"), value["task"]
    if entry.get(_KEY) and not force:
        line = parse_yaml(text, str(path)).line((*where, _KEY))
        place, reason = show_path((*where, _KEY)), "the task has a walkthrough already"
        finding = Finding(str(path), place, reason, "--force replaces it", line)
        raise FileError(str(path), [finding])
    entry[_KEY] = [each if isinstance(each, str) else dict(each) for each in plan]
    _save(path, _with_walkthrough(text, node, entry[_KEY]), value)


def append_task(path: Path, task: str) -> None:
    """Put a task behind the others of a scene file.

    Args:
        path: the file.
        task: YAML of a list with one task, not indented.

    Raises:
        FileError: The file is broken, or is laid out in a way in which nothing can be put in.
    """
    text = _text(path)
    value = parse_yaml(text, str(path)).value
    newline = _newline(text)
    entries = _child(_compose(text, path), "tasks")
    if entries is None:
        text = text + ("" if text.endswith("\n") else newline)
        at, block = len(text), "tasks:\n" + textwrap.indent(task, "  ")
    elif not entries.value:
        start, stop = entries.start_mark.index, entries.end_mark.index
        text = text[:start].rstrip(" ") + text[stop:]
        at, text = _line_end(text, len(text[:start].rstrip(" ")))
        block = textwrap.indent(task, "  ")
    elif entries.flow_style:
        reason = "the tasks stand in brackets"
        finding = Finding(str(path), "tasks", reason, "write them as a list with dashes first")
        raise FileError(str(path), [finding])
    else:
        at, text = _line_end(text, _end(entries, text))
        block = textwrap.indent(task, " " * entries.start_mark.column)
    value["tasks"] = [*(value.get("tasks") or ()), *parse_yaml(task, "task").value]
    _save(path, text[:at] + block.replace("\n", newline) + text[at:], value)


def _with_walkthrough(text: str, task: Any, plan: list[Any]) -> str:
    """The text with a plan in the task at a node, in the layout of that node."""
    newline = _newline(text)
    lines = [json.dumps(each, ensure_ascii=False) for each in plan]
    inline = f"[{', '.join(lines)}]"
    old = next((pair for pair in task.value if pair[0].value == _KEY), None)
    if task.flow_style:
        if old is not None:
            return text[: old[1].start_mark.index] + inline + text[old[1].end_mark.index :]
        before = text[: _end(task.value[-1][1], text)]
        return f'{before}, "{_KEY}": {inline}{text[len(before) :]}'
    indent: str = " " * task.start_mark.column
    block = newline.join((f"{_KEY}:", *(f"{indent}  - {each}" for each in lines)))
    if old is not None:
        return text[: old[0].start_mark.index] + block + text[_end(old[1], text) :]
    at, text = _line_end(text, _end(task, text))
    return text[:at] + indent + block + newline + text[at:]


def _end(node: Any, text: str) -> int:
    """Where the text of a node ends; the parser counts comments behind a block to the block."""
    while not isinstance(node, yaml.ScalarNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return len(text[: node.end_mark.index].rstrip())


def _line_end(text: str, at: int) -> tuple[int, str]:
    """Where the next line begins, and the text, which has a line end there in any case."""
    stop = text.find("\n", at)
    if stop >= 0:
        return stop + 1, text
    text += _newline(text)
    return len(text), text


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _text(path: Path) -> str:
    """The text of a file without findings."""
    text = read_text(path)
    parse_file(path, text)
    return text


def _compose(text: str, path: Path) -> Any:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        raise _unfit(path) from None


def _child(node: Any, key: str) -> Any:
    return next((value for name, value in node.value if name.value == key), None)


def _save(path: Path, text: str, value: Any) -> None:
    """Write the text, if it says what is wanted and the file can be loaded."""
    try:
        told = parse_yaml(text, str(path)).value
    except FileError:
        told = None
    if told != value:
        raise _unfit(path)
    parse_file(path, text)
    mark = b"\xef\xbb\xbf" if path.read_bytes().startswith(b"\xef\xbb\xbf") else b""
    with replacing(path) as partial:
        partial.write_bytes(mark + text.encode("utf-8"))


def _unfit(path: Path) -> UsageError:
    return UsageError(f"{path}: its layout is too unusual to put something in; do it by hand")
