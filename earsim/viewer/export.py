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
from earsim.viewer.episode import episode_data
from earsim.viewer.listing import listing
from earsim.viewer.page import data_element, page
from earsim.viewer.run import Run
from earsim.viewer.safe_json import safe_json


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
    id_at = listed["columns"].index("episode")
    for number, row in enumerate(listed["rows"]):
        text = safe_json(episode_data(runs[row[0]], row[id_at]))
        yield data_element(f"episode-{number}", packed(text), "text/plain")


def packed(text: str) -> str:
    """A text compressed, the same bytes every time, in letters that mean nothing to HTML."""
    return base64.b64encode(gzip.compress(text.encode("ascii"), 6, mtime=0)).decode("ascii")
