"""From a reply to one JSON object within limits, of text that may be displayed.

Nothing is repaired. A Markdown fence is accepted; other words beside the object are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from earsim.errors import FileError, Finding
from earsim.ids import is_safe_text, printable
from earsim.schema.files.document import Document, Path, show_path
from earsim.schema.files.json_text import parse_json
from earsim_generators.llm.answers.schemas import THOUGHTS
from earsim_generators.llm.checks.answer_error import (
    ANSWER,
    ErrorKind,
    UnusableAnswer,
    finding,
    refuse,
    unusable,
)

MOST_CHARS = 200_000
"""Of an answer: a scene of 150 objects takes about a third of that."""

MOST_DEPTH = 24
"""Levels of nesting; a goal of five nested conditions takes twelve."""

LONGEST_TEXT = 1_000
"""Characters of any one text in an answer, where nothing else is said."""

_MOST_FINDINGS = 50
_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_MARKUP = re.compile(r"[<>\\`{}]")
_MARKUP_OF_SENTENCES = re.compile(r"[<>\\`]")
"""Braces stand around what is put into a sentence, and nowhere else."""


def read_answer(
    reply: str | None, *, cut: bool = False, longest_text: int = LONGEST_TEXT
) -> Document:
    """The JSON object of a reply; `cut` if it ended at the limit of tokens.

    Raises:
        UnusableAnswer: It is no object, too large, too deep, or holds unprintable text or markup.
    """
    text = (reply or "").strip()
    if not text:
        raise unusable(ErrorKind.UNREADABLE, finding("", "there is no answer", "one JSON object"))
    if len(text) > MOST_CHARS:
        reason = f"the answer has {len(text):,} characters"
        raise unusable(ErrorKind.UNREADABLE, finding("", reason, f"at most {MOST_CHARS:,}"))
    fenced = _FENCED.match(text)
    document = _parsed(fenced[1] if fenced else text, cut=cut)
    document.value.pop(THOUGHTS, None)
    problems = islice(_problems(document.value, (), longest_text), _MOST_FINDINGS)
    refuse(ErrorKind.UNREADABLE, (*document.findings, *problems))
    return document


def _parsed(text: str, *, cut: bool) -> Document:
    try:
        document = parse_json(text, ANSWER)
    except FileError as error:
        if cut:
            hint = finding("", "the answer was cut off at its limit of tokens", "a shorter one")
            raise unusable(ErrorKind.UNREADABLE, hint) from None
        raise unusable(ErrorKind.UNREADABLE, *error.findings) from None
    if not isinstance(document.value, dict):
        raise UnusableAnswer(ErrorKind.UNREADABLE, ("the answer is no JSON object",))
    return document


def _problems(value: Any, path: Path, longest_text: int) -> Iterator[Finding]:
    """Findings that no answer may have."""
    if len(path) > MOST_DEPTH:
        yield finding(_shown(path[:3]), "nested too deeply", f"at most {MOST_DEPTH} levels")
    elif isinstance(value, str):
        yield from _text_problems(value, path, longest_text)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _text_problems(key, path, longest_text)
            yield from _problems(item, (*path, key), longest_text)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _problems(item, (*path, index), longest_text)


def _text_problems(text: str, path: Path, longest: int) -> Iterator[Finding]:
    if len(text) > longest:
        reason, expected = f"a text of {len(text):,} characters", f"at most {longest:,}"
    elif not is_safe_text(text):
        reason, expected = f"control characters in {printable(text[:60])!r}", "plain text"
    elif (_MARKUP_OF_SENTENCES if path[-1:] == ("instruction",) else _MARKUP).search(text):
        reason, expected = (
            f"markup in {text[:60]!r}",
            "plain text without < > ` { } and backslashes",
        )
    else:
        return
    yield finding(_shown(path), reason, expected)


def _shown(path: Path) -> str:
    return printable(show_path(path))
