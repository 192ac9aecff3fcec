"""`reviews.jsonl`: decisions in the order in which they were taken; lines are only ever added."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

from earsim.errors import FileError, Finding
from earsim.schema import Scenario
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim.schema.files.text import decode
from earsim_generators.review.review import Review

_LONGEST_LINE = 100_000


class ReviewFile:
    """The decisions about a suite.

    Attributes:
        path: where they are, or will be once there is one.
        reviews: all of them, in order.
    """

    def __init__(self, path: Path) -> None:
        """Read what is there.

        Raises:
            FileError: A line that is not the last is no review.
        """
        self.path = path
        self.reviews = list(self._read())

    def add(self, review: Review) -> None:
        """Append a decision; it is on disk when this returns."""
        data = review.model_dump(mode="json", by_alias=True)
        line = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a+b", buffering=0) as file:  # one write, so that lines never mix
            _forget_torso(file)
            file.write(f"{line}\n".encode("ascii"))
            os.fsync(file.fileno())
        self.reviews.append(review)

    def of(self, scenario: Scenario) -> dict[str, Review]:
        """The last decision of every reviewer about a scenario as it is now, by name."""
        found = {
            review.reviewer: review
            for review in self.reviews
            if (review.scenario_id, review.scenario_hash) == (scenario.id, scenario.hash)
        }
        return dict(sorted(found.items()))

    @property
    def reviewers(self) -> tuple[str, ...]:
        """Everybody who decided something, by name."""
        return tuple(sorted({review.reviewer for review in self.reviews}))

    def _read(self) -> Iterator[Review]:
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                if not raw.endswith(b"\n"):  # cut off with the process that wrote it
                    return
                if raw.strip():
                    yield self._parsed(raw, number)

    def _parsed(self, raw: bytes, number: int) -> Review:
        source = f"{self.path}:{number}"
        if len(raw) > _LONGEST_LINE:
            raise FileError(source, [Finding(source, "", "the line is too long for a review")])
        return validated(parse_json(decode(raw, source), source), Review)


def _forget_torso(file: FileIO) -> None:
    """Cut off what is left of a line whose writer was killed; whole lines stay, whoever's."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 2 * _LONGEST_LINE))
    tail = file.read()
    torso = len(tail) - (tail.rfind(b"\n") + 1)
    if torso:
        file.truncate(size - torso)
