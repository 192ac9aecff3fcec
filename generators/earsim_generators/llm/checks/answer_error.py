"""Errors of answers: a kind for statistics, and findings that a model can act on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

from pydantic import BaseModel

from earsim.errors import FileError, Finding
from earsim.ids import printable
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated

M = TypeVar("M", bound=BaseModel)

ANSWER = "the answer"
"""What findings in answers name as their file."""

_LONGEST = 400
"""Characters of one finding: it may quote what it is about."""


class ErrorKind(StrEnum):
    """Kinds of errors, from the outermost to the innermost.

    UNREADABLE: no JSON object within limits. FORM: the validator objects. SENSE: the parts do not
    make a place or a task as requested. UNSOLVED: nothing to do, or no plan. LABEL: solvable
    without what the category claims. SHORT: solvable in fewer decisions than were asked for.
    DUPLICATE: a repetition. OVERFLOW: the context of the model is too short.
    """

    UNREADABLE = "unreadable"
    FORM = "form"
    SENSE = "sense"
    UNSOLVED = "unsolved"
    LABEL = "label"
    SHORT = "short"
    DUPLICATE = "duplicate"
    OVERFLOW = "overflow"


class UnusableAnswer(Exception):
    """An answer that cannot be used: a kind of error, and findings as lines of printable text."""

    def __init__(self, flaw: ErrorKind, findings: Sequence[str]) -> None:
        super().__init__(flaw, *findings)
        self.flaw = flaw
        self.findings = tuple(findings)


def refuse(flaw: ErrorKind, findings: Iterable[Finding]) -> None:
    """Reject an answer if there are findings.

    Raises:
        UnusableAnswer: There are some.
    """
    found = tuple(findings)
    if found:
        raise unusable(flaw, *found)


def unusable(flaw: ErrorKind, *findings: Finding) -> UnusableAnswer:
    """The exception that carries these findings."""
    return UnusableAnswer(flaw, lines(findings))


def finding(place: str, reason: str, expected: str = "") -> Finding:
    """A finding in an answer."""
    return Finding(ANSWER, place, reason, expected)


def require_known_keys(answer: Document, known: Sequence[str]) -> None:
    """Reject unknown keys.

    Raises:
        UnusableAnswer: There are some.
    """
    expected = f"known keys: {', '.join(known)}"
    unknown = (finding(key, "unknown key", expected) for key in answer.value if key not in known)
    refuse(ErrorKind.FORM, unknown)


def well_formed(answer: Document, model: type[M]) -> M:
    """The answer as a model of pydantic.

    Raises:
        UnusableAnswer: It does not validate.
    """
    try:
        return validated(answer, model)
    except FileError as error:
        raise unusable(ErrorKind.FORM, *error.findings) from None


def lines(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Findings as lines for a model, without the name of a file."""
    return tuple(dict.fromkeys(_line(each) for each in findings))


def _line(found: Finding) -> str:
    place = f"{found.place}: " if found.place else ""
    expected = f" ({found.expected})" if found.expected else ""
    text = " ".join(printable(f"{place}{found.reason}{expected}").split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
