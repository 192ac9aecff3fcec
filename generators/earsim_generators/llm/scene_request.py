"""Requests for scenes: text seed, sizes, verbs and categories, drawn from the settings' seed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from earsim.errors import FileError, Finding
from earsim.ids import clean_text, printable
from earsim.schema import AttributeVerb, Category
from earsim.schema.files.text import read_text
from earsim_generators.llm.settings import WritingSettings
from earsim_generators.llm.skills import fitting_verbs

OURS = Path(__file__).parent / "seeds"
"""Short texts, written for this purpose."""

SUFFIXES = (".txt", ".md")

MOST_CHARS = 4_000
"""Of a text that are shown to a model: a seed is to suggest a place, not to be retold."""

_MOST_BYTES = 2_000_000


class TextSeed(NamedTuple):
    """A text that a scene starts from.

    Attributes:
        name: Of its file, without the folder; untrusted.
        sha256: Of the whole text.
        text: Its beginning, without control characters.
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


class SceneRequest(NamedTuple):
    """Request of one scene, which depends on the settings' seed and its number (`item`) alone."""

    item: int
    scene_id: str
    text: TextSeed
    rooms: int
    objects: int
    distractors: int
    horizon: int
    skills: tuple[AttributeVerb, ...]
    categories: tuple[Category, ...]

    def task_id(self, slot: int) -> str:
        """The id of a task by its place among those of the scene."""
        return f"{self.categories[slot].value}_{slot + 1}"


def scene_request_of(
    settings: WritingSettings, texts: Sequence[TextSeed], item: int
) -> SceneRequest:
    """The request of a scene."""
    rng = Random(f"earsim llm brief/{settings.seed}/{item}")
    text = text_of(texts, settings.seed, item)
    return SceneRequest(
        item=item,
        scene_id=f"llm{settings.seed}_{item:05d}",
        text=text,
        rooms=settings.rooms,
        objects=settings.objects,
        distractors=settings.distractors,
        horizon=settings.horizon,
        skills=fitting_verbs(text.text, rng, settings.skills),
        categories=_categories(settings, item),
    )


def _categories(settings: WritingSettings, item: int) -> tuple[Category, ...]:
    """The next ones in turn; over all scenes each comes up equally often."""
    order = list(settings.categories)
    Random(f"earsim llm categories/{settings.seed}").shuffle(order)
    first = item * settings.tasks
    return tuple(order[(first + slot) % len(order)] for slot in range(settings.tasks))
