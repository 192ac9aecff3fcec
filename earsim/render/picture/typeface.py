"""The one typeface: how wide a text is, and how to make it fit.

Pillow's built-in font is used, so that no font file is needed and a picture has the same bytes on
every machine. It knows little more than ASCII; other letters are drawn as their nearest spelling.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

ELLIPSIS = "…"

FINER = 2
"""Pixels are painted this much smaller and then merged, which smooths edges and spaces letters."""

_COMPARED_AT = 16.0

_UNCHARTED = "\uffff"
"""A code point that no font has, to learn what a missing letter looks like."""

# By code point, as some of them look like others: sharp s, ae, o with stroke, l with stroke, times,
# dashes, quotation marks.
_SPELLINGS = {0xDF: "ss", 0xE6: "ae", 0xC6: "Ae", 0xF8: "o", 0xD8: "O", 0x142: "l", 0x141: "L"}
_SPELLINGS |= {0xD7: "x", 0x2013: "-", 0x2014: "-", 0x2018: "'", 0x2019: "'", 0x201C: '"'}
_SPELLINGS |= {0x201D: '"'}


@lru_cache(maxsize=4096)  # names are asked for again with every picture
def clean(text: str) -> str:
    """One line of printable characters; everything else becomes a blank.

    Control characters and lone surrogates may stand in no SVG file.
    """
    return "".join([char if char.isprintable() else " " for char in text]).strip()


class Typeface:
    """Loaded sizes of the font and measured letters; they are kept as long as the object lives."""

    def __init__(self) -> None:
        self._fonts: dict[float, FreeTypeFont] = {}
        self._advances: dict[float, dict[str, float]] = {}
        self._spellings: dict[str, str] = {}

    def __reduce__(self) -> tuple[type[Typeface], tuple[()]]:
        # Loaded fonts can be neither copied nor pickled, and are soon loaded again.
        return Typeface, ()

    def font(self, size: float) -> FreeTypeFont:
        """The font at a size in pixels."""
        found = self._fonts.get(size)
        if found is None:
            found = self._fonts[size] = _load(size)
        return found

    def width(self, text: str, size: float) -> float:
        """Pixels from the start of a text to its end."""
        advances = self._measured(text, size)
        return sum([advances[char] for char in text])

    def fit(self, text: str, size: float, width: float) -> str:
        """The text, or as much of its beginning as fits, with an ellipsis; empty for no room."""
        if self.width(text, size) <= width:
            return text
        advances = self._measured(text, size)
        room = width - self.width(ELLIPSIS, size)
        for end, char in enumerate(text):
            room -= advances[char]
            if room < 0:
                return text[:end].rstrip() + ELLIPSIS if end else ""
        return text

    def _measured(self, text: str, size: float) -> dict[str, float]:
        """The width of at least the letters of a text."""
        advances = self._advances.setdefault(size, {})
        for char in text:
            if char not in advances:
                font = self.font(size * FINER)
                advances[char] = font.getlength(self._spelling(char)) / FINER
        return advances

    def spelled(self, text: str) -> str:
        """The text as this font can draw it."""
        return "".join([self._spelling(char) for char in text])

    def _spelling(self, char: str) -> str:
        if char.isascii():
            return char
        found = self._spellings.get(char)
        if found is None:
            found = self._spellings[char] = self._respell(char)
        return found

    def _respell(self, char: str) -> str:
        if self._has(char):
            return char
        plain = unicodedata.normalize("NFKD", _SPELLINGS.get(ord(char), char))
        return "".join([part for part in plain if part.isascii()]) or char

    def _has(self, char: str) -> bool:
        font = self.font(_COMPARED_AT)
        return bytes(font.getmask(char)) != bytes(font.getmask(_UNCHARTED))


def _load(size: float) -> FreeTypeFont:
    from PIL import ImageFont
    from PIL.ImageFont import FreeTypeFont

    font = ImageFont.load_default(size)
    if not isinstance(font, FreeTypeFont):
        raise TypeError("this Pillow was built without FreeType, which scalable text needs")
    return font
