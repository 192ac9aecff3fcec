"""The folder of a generated suite: packed scenarios, their certificates, and how they were made.

Everything is written beside its place and put there in the end: a folder is never half full.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from earsim.errors import UsageError
from earsim.schema.files.json_text import parse_json
from earsim.suites.opening import CERTIFICATES
from earsim_generators.suites.generation import Generated
from earsim_generators.suites.splits import Split

RECORD = "generation.json"
"""How the suite was made."""

SUITE = "suite"
"""Name of a suite without splits."""


class SuiteFolder:
    """A folder being filled; nothing is in it before `finish`."""

    def __init__(self, path: Path, parts: Iterable[Split | None]) -> None:
        """Prepare, and look whether the place is free.

        Raises:
            UsageError: Another suite is there.
        """
        self.path = path
        self._names = [part_name(part) for part in parts]
        taken = [name for name in self._files() if (path / name).exists()]
        if taken:
            raise UsageError(f"{path} holds {', '.join(taken)} already; choose another folder")
        self._is_new = not path.exists()
        self._files_open: dict[str, Any] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True)
        self._clear_away()
        for name in self._names:
            raw = self._stack.enter_context(self._partial(packed(name)).open("wb"))
            # No name and no time inside: the bytes depend on the scenarios alone.
            file = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
            self._files_open[packed(name)] = self._stack.enter_context(file)
            proofs = self._partial(proved(name)).open("wb")
            self._files_open[proved(name)] = self._stack.enter_context(proofs)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()
        for name in self._files():
            with suppress(FileNotFoundError):
                self._partial(name).unlink()
        if self._is_new:
            with suppress(OSError):  # there is something in it
                self.path.rmdir()

    def _clear_away(self) -> None:
        """Remove what a run that was killed has left, whatever its parts were."""
        names = (f(part_name(part)) for part in (None, *Split) for f in (packed, proved))
        for name in (*names, RECORD):
            for abandoned in self.path.glob(f".{name}.*.partial"):
                abandoned.unlink()
                self._is_new = True  # that run made the folder, or it has other things in it

    def add(self, one: Generated) -> None:
        """Write a scenario and its certificate."""
        name = part_name(one.split)
        self._files_open[packed(name)].write(f"{one.made.line}\n".encode())
        self._files_open[proved(name)].write(f"{one.made.certificate}\n".encode("ascii"))

    def finish(self, record: dict[str, Any]) -> None:
        """Put everything in its place, the record last: where that is, all is."""
        self._stack.close()
        text = json.dumps(record, indent=1, ensure_ascii=False)
        self._partial(RECORD).write_text(f"{text}\n", encoding="utf-8")
        for name in self._files():
            self._partial(name).replace(self.path / name)

    def _files(self) -> list[str]:
        return [*(f(name) for name in self._names for f in (packed, proved)), RECORD]

    def _partial(self, name: str) -> Path:
        return self.path / f".{name}.{os.getpid()}.partial"


def part_name(split: Split | None) -> str:
    """What the file of a split is called."""
    return SUITE if split is None else split.value


def packed(name: str) -> str:
    """The file of scenarios."""
    return f"{name}.jsonl.gz"


def proved(name: str) -> str:
    """The file of certificates, where `earsim validate` looks for it."""
    return f"{name}.{CERTIFICATES}"


def record_of(path: Path) -> dict[str, Any] | None:
    """How the suite in a folder was made; None where there is none, or no complete one."""
    file = path / RECORD
    if not file.is_file():
        return None
    value = parse_json(file.read_text(encoding="utf-8"), str(file)).value
    return value if isinstance(value, dict) else None
