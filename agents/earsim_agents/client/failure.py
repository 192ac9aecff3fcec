"""What can go wrong with one attempt, and whether another one could go better."""

from __future__ import annotations

import json
from email.utils import parsedate_to_datetime
from time import time

from earsim.ids import printable

_SHOWN_CHARS = 300
_TRY_AGAIN = frozenset({408, 409, 425, 429, *range(500, 600)})
_OVERFLOW = (
    "context_length_exceeded",
    "maximum context length",
    "maximum model length",
    "context window",
    "max_model_len",
)


class FailedAttempt(Exception):
    """An attempt that brought no answer.

    Attributes:
        again: whether the same request may fare better later.
        moved: nobody answered there, so another server may be asked.
        wait_s: what the server asked us to wait.
        overflow: the server said that the prompt is too long for it.
    """

    def __init__(
        self,
        words: str,
        *,
        again: bool = True,
        moved: bool = False,
        wait_s: float | None = None,
        overflow: bool = False,
    ) -> None:
        super().__init__(printable(words)[:_SHOWN_CHARS])
        self.again = again
        self.moved = moved
        self.wait_s = wait_s
        self.overflow = overflow


def of_status(status: int, data: bytes, retry_after: str | None) -> FailedAttempt:
    """The fault that a status other than 200 stands for."""
    words = _words(data)
    overflow = status in (400, 413, 422) and any(mark in words.lower() for mark in _OVERFLOW)
    return FailedAttempt(
        f"status {status}: {words}" if words else f"status {status}",
        again=status in _TRY_AGAIN,
        wait_s=_seconds(retry_after),
        overflow=overflow,
    )


def _words(data: bytes) -> str:
    """What a body says about the error, as OpenAI words it or as it stands."""
    text = data[:10_000].decode("utf-8", "replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()
    error = body.get("error", body) if isinstance(body, dict) else body
    found = error.get("message", error.get("detail", error)) if isinstance(error, dict) else error
    return found if isinstance(found, str) else json.dumps(found)


def _seconds(retry_after: str | None) -> float | None:
    """The header `Retry-After`: seconds, or a date."""
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time())
    except (TypeError, ValueError, OverflowError):
        return None
