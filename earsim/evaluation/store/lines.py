"""Files beside a run that are appended to: a record a line (JSON Lines).

A torn last line is what is left of a record that was on its way when its writer was killed: it is
forgotten when the file is read, and gives way when something is appended.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.model import FileModel

Record = TypeVar("Record", bound=FileModel)


def read_lines(path: Path, model: type[Record]) -> Iterator[Record]:
    """The records of a file; none where there is no file.

    Raises:
        FileError: A line that is not torn is no such record.
    """
    if not path.exists():
        return
    *whole, _ = path.read_bytes().split(b"\n")
    for number, raw in enumerate(whole, start=1):
        text = raw.decode("utf-8", errors="replace")
        yield validated(parse_json(text, f"{path}, line {number}"), model)


def as_line(record: FileModel) -> bytes:
    """A record as a line, in ASCII."""
    data = record.model_dump(mode="json", by_alias=True)
    return f"{json.dumps(data, separators=(',', ':'))}\n".encode("ascii")


def append_lines(path: Path, records: Iterable[FileModel]) -> None:
    """Append records, in one write; a torn last line gives way.

    Raises:
        OSError: The disk is full, or the file may not be written.
    """
    data = b"".join(map(as_line, records))
    if not data:
        return
    with path.open("ab+", buffering=0) as file:
        whole = path.read_bytes().rfind(b"\n") + 1
        if file.seek(0, 2) != whole:
            file.truncate(whole)
        file.write(data)
