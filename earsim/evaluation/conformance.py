"""Replaying recordings of the EAR-Bench reference and comparing every step.

A folder of traces is replayed file by file; the format is that of the benchmark's `traces/README.md`.
Nothing is excused: the report counts episodes and steps that are equal, different or not replayable.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from earsim.errors import EarSimError, FileError, Finding
from earsim.evaluation.conformance_commands import replay_commands
from earsim.evaluation.conformance_decisions import replay_decisions

SHOWN_DIFFERENCES = 5


class Difference(NamedTuple):
    """One place where the replay and the recording disagree."""

    episode: str
    step: int
    what: str
    recorded: Any
    replayed: Any

    def __str__(self) -> str:
        return (
            f"{self.episode} step {self.step}: {self.what}: "
            f"recorded {self.recorded!r}, replayed {self.replayed!r}"
        )


@dataclass(slots=True)
class FileReport:
    """What became of one file of recordings."""

    file: str
    episodes_equal: int = 0
    episodes_different: int = 0
    episodes_not_replayable: int = 0
    steps_equal: int = 0
    steps_different: int = 0
    differences: list[Difference] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every episode was replayed and every step was equal."""
        return not self.episodes_different and not self.episodes_not_replayable


def conformance(traces: Path, data: Path) -> Iterator[FileReport]:
    """Replay every `*.jsonl` and `*.jsonl.gz` below `traces` against the scenes in `data`.

    Raises:
        FileError: There are no traces, or the data folder does not exist.
    """
    files = sorted([*traces.glob("*.jsonl"), *traces.glob("*.jsonl.gz")])
    if traces.is_file():
        files = [traces]
    if not files:
        raise FileError(str(traces), [Finding(str(traces), "", "no *.jsonl or *.jsonl.gz here")])
    if not data.is_dir():
        raise FileError(str(data), [Finding(str(data), "", "no such folder")])
    for file in files:
        yield replay_file(file, data)


def replay_file(file: Path, data: Path) -> FileReport:
    """Replay one file of recordings, of either level."""
    report = FileReport(file.name)
    for name, records in _episodes(file):
        try:
            if "decisions" in records[0]:
                steps, differences = replay_decisions(records[0], data)
            else:
                steps, differences = replay_commands(records, data)
        except (EarSimError, KeyError, TypeError, ValueError, OSError) as error:
            report.episodes_not_replayable += 1
            report.problems.append(f"{name}: {type(error).__name__}: {error}")
            continue
        found = [Difference(name, *difference) for difference in differences]
        wrong = len({difference.step for difference in found})
        report.steps_different += wrong
        report.steps_equal += steps - wrong
        report.episodes_different += bool(found)
        report.episodes_equal += not found
        report.differences += found[: SHOWN_DIFFERENCES - len(report.differences)]
    return report


def _episodes(file: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The records of a file, grouped by episode."""
    for name, records in groupby(_records(file), key=lambda record: str(record.get("ep"))):
        yield name, list(records)


def _records(file: Path) -> Iterator[dict[str, Any]]:
    opener = gzip.open if file.suffix == ".gz" else open
    try:
        with opener(file, "rt", encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                yield _record(file, number, line)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise FileError(str(file), [Finding(str(file), "", str(error))]) from error


def _record(file: Path, number: int, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise FileError(
            str(file), [Finding(str(file), "", f"not JSON: {error}", line=number)]
        ) from error
    if not isinstance(record, dict):
        raise FileError(
            str(file), [Finding(str(file), "", "not a record", "a JSON object", line=number)]
        )
    return record
