"""One file that holds the page and all that it shows.

Each episode lies compressed in an element of its own and is read when it is looked at, so a file of
thousands of episodes opens as fast as one of ten.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from earsim.atomic import replacing
from earsim.parallel import map_ordered
from earsim.viewer.comparisons import comparison, comparisons
from earsim.viewer.episode import episode_data
from earsim.viewer.listing import listing
from earsim.viewer.notes import notes
from earsim.viewer.overview import Overview
from earsim.viewer.page import data_element, page
from earsim.viewer.run import Run
from earsim.viewer.safe_json import safe_json
from earsim.viewer.texts import all_texts

_FEW = 64
"""So many episodes of a process are written about as soon as another has started."""

_TOGETHER = 16
"""Episodes of a run that a process writes at once."""


def export(runs: Sequence[Run], out: Path, *, jobs: int = 1) -> int:
    """Write the file; it appears complete or not at all. The same runs give the same bytes.

    Args:
        runs: what it shows.
        out: the file.
        jobs: processes at most; fewer for few episodes.

    Returns the number of its episodes.

    Raises:
        OSError: The disk is full, or the file may not be written.
    """
    listed = listing(runs)
    with replacing(out) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        for part in page(_data(runs, listed, jobs), served=False):
            file.write(part)
    return len(listed["rows"])


class _Batch(NamedTuple):
    """Episodes of one run, for a process."""

    run: Path
    certificates: Path | None
    episodes: tuple[str, ...]


def _data(runs: Sequence[Run], listed: dict[str, Any], jobs: int) -> Iterator[str]:
    yield data_element("listing", safe_json(listed))
    yield data_element("notes", safe_json(notes(runs)))
    overview = Overview(runs)
    yield _packed("overview", overview.data())
    subjects = overview.subjects()
    yield _packed("comparisons", comparisons(subjects))
    for number, first in enumerate(subjects[:-1]):
        of_first = [comparison(first, second) for second in subjects[number + 1 :]]
        yield _packed(f"comparisons-{number}", of_first)
    for number, run in enumerate(runs):
        for part, texts in enumerate(all_texts(run)):
            yield _packed(f"texts-{number}-{part}", texts)
    worthwhile = max(1, min(jobs, len(listed["rows"]) // _FEW))
    batches = map_ordered(_packed_episodes, _batches(runs, listed), jobs=worthwhile)
    for number, text in enumerate(text for batch in batches for text in batch):
        yield data_element(f"episode-{number}", text, "text/plain")


def _batches(runs: Sequence[Run], listed: dict[str, Any]) -> Iterator[_Batch]:
    """All episodes in the order of the list, in which those of a run stand together."""
    id_at = listed["columns"].index("episode")
    for number, run in enumerate(runs):
        ids = [row[id_at] for row in listed["rows"] if row[0] == number]
        for start in range(0, len(ids), _TOGETHER):
            some = tuple(ids[start : start + _TOGETHER])
            yield _Batch(run.path, run.certificates, some)


def _packed_episodes(batch: _Batch) -> list[str]:
    run = _opened(batch.run, batch.certificates)
    return [packed(safe_json(episode_data(run, episode))) for episode in batch.episodes]


@lru_cache(maxsize=4)
def _opened(path: Path, certificates: Path | None) -> Run:
    """A run with the suites that were read for it, as long as this process writes episodes."""
    return Run(path, certificates)


def _packed(id: str, value: Any) -> str:
    return data_element(id, packed(safe_json(value)), "text/plain")


def packed(text: str) -> str:
    """A text compressed, the same bytes every time, in letters that mean nothing to HTML."""
    return base64.b64encode(gzip.compress(text.encode("ascii"), 6, mtime=0)).decode("ascii")
