"""Folder of a generated suite: packed scenarios, their certificates, and a manifest.

Files are written under hidden names and renamed at the end: a folder is complete or empty. Where
a run was killed while it renamed them, its journal is still there, and the next run begins anew.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple, Self

from earsim.atomic import replacing
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import place_to_write
from earsim.errors import UsageError
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate
from earsim.schema.files.json_text import parse_json
from earsim.suites import open_suite
from earsim.suites.opening import CERTIFICATES
from earsim.suites.packed import pack
from earsim_generators.suites.journal import JOURNAL, forget_journal
from earsim_generators.suites.splits import Split

RECORD = "generation.json"
"""Manifest: how the suite was generated."""

SUITE = "suite"
"""Name of a suite without splits."""


class CertifiedScenario(NamedTuple):
    """A scenario and its certificate."""

    scenario: Scenario
    certificate: Certificate


class SuiteFolder:
    """Writer of one or several suites; no file is visible before `finish`.

    Entered inside the block of the run's journal, which sees that no other process writes here.
    """

    def __init__(self, path: Path, names: Iterable[str] = (SUITE,)) -> None:
        """Check that the files do not exist.

        Raises:
            UsageError: One of them does.
        """
        self.path = path
        self._files = [*(file(name) for name in names for file in (packed, proved)), RECORD]
        self._is_torn = (path / JOURNAL).exists() and not (path / RECORD).exists()
        taken = [name for name in self._files if (path / name).exists()]
        if taken and not self._is_torn:
            raise UsageError(f"{path} holds {', '.join(taken)} already; choose another folder")
        self._open: dict[str, Any] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True)
        for abandoned in self.path.glob(".*.partial"):  # by a process that was killed
            abandoned.unlink()
        if self._is_torn:
            for name in self._files:
                (self.path / name).unlink(missing_ok=True)
        for name in self._files[:-1]:
            file: Any = self._stack.enter_context(self._partial(name).open("wb"))
            if name.endswith(".gz"):
                # No name and no time inside: the bytes depend on the scenarios alone.
                file = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
                self._stack.enter_context(file)
            self._open[name] = file
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._stack.close()
        for name in self._files:
            self._partial(name).unlink(missing_ok=True)

    def add(self, name: str, scenario: str, certificate: str) -> None:
        """Append the line of a scenario and that of its certificate to a suite."""
        self._open[packed(name)].write(f"{scenario}\n".encode())
        self._open[proved(name)].write(f"{certificate}\n".encode("ascii"))

    def finish(self, record: dict[str, Any]) -> None:
        """Rename all files, the manifest last: where that is, everything is."""
        self._stack.close()
        text = json.dumps(record, indent=1, ensure_ascii=False)
        self._partial(RECORD).write_text(f"{text}\n", encoding="utf-8")
        for name in self._files:
            self._partial(name).replace(self.path / name)

    def _partial(self, name: str) -> Path:
        return self.path / f".{name}.{os.getpid()}.partial"


def part_name(split: Split | None) -> str:
    """Name of the suite of a split."""
    return SUITE if split is None else split.value


def packed(name: str) -> str:
    """File name of the scenarios of a suite."""
    return f"{name}.jsonl.gz"


def proved(name: str) -> str:
    """File name of its certificates, where `earsim validate` looks for them."""
    return f"{name}.{CERTIFICATES}"


def record_of(path: Path) -> dict[str, Any] | None:
    """The manifest in a folder; None where there is none, and so no complete suite."""
    file = path / RECORD
    if not file.is_file():
        return None
    value = parse_json(file.read_text(encoding="utf-8"), str(file)).value
    return value if isinstance(value, dict) else None


def finished(path: Path, asked: dict[str, Any]) -> dict[str, Any] | None:
    """The manifest in a folder, if it is of a suite that was asked for in just this way."""
    found = record_of(path)
    if found is None or not json.loads(json.dumps(asked)).items() <= found.items():
        return None
    forget_journal(path)  # of a run that was killed when all was written
    return found


def write_certified(found: Sequence[CertifiedScenario], path: Path) -> int:
    """Replace a packed suite and its certificates; returns the number of scenarios."""
    with replacing(path) as partial:
        count = pack([each.scenario for each in found], partial)
    file = CertificateFile(place_to_write(open_suite(path), str(path)))
    for each in found:
        if not file.holds(each.certificate):
            file.add(each.certificate)
    file.arrange([each.scenario.id for each in found])
    return count
