"""Ids and text that may be trusted on a terminal, in a prompt and in a web page.

Scenes, replies of models and file names come from others. What is stored as an id or a name is
checked by the patterns here; what is merely shown goes through `printable`.
"""

from __future__ import annotations

import re
from typing import Final

ID_PATTERN: Final = r"^[A-Za-z0-9_]+$"
"""Ids of rooms, doors, objects, agents, scenes and tasks: one word of the command grammar."""

REF_PATTERN: Final = r"^\$?[A-Za-z0-9_]+$"
"""An id, or ``$name`` for what the selector ``name`` picked."""

MODEL_ID_PATTERN: Final = r"^[a-z0-9_]{1,40}/[0-9]{1,4}$"
"""Name and version of a model of an apparatus."""

SCENARIO_ID_PATTERN: Final = r"^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$"
"""Scenario ids: words separated by slashes, never a path that leaves its folder."""

SUITE_NAME_PATTERN: Final = r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$"
"""Names of suites that are written to files: no path, so that nothing lands beside the folder."""

MAX_ID_LENGTH: Final = 100
MAX_NAME_LENGTH: Final = 200
MAX_TEXT_LENGTH: Final = 20_000

# Bidirectional marks and overrides, line separators, byte order mark, annotation and tag
# characters: invisible, and able to make a line read as something else.
_INVISIBLE: Final = (
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
# Whatever else shows as nothing, or as a space that is none: the rest of the categories Cf, Zs, Zl
# and Zp of Unicode, fillers, blanks and supplementary variation selectors. Words of some languages
# need a few of them, so a name may hold them; where text is merely shown they are escaped as well.
_UNSEEN: Final = (
    "\u00a0\u00ad\u034f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680\u17b4\u17b5"
    "\u180b-\u180f\u2000-\u200d\u202f\u205f-\u2065\u206a-\u206f\u2800\u3000\u3164\uffa0"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0080-\U000e0fff"
)
_CONTROL: Final = r"\x00-\x1f\x7f-\x9f"
_CONTROL_BUT_LAYOUT: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f"

# Classes of characters, not escapes of them: read alike by Python, Rust and JSON Schema.
NAME_PATTERN: Final = f"^[^{_CONTROL}{_INVISIBLE}]*$"
TEXT_PATTERN: Final = f"^[^{_CONTROL_BUT_LAYOUT}{_INVISIBLE}]*$"

_id = re.compile(r"[A-Za-z0-9_]+\Z")
_not_id = re.compile(r"[^A-Za-z0-9_]+")
_unsafe_in_name = re.compile(f"[{_CONTROL}{_INVISIBLE}\ud800-\udfff]")
_unsafe_in_text = re.compile(f"[{_CONTROL_BUT_LAYOUT}{_INVISIBLE}\ud800-\udfff]")
_unseen = re.compile(f"[{_CONTROL_BUT_LAYOUT}{_INVISIBLE}{_UNSEEN}\ud800-\udfff]")
_escape_sequence = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"
)
_surrogate = re.compile("[\ud800-\udfff]")


def is_id(text: str) -> bool:
    """Whether ``text`` may name a thing in a scene."""
    return _id.match(text) is not None and len(text) <= MAX_ID_LENGTH


def clean_id(text: str) -> str:
    """``text`` as an id: whatever an id may not hold becomes an underscore."""
    return _not_id.sub("_", text)[:MAX_ID_LENGTH] or "_"


def is_safe_text(text: str) -> bool:
    """Whether ``text`` holds no control characters (line break and tab excepted)."""
    return _unsafe_in_text.search(text) is None


def is_safe_name(text: str) -> bool:
    """Whether ``text`` is one line without control characters."""
    return _unsafe_in_name.search(text) is None


def clean_name(text: str) -> str:
    """``text`` as one line that a terminal prints as it reads, cut to the length of a name."""
    flat = _unsafe_in_name.sub(" ", _escape_sequence.sub("", text))
    return " ".join(flat.split())[:MAX_NAME_LENGTH]


def clean_text(text: str) -> str:
    """``text`` with line breaks and tabs, but without anything else that cannot be printed."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    return _unsafe_in_text.sub("", _escape_sequence.sub("", unified))[:MAX_TEXT_LENGTH]


def printable(text: str) -> str:
    """Untrusted ``text`` with every character that cannot be seen as an escape, nothing lost."""
    return _unseen.sub(_escaped, text)


def well_formed(text: str) -> str:
    """``text`` with lone surrogates, which no encoding accepts, replaced by U+FFFD."""
    return _surrogate.sub("\ufffd", text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
