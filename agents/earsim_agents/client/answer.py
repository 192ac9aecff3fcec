"""Reading the answer of a server: nothing in it is trusted to have the shape it should have."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class BrokenAnswer(ValueError):
    """A body that is no chat completion."""


class Answer(NamedTuple):
    """What one chat completion says; None where it says nothing.

    Attributes:
        content: the text; None for none at all.
        reasoning: thoughts that the server sent apart from the text.
    """

    content: str | None
    reasoning: str | None
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    model: str | None


def read_answer(data: bytes) -> Answer:
    """The chat completion in a body.

    Raises:
        BrokenAnswer: There is none.
    """
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BrokenAnswer(f"no JSON: {type(error).__name__}") from None
    choices = _field(body, "choices")
    if not isinstance(choices, list) or not choices:
        raise BrokenAnswer("no choices in it")
    message = _field(choices[0], "message")
    if not isinstance(message, dict):
        raise BrokenAnswer("no message in its first choice")
    usage = _field(body, "usage")
    return Answer(
        content=_content(message.get("content")),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        finish_reason=_text(_field(choices[0], "finish_reason")),
        prompt_tokens=_count(_field(usage, "prompt_tokens")),
        completion_tokens=_count(_field(usage, "completion_tokens")),
        cached_tokens=_count(_field(_field(usage, "prompt_tokens_details"), "cached_tokens")),
        model=_text(_field(body, "model")),
    )


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _content(value: Any) -> str | None:
    """The text of a message, which some servers send in parts."""
    if isinstance(value, list):
        parts = [_text(_field(part, "text")) for part in value]
        value = "".join(part for part in parts if part is not None)
    return _text(value)


def _text(value: Any) -> str | None:
    """A string that can be stored: JSON may spell half a character, which no encoding has."""
    if not isinstance(value, str):
        return None
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value < 1 << 53 else None
