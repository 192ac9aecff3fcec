"""Lines of a foreign text that read like orders to whoever reads them.

What is found here is reported. Nothing follows from it: a text has no effect but that it is read,
and one whose orders are not found has none either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_COMMANDS = "CONFIGURE|RUN|STOP|READ|SUBMIT|EXEC|SAVE|SAY|TELL|DONE|WAIT|GOTO|GRAB|PLACE|OPEN|GIVE"
_COMMAND = re.compile(rf"(?:^|[\s\"'`>:(,])(?:{_COMMANDS})(?:\s+\w|\s*$|[\"'`.!)])")
_TELLING_OFF = re.compile(
    r"\b(?:ignore|disregard|forget|override|drop)\b[^.!?\n]{0,60}"
    r"\b(?:task|goal|instructions?|orders|prompts?|rules|question)\b",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"^\W*(?:system|assistant|user)\s*:|</?(?:system|assistant|user|think)\b|\[/?INST\]",
    re.IGNORECASE,
)
_LONGEST = 120


def orders_in(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines with a command of this world, a call to drop the task, or marks of a dialogue."""
    return tuple([line.strip()[:_LONGEST] for line in lines if is_order(line)])


def is_order(line: str) -> bool:
    """Whether a line reads like an order."""
    return any(pattern.search(line) for pattern in (_COMMAND, _TELLING_OFF, _ADDRESSED))
