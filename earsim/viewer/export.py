"""One file that holds the page and all that it shows.

Each episode lies compressed in an element of its own and is read when it is looked at, so a file of
thousands of episodes opens as fast as one of ten.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from earsim.atomic import replacing
from earsim.viewer.comparisons import MOST, comparisons
from earsim.viewer.episode import episode_data
from earsim.viewer.listing import listing
from earsim.viewer.overview import Overview
from earsim.viewer.page import data_element, page
from earsim.viewer.run import Run
from earsim.viewer.safe_json import safe_json
from earsim.viewer.texts import all_texts


def export(runs: Sequence[Run], out: Path) -> int:
    """Write the file; it appears complete or not at all.

    Returns the number of its episodes.

    Raises:
        OSError: The disk is full, or the file may not be written.
    """
    listed = listing(runs)
    with replacing(out) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        for part in page(_data(runs, listed), served=False):
            file.write(part)
    return len(listed["rows"])


def _data(runs: Sequence[Run], listed: dict[str, Any]) -> Iterator[str]:
    yield data_element("listing", safe_json(listed))
    overview = Overview(runs)
    yield _packed("overview", overview.data())
    subjects = overview.subjects()
    if len(subjects) <= MOST:
        yield _packed("comparisons", comparisons(subjects))
    for number, run in enumerate(runs):
        for part, texts in enumerate(all_texts(run)):
            yield _packed(f"texts-{number}-{part}", texts)
    id_at = listed["columns"].index("episode")
    for number, row in enumerate(listed["rows"]):
        yield _packed(f"episode-{number}", episode_data(runs[row[0]], row[id_at]))


def _packed(id: str, value: Any) -> str:
    return data_element(id, packed(safe_json(value)), "text/plain")


def packed(text: str) -> str:
    """A text compressed, the same bytes every time, in letters that mean nothing to HTML."""
    return base64.b64encode(gzip.compress(text.encode("ascii"), 6, mtime=0)).decode("ascii")
