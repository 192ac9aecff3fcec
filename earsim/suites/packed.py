"""Suites packed as JSON lines, one scenario per line: ``name.jsonl`` or ``name.jsonl.gz``."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from weakref import WeakValueDictionary

from earsim.errors import FileError, FileTooLarge, Finding, UnknownName
from earsim.goals.selectors import answered
from earsim.schema.files.dump import to_json
from earsim.schema.files.load import parse
from earsim.schema.files.text import MAX_BYTES, decode
from earsim.schema.scenario import Scenario
from earsim.schema.scene import LatestScene
from earsim.suites.suite import Suite

PACKED_SUFFIXES = (".jsonl", ".jsonl.gz")

MAX_UNPACKED_BYTES = 2_000_000_000
"""Size above which a compressed suite is refused: it is unpacked in memory."""

_HEAD = re.compile(rb'\{"schema":"earsim\.scenario/1","id":"([A-Za-z0-9_./-]+)"')


class _Line(NamedTuple):
    """Where a scenario stands in the file; lines count from 1."""

    number: int
    offset: int
    length: int


def pack(scenarios: Iterable[Scenario], path: str | Path) -> int:
    """Writes scenarios into one file, compressed if it ends in ``.gz``; returns how many.

    The bytes depend on nothing but the scenarios. What their selectors pick is stored with them.

    Raises:
        NoSingleAnswer: A selector has no answer, or several.
    """
    lines = [f"{to_json(answered(scenario))}\n".encode() for scenario in scenarios]
    data = b"".join(lines)
    if str(path).endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    Path(path).write_bytes(data)
    return len(lines)


class _Contents:
    """What is in a packed file: the line of every scenario, and all bytes of a compressed one.

    In those one cannot seek; of a plain file the bytes are None.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.unpacked = _unpacked(path) if path.name.endswith(".gz") else None
        self.index = _index(path, name, self.unpacked)


_CONTENTS: WeakValueDictionary[tuple[object, ...], _Contents] = WeakValueDictionary()
"""Of the files that suites of this process have open, by path, name and state of the file."""


class PackedSuite(Suite):
    """Scenarios of a packed file; only the lines that are asked for are parsed."""

    def __init__(self, path: str | Path, name: str = "") -> None:
        path = Path(path)
        super().__init__(name or path.name.removesuffix(".gz").removesuffix(".jsonl"))
        self._path = path
        self._latest = LatestScene()

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids in the order of the lines; reads the file once, without parsing it."""
        return tuple(self._index)

    def load(self, id: str) -> Scenario:
        """Parses the line of one scenario."""
        line = self._line(id)
        source = f"{self._path}:{line.number}"
        text = decode(self._bytes(line), source)
        scenario = parse(text, source=source, is_json=True, latest=self._latest)
        if not isinstance(scenario, Scenario):
            raise FileError(source, [Finding(source, "schema", "a scene", "expected a scenario")])
        return scenario

    def files(self, id: str) -> bytes:
        """The line of one scenario."""
        return self._bytes(self._line(id))

    def __reduce__(self) -> tuple[type[PackedSuite], tuple[Path, str]]:
        return (PackedSuite, (self._path, self.name))

    @property
    def _index(self) -> dict[str, _Line]:
        return self._contents.index

    @cached_property
    def _contents(self) -> _Contents:
        """Reads the file once, without parsing it, unless another suite has it open."""
        try:
            state = self._path.stat()
        except OSError as error:
            source = str(self._path)
            raise FileError(source, [Finding(source, "", f"cannot be read: {error}")]) from None
        key = self._path, self.name, state.st_ino, state.st_mtime_ns, state.st_size
        found = _CONTENTS.get(key)
        if found is None:
            found = _CONTENTS[key] = _Contents(self._path, self.name)
        return found

    def _line(self, id: str) -> _Line:
        if id not in self._index:
            raise UnknownName(f"scenario of {self.name}", id, self._index)
        return self._index[id]

    def _bytes(self, line: _Line) -> bytes:
        if line.length > MAX_BYTES:
            source = f"{self._path}:{line.number}"
            reason = f"a line of more than {MAX_BYTES:,} bytes"
            raise FileTooLarge(source, [Finding(source, "", reason)])
        unpacked = self._contents.unpacked
        if unpacked is not None:
            return unpacked[line.offset : line.offset + line.length]
        with self._path.open("rb") as file:
            file.seek(line.offset)
            return file.read(line.length)


def _index(path: Path, name: str, unpacked: bytes | None) -> dict[str, _Line]:
    """The line of every scenario."""
    index: dict[str, _Line] = {}
    offset = 0
    for number, raw in enumerate(_lines(path, unpacked), start=1):
        line = _Line(number, offset, len(raw))
        offset += len(raw)
        if not raw.strip():
            continue
        id = _read_id(raw) or f"{name}/line-{number}"
        if id in index:
            reason = f"the scenario {id!r} is also on line {index[id].number}"
            finding = Finding(str(path), "", reason, "ids are unique", number)
            raise FileError(str(path), [finding])
        index[id] = line
    return index


def _unpacked(path: Path) -> bytes:
    """All bytes of a compressed file."""
    source = str(path)
    try:
        with gzip.open(path) as file:
            data = file.read(MAX_UNPACKED_BYTES + 1)
    except (OSError, EOFError, ValueError) as error:
        raise FileError(source, [Finding(source, "", f"not gzip: {error}")]) from None
    if len(data) > MAX_UNPACKED_BYTES:
        reason = f"unpacks to more than {MAX_UNPACKED_BYTES:,} bytes"
        raise FileTooLarge(source, [Finding(source, "", reason, "split the suite")])
    return data


def _lines(path: Path, unpacked: bytes | None) -> Iterator[bytes]:
    if unpacked is not None:
        yield from unpacked.splitlines(keepends=True)
    else:
        with path.open("rb") as file:
            yield from file


def _read_id(raw: bytes) -> str | None:
    """The id in a line: at its head, where we write it, or else wherever it stands."""
    if match := _HEAD.match(raw):
        return match[1].decode("ascii")
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) and found else None
