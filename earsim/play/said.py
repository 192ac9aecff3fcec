"""What the game says: pieces of text, each of a kind that decides how it is shown."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class TextKind(StrEnum):
    """How a piece is meant."""

    STORY = "story"
    DONE = "done"
    REFUSED = "refused"
    HINT = "hint"
    DOUBT = "doubt"
    PANEL = "panel"
    WON = "won"
    LOST = "lost"


class Said(NamedTuple):
    """A piece of text; it may hold names from scenes and is to be escaped where it is shown.

    Attributes:
        title: of a panel.
    """

    kind: TextKind
    text: str
    title: str = ""


def story(text: str) -> Said:
    """Something that happened or is so."""
    return Said(TextKind.STORY, text)


def hint(text: str) -> Said:
    """Advice, or a remark about the game itself."""
    return Said(TextKind.HINT, text)


def doubt(text: str) -> Said:
    """What was typed could not be understood."""
    return Said(TextKind.DOUBT, text)


def panel(title: str, text: str) -> Said:
    """Something to look at: several lines under a title."""
    return Said(TextKind.PANEL, text, title)
