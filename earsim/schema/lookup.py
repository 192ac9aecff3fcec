"""What can be looked up at an apparatus, as a scene gives it: texts of a library, and figures."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StringConstraints, field_validator
from pydantic_core import PydanticCustomError

from earsim.ids import NAME_PATTERN
from earsim.schema.model import FileModel, Id, Name, Number, Text

_Seconds = Annotated[float, Field(strict=True, gt=0, le=86_400)]
_Unit = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=24)]
_Date = Annotated[str, StringConstraints(pattern=r"^([0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?)?$")]

SIDECAR_SUFFIXES = (".texts.jsonl", ".figures.jsonl")
"""Endings of files that lie beside a scene and hold what can be looked up in it."""

FILE_NAME = r"^[A-Za-z0-9_][A-Za-z0-9_-]*\.(texts|figures)\.jsonl$"
"""A file beside the scene: its name alone, so that no path leaves the folder."""

LONGEST_NAME = 100

SidecarName = Annotated[str, StringConstraints(pattern=FILE_NAME, max_length=LONGEST_NAME)]

LIBRARY_OPERATIONS, FIGURE_OPERATIONS = ("search", "visit"), ("list", "show")
"""What ``RUN`` names at either."""

MOST_TEXTS = 1000
MOST_FIGURES = 200
MOST_POINTS = 400
MOST_BARS = 24
LEAST_LOG = 1e-100
"""The least number on a logarithmic axis."""
MOST_CHARS = 2_000_000
"""Length of all texts of one library together."""


class CorpusText(FileModel):
    """A text of a library.

    Attributes:
        date: When it was published: 2019, 2019-03 or 2019-03-28, in quotes.
        text: All of it; it is read in pages of 2,000 characters.
    """

    id: Id
    title: Name
    date: _Date = ""
    text: Text


class TextCorpus(FileModel):
    """What can be read in a library.

    Attributes:
        texts: Searched by their words; of equal ones the first of the file comes first.
        file: A file beside the scene that has them instead, one JSON object a line.
        search_s: Seconds of a search.
        visit_s: Seconds of reading a page.
        hits: How many texts a search lists at most.
    """

    texts: tuple[CorpusText, ...] = Field(default=(), max_length=MOST_TEXTS)
    file: SidecarName | None = None
    search_s: _Seconds = 5.0
    visit_s: _Seconds = 8.0
    hits: Annotated[int, Field(strict=True, ge=1, le=20)] = 5

    @field_validator("file")
    @classmethod
    def _is_read(cls, file: str | None) -> str | None:
        return _unread(file)

    @field_validator("texts")
    @classmethod
    def _not_too_long(cls, texts: tuple[CorpusText, ...]) -> tuple[CorpusText, ...]:
        size = sum(len(each.text) for each in texts)
        if size > MOST_CHARS:
            raise _problem(f"{size} characters of text", f"{MOST_CHARS} at most")
        return texts


class FigureAxis(FileModel):
    """An axis of a figure.

    Attributes:
        label: What it measures.
        unit: Symbol of its unit.
        log: Whether it is logarithmic; then its numbers are 1e-100 or more.
    """

    label: Name
    unit: _Unit = ""
    log: StrictBool = False


class FigureSeries(FileModel):
    """A data series.

    Attributes:
        name: As the legend has it.
        points: Pairs of x and y; x is a word where the figure has bars.
    """

    name: Name
    points: tuple[tuple[Number | Name, Number], ...] = Field(min_length=1, max_length=MOST_POINTS)


class FigureSpec(FileModel):
    """A figure: data, from which its picture is drawn.

    Attributes:
        caption: What stands below it.
        kind: Lines or points over numbers, or bars over 24 words at most.
    """

    id: Id
    title: Name
    caption: Text = ""
    kind: Literal["line", "scatter", "bar"] = "line"
    x: FigureAxis
    y: FigureAxis
    series: tuple[FigureSeries, ...] = Field(min_length=1, max_length=12)


class FigureCollection(FileModel):
    """What can be looked at.

    Attributes:
        figures: In the order of their list.
        file: A file beside the scene that has them instead, one JSON object a line.
        list_s: Seconds of reading the list.
        show_s: Seconds of looking at a figure.
        tables: Whether the data are told as text; without it only who sees pictures has them.
    """

    figures: tuple[FigureSpec, ...] = Field(default=(), max_length=MOST_FIGURES)
    file: SidecarName | None = None
    list_s: _Seconds = 2.0
    show_s: _Seconds = 4.0
    tables: StrictBool = True

    @field_validator("file")
    @classmethod
    def _is_read(cls, file: str | None) -> str | None:
        return _unread(file)


def _unread(file: str | None) -> str | None:
    """Loading a scene file puts what is in the file in its place."""
    if file is not None:
        reason = f"{file} is read only where a scene file is loaded"
        raise _problem(reason, "what it holds, in place of it")
    return file


def _problem(reason: str, expected: str) -> PydanticCustomError:
    context: dict[str, Any] = {"reason": reason, "expected": expected}
    return PydanticCustomError("problem", "{reason}", context)
