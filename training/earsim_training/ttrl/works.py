"""Known works and open questions, from files of JSON lines, and the works nearest to a text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import numpy as np
from pydantic import Field

from earsim.errors import FileError, Finding
from earsim.evaluation.scorers.embedding import Embedder
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.model import FileModel

DATA = Path(__file__).parent / "data"

_Text = Annotated[str, Field(min_length=1, max_length=20_000)]


class Work(FileModel):
    """A work that is known: an abstract, say."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    domain: str = ""
    title: str = ""
    text: _Text

    @property
    def words(self) -> str:
        """Title and text."""
        return f"{self.title}. {self.text}" if self.title else self.text


class OpenQuestion(FileModel):
    """A question without a known answer."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    domain: str = ""
    question: _Text


Record = TypeVar("Record", Work, OpenQuestion)


def read_records(path: Path, kind: type[Record]) -> list[Record]:
    """The records of a file with one JSON object a line.

    Args:
        path: the file; ``works.jsonl`` and ``questions.jsonl`` find those that come along.
        kind: of its records.

    Raises:
        FileError: It cannot be read; names the line.
    """
    ours = DATA / path.name
    source = ours if not path.exists() and path.parent == Path() and ours.is_file() else path
    found = []
    for number, line in enumerate(read_text(source).splitlines(), 1):
        if line.strip():
            place = f"{source}:{number}"
            try:
                value = json.loads(line)
            except ValueError as error:
                raise FileError(place, [Finding(place, "", f"not JSON: {error}")]) from None
            found.append(validated(Document(place, value), kind))
    if not found:
        raise FileError(str(source), [Finding(str(source), "", "it holds no records")])
    return found


class WorkIndex:
    """Works that can be searched by similarity.

    Attributes:
        works: in the order of the file.
        embed: maps texts to vectors.
    """

    def __init__(self, works: Sequence[Work], embed: Embedder) -> None:
        self.works, self.embed = tuple(works), embed
        self._vectors = embed([work.words for work in works])

    def similarity(self, text: str, *, nearest: int, without: int | None = None) -> float | None:
        """Mean cosine of a text to the works that are nearest to it (S_avg of the paper).

        Args:
            text: of an answer.
            nearest: how many works are retrieved; all where there are fewer.
            without: a work that is left out, by its place.

        Returns:
            None for a text without an embedding, such as one without a known word under TF-IDF.
        """
        vector = self.embed([text])[0]
        if not vector.any():
            return None
        cosines = self._vectors @ vector
        if without is not None:
            cosines = np.delete(cosines, without)
        return float(np.mean(np.sort(cosines)[::-1][:nearest]))
