"""Prompt injection: lines of a foreign text that read like orders to whoever reads them.

What is found here is reported. Nothing follows from it: a text has no effect but that it is read,
and one whose orders are not found has none either.
"""

from __future__ import annotations

import re

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


def is_injection(line: str) -> bool:
    """Whether a line has a command of this world, a call to drop the task, or dialogue marks."""
    return any(pattern.search(line) for pattern in (_COMMAND, _TELLING_OFF, _ADDRESSED))
