"""Files that appear complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Another file to write, in the same folder; it takes the place of `path` at the end.

    Folders on the way are made. Where an error ends the block, `path` is left as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".partial.{os.getpid()}.{path.name}")  # keeps the suffix
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_atomically(path: Path, text: str) -> None:
    """Write a text, in UTF-8."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")
