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


_QUOTA = b"insufficient_quota"
_HELP = {
    **dict.fromkeys((301, 302, 303, 307, 308), "it sends elsewhere: check base_url, /v1 included"),
    400: (
        "it does not take this request: check the options; some servers want "
        "token_limit=max_completion_tokens, or no temperature, top_p or penalties (=null)"
    ),
    401: "it wants another key: check api_key_env",
    403: "this key may not do that: check api_key_env and the model",
    404: "it knows no such model or no such page: check model and base_url, /v1 included",
    413: "the request is too large for it",
    422: "it does not know a field of the request: leave out constrain, top_k or extra_body",
}
"""What would help, by status: asking again does not."""


class FailedAttempt(Exception):
    """An attempt that brought no answer.

    Attributes:
        again: whether the same request may fare better later.
        moved: nobody answered there, so another server may be asked.
        wait_s: what the server asked us to wait.
        overflow: the server said that the prompt is too long for it.
        limited: the server turned it away because there were too many; it may come again.
    """

    def __init__(
        self,
        words: str,
        *,
        helps: str = "",
        again: bool = True,
        moved: bool = False,
        wait_s: float | None = None,
        overflow: bool = False,
        limited: bool = False,
    ) -> None:
        told = printable(words)[:_SHOWN_CHARS]
        super().__init__(f"{told} ({helps})" if helps else told)
        self.again = again
        self.moved = moved
        self.wait_s = wait_s
        self.overflow = overflow
        self.limited = limited


def of_status(status: int, data: bytes, retry_after: str | None) -> FailedAttempt:
    """The fault that a status other than 200 stands for."""
    words = _words(data)
    spent = status == 429 and _QUOTA in data[:10_000]
    overflow = status in (400, 413, 422) and any(mark in words.lower() for mark in _OVERFLOW)
    said = f"status {status}: {words}" if words else f"status {status}"
    helps = "the quota of this key is spent" if spent else _HELP.get(status, "")
    return FailedAttempt(
        said,
        helps=helps if not overflow else "",
        again=status in _TRY_AGAIN and not spent,
        limited=status == 429 and not spent,
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
