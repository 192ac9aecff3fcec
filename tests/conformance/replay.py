"""Replaying recordings of the EAR-Bench reference and comparing every step.

A folder of traces is replayed file by file; the format is that of the benchmark's
`traces/README.md`. Nothing is excused: the report counts episodes and steps that are equal,
different or not replayable, and a file that cannot be read to its end is not replayable either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from earsim.errors import FileError, Finding
from earsim.ids import printable
from tests.conformance.command_level import replay_commands
from tests.conformance.decision_level import replay_decisions
from tests.conformance.recordings import Recording, Replayed, recordings

SHOWN_DIFFERENCES = 5
SHOWN_CHARS = 400


class Difference(NamedTuple):
    """One place where the replay and the recording disagree.

    `step` is -1 for the start of an episode, and the number of its steps for its end.
    """

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
    """What became of one file of recordings.

    Attributes:
        differences: the first few of them; `differences_found` counts all.
        problems: why episodes could not be replayed, or the file not be read.
    """

    file: str
    episodes_equal: int = 0
    episodes_different: int = 0
    episodes_not_replayable: int = 0
    steps_equal: int = 0
    steps_different: int = 0
    steps_not_replayed: int = 0
    differences_found: int = 0
    differences: list[Difference] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there was something to replay, and all of it was equal."""
        failed = self.episodes_different or self.episodes_not_replayable or self.problems
        return self.episodes_equal > 0 and not failed

    def add(self, name: str, replayed: Replayed) -> None:
        """Count an episode that was replayed to its end."""
        found = [Difference(name, *difference) for difference in replayed.differences]
        steps = {each.step for each in found if 0 <= each.step < replayed.steps}
        self.steps_different += len(steps)
        self.steps_equal += replayed.steps - len(steps)
        self.episodes_different += bool(found)
        self.episodes_equal += not found
        self.differences_found += len(found)
        self.differences += found[: SHOWN_DIFFERENCES - len(self.differences)]

    def add_unreplayable(self, name: str, reason: str, steps: int = 0) -> None:
        """Count an episode, or the unreadable rest of a file, that could not be replayed."""
        self.episodes_not_replayable += 1
        self.steps_not_replayed += steps
        self.problems.append(printable(f"{name}: {reason}")[:SHOWN_CHARS])


def conformance(traces: Path, data: Path) -> Iterator[FileReport]:
    """Replay every `*.jsonl` and `*.jsonl.gz` below `traces` against the scenes in `data`.

    Args:
        traces: A folder, or one file.
        data: The folder that the paths of scenes in the recordings start from.

    Raises:
        FileError: There are no traces, or the data folder does not exist.
    """
    files = [traces] if traces.is_file() else sorted(_below(traces))
    if not files:
        raise FileError(str(traces), [Finding(str(traces), "", "no *.jsonl or *.jsonl.gz here")])
    if not data.is_dir():
        raise FileError(str(data), [Finding(str(data), "", "no such folder")])
    for file in files:
        yield replay_file(file, data)


def _below(folder: Path) -> Iterator[Path]:
    for pattern in ("*.jsonl", "*.jsonl.gz"):
        yield from (path for path in folder.rglob(pattern) if path.is_file())


def replay_file(file: Path, data: Path) -> FileReport:
    """Replay one file of recordings, of either level; what is wrong with it is in the report."""
    report = FileReport(file.name)
    try:
        for recording in recordings(file):
            _replay(recording, data, report)
    except FileError as error:
        report.add_unreplayable(file.name, str(error))
    if not (report.episodes_equal or report.episodes_different or report.problems):
        report.problems.append(f"{file.name}: no recordings in it")
    return report


def _replay(recording: Recording, data: Path, report: FileReport) -> None:
    replay = replay_decisions if recording.of_decisions else replay_commands
    try:
        replayed = replay(recording.records, data)
    except Exception as error:  # noqa: BLE001 - a broken recording is reported, the others replayed
        report.add_unreplayable(recording.name, _explained(error), recording.steps)
    else:
        report.add(recording.name, replayed)


def _explained(error: Exception) -> str:
    if isinstance(error, FileError):
        return str(error)
    if isinstance(error, KeyError):
        return f"the key {error} is missing"
    return f"{type(error).__name__}: {error}"
