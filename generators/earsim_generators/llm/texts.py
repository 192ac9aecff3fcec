"""Text seeds: short texts that a scene may start from, our own or a folder of the user's."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from earsim.errors import FileError, Finding
from earsim.ids import clean_text, printable
from earsim.schema.files.text import read_text

OURS = Path(__file__).parent / "seeds"
"""Short texts, written for this purpose."""

SUFFIXES = (".txt", ".md")

MOST_CHARS = 4_000
"""Of a text that are shown to a model: a seed is to suggest a place, not to be retold."""

_MOST_BYTES = 2_000_000


class TextSeed(NamedTuple):
    """A text that a scene starts from.

    Attributes:
        name: of its file, without the folder; it may hold anything that a file name may.
        sha256: of the whole text as it was read.
        text: its beginning, without control characters.
    """

    name: str
    sha256: str
    text: str


def read_texts(folder: Path | None = None) -> tuple[TextSeed, ...]:
    """The texts directly in a folder, by name; our own without one.

    Raises:
        FileError: There is no such folder, no text in it, or one that cannot be read.
    """
    place = OURS if folder is None else folder
    if not place.is_dir():
        raise FileError(str(place), [Finding(str(place), "", "is no folder", "a folder of texts")])
    paths = sorted(path for path in place.iterdir() if path.suffix.casefold() in SUFFIXES)
    found = tuple(_read(path) for path in paths)
    if not any(seed.text for seed in found):
        expected = f"files ending in {' or '.join(SUFFIXES)}"
        raise FileError(str(place), [Finding(str(place), "", "no texts", expected)])
    return tuple(seed for seed in found if seed.text)


def _read(path: Path) -> TextSeed:
    text = read_text(path, max_bytes=_MOST_BYTES)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return TextSeed(printable(path.name)[:200], digest, clean_text(text)[:MOST_CHARS].strip())


def text_of(texts: Sequence[TextSeed], seed: int, item: int) -> TextSeed:
    """The text of a scene: every text is used once before any is used again."""
    round_, place = divmod(item, len(texts))
    order = Random(f"earsim llm texts/{seed}/{round_}").sample(range(len(texts)), len(texts))
    return texts[order[place]]
