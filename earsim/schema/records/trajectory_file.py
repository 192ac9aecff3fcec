"""Trajectories as JSON lines: a header, one line per decision, an end; one file per episode.

A file is written top to bottom, so a process that is killed leaves a readable beginning. Such a
torn file is refused by default, and loaded as far as it goes when the caller asks for that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from earsim.atomic import write_atomically
from earsim.errors import FileError, Finding
from earsim.schema.files.document import Document
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import MAX_BYTES, read_text
from earsim.schema.records.trajectory import Trajectory

_END_KEYS = ("result", "memory")


def save_trajectory(trajectory: Trajectory, path: str | Path) -> None:
    """Writes a trajectory; the file appears complete or not at all."""
    write_atomically(Path(path), "".join(trajectory_lines(trajectory)))


def trajectory_lines(trajectory: Trajectory) -> Iterator[str]:
    """The lines of the file, each with its line break."""
    data = trajectory.model_dump(mode="json", by_alias=True)
    steps = data.pop("steps")
    end = {key: data.pop(key) for key in _END_KEYS}
    yield _line({"record": "header", **data})
    for step in steps:
        yield _line({"record": "step", **step})
    if trajectory.result is not None:
        yield _line({"record": "end", **end})


def load_trajectory(
    path: str | Path, *, partial: bool = False, max_bytes: int = 10 * MAX_BYTES
) -> Trajectory:
    """Reads a trajectory.

    With ``partial``, a file that breaks off is accepted too; its ``result`` is then None.

    Raises:
        FileError: The file is no trajectory, or breaks off and ``partial`` is false.
    """
    source = str(path)
    records = _records(read_text(path, max_bytes=max_bytes), source, partial=partial)
    if not records or records[0].value.get("record") != "header":
        found = Finding(source, "", "no header", "expected a trajectory: a header line first", 1)
        raise FileError(source, [found])
    return validated(_joined(records, source, partial=partial), Trajectory)


def _records(text: str, source: str, *, partial: bool) -> list[Document]:
    lines = text.splitlines()
    records: list[Document] = []
    for number, line in enumerate(lines, start=1):
        try:
            records.append(_record(line, source, number))
        except FileError:
            last = number == len(lines)
            if last and partial:
                break
            reason = "the last line is torn" if last else "the line is no record"
            expected = "the writer was interrupted" if last else "expected one JSON object"
            raise FileError(source, [Finding(source, "", reason, expected, number)]) from None
    return records


def _record(line: str, source: str, number: int) -> Document:
    document = parse_json(line, source)
    if not isinstance(document.value, dict):
        raise FileError(source, [Finding(source, "", "not an object", line=number)])
    return document


def _joined(records: list[Document], source: str, *, partial: bool) -> Document:
    """The records as one document, in the shape of the model."""
    data: dict[str, Any] = {}
    steps: list[dict[str, Any]] = []
    lines: dict[tuple[str | int, ...], int] = {(): 1}
    findings: list[Finding] = []
    ended = False
    for number, document in enumerate(records, start=1):
        record = dict(document.value)
        kind = record.pop("record", None)
        findings += document.findings
        if ended or (kind == "header") != (number == 1) or kind not in ("header", "step", "end"):
            findings.append(Finding(source, "", f"unexpected record {kind!r}", "", number))
        elif kind == "step":
            lines["steps", len(steps)] = number
            steps.append(record)
        else:
            lines.update({(key,): number for key in record})
            data.update(record)
        ended = ended or kind == "end"
    if not ended and not partial:
        expected = "the episode was cut short; load it with partial=True"
        findings.append(Finding(source, "", "no end record", expected, len(records)))
    return Document(source, {**data, "steps": steps}, lines, tuple(findings))


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n"
