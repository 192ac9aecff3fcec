"""Reading files of recordings: lines to records, records to episodes, all in their order."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from earsim.errors import FileError, Finding

Record = Mapping[str, Any]

Found = tuple[int, str, Any, Any]
"""A difference: number of the step, what differs, recorded value, replayed value."""


class Replayed(NamedTuple):
    """What a replay of one episode found."""

    steps: int
    differences: list[Found]


class Recording(NamedTuple):
    """The records of one episode, as they stand in the file."""

    name: str
    records: list[Record]

    @property
    def of_decisions(self) -> bool:
        """Whether this is a recording of the decision level: one record holds all of it."""
        return "decisions" in self.records[0]

    @property
    def steps(self) -> int:
        """How many steps it claims to hold."""
        if self.of_decisions:
            decisions = self.records[0]["decisions"]
            return len(decisions) if isinstance(decisions, list) else 0
        return sum(record.get("t") == "s" for record in self.records)


class CommandRecords(NamedTuple):
    """The records of the command level by their type."""

    head: Record
    steps: Sequence[Record]
    end: Record

    @classmethod
    def sorted_out(cls, records: Sequence[Record]) -> CommandRecords:
        """Tell them apart.

        Raises:
            FileError: They are not one `ep`, steps numbered from 0, and one `end`, in this order.
        """
        types = [record.get("t") for record in records]
        if types[0] != "ep":
            raise misplaced(records[0], f"a record of type {types[0]!r} before any 'ep'")
        if types[-1] != "end" or len(types) < 2:
            raise misplaced(records[0], "the recording breaks off before its 'end'")
        for number, record in enumerate(records[1:-1]):
            if record.get("t") != "s":
                raise misplaced(record, f"a record of type {record.get('t')!r} among the steps")
            check_number(record, number)
        return cls(records[0], records[1:-1], records[-1])


def check_number(record: Record, number: int) -> None:
    """Steps and decisions are numbered without gaps.

    Raises:
        FileError: This one is not.
    """
    if record["i"] != number:
        raise misplaced(record, f"step {record['i']!r} stands where {number} was expected")


def misplaced(record: Record, reason: str) -> FileError:
    """The error for records that are not in order."""
    source = str(record.get("ep", "recording"))
    return FileError(source, [Finding(source, "", reason)])


def recordings(file: Path) -> Iterator[Recording]:
    """The episodes of a file.

    Raises:
        FileError: It cannot be read to its end, or a line is no record.
    """
    open_: Recording | None = None
    for record in _records(file):
        name = str(record.get("ep"))
        starts = record.get("t") == "ep" or "decisions" in record
        if open_ is None or starts or open_.of_decisions or name != open_.name:
            if open_ is not None:
                yield open_
            open_ = Recording(name, [])
        open_.records.append(record)
    if open_ is not None:
        yield open_


def _records(file: Path) -> Iterator[Record]:
    opener = gzip.open if file.suffix == ".gz" else open
    try:
        # Only line feeds end a line here: replies hold other line separators.
        with opener(file, "rt", encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _record(file, number, line)
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise FileError(str(file), [Finding(str(file), "", f"unreadable: {error}")]) from error


def _record(file: Path, number: int, line: str) -> Record:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        finding = Finding(str(file), "", f"not JSON: {error}", line=number)
        raise FileError(str(file), [finding]) from error
    if not isinstance(record, dict):
        finding = Finding(str(file), "", "not a record", "a JSON object", line=number)
        raise FileError(str(file), [finding])
    return record
