"""Constrained decoding: replies from a list of texts, or that match a regular expression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from earsim.errors import UsageError

_PATIENCE_S = 2.0
"""For matching one text: a pattern of somebody else's may take for ever."""


class Constraint(Protocol):
    """Acceptor of prefixes and complete replies."""

    def allows(self, text: str) -> bool:
        """True if the text is a prefix of an allowed reply."""
        ...

    def allows_end(self, text: str) -> bool:
        """True if the text is an allowed reply."""
        ...


class OneOfTexts:
    """One of some texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(texts)

    def allows(self, text: str) -> bool:
        """True if one of them begins with the text."""
        return any(each.startswith(text) for each in self._texts)

    def allows_end(self, text: str) -> bool:
        """True if the text is one of them."""
        return text in self._texts


class Pattern:
    """A text that a regular expression matches."""

    def __init__(self, pattern: str) -> None:
        """Compile a pattern.

        Raises:
            UsageError: It is none.
        """
        self._pattern = _compiled(pattern)

    def allows(self, text: str) -> bool:
        """True if the text is a prefix of a match."""
        return self._pattern.fullmatch(text, partial=True, timeout=_PATIENCE_S) is not None

    def allows_end(self, text: str) -> bool:
        """True if the text matches."""
        return self._pattern.fullmatch(text, timeout=_PATIENCE_S) is not None


def constraint_of(body: Mapping[str, Any]) -> Constraint | None:
    """What a request asks for in vLLM's field `structured_outputs`; None for nothing.

    Raises:
        UsageError: It asks for something that cannot be had here.
    """
    asked = body.get("structured_outputs")
    if asked is None:
        return None
    if isinstance(asked, dict) and isinstance(asked.get("choice"), list) and asked["choice"]:
        return OneOfTexts([str(text) for text in asked["choice"]])
    if isinstance(asked, dict) and isinstance(asked.get("regex"), str):
        return Pattern(asked["regex"])
    raise UsageError("structured_outputs: only `choice` and `regex` are known here")


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    import regex  # the standard library cannot match the beginning of a match

    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise UsageError(f"structured_outputs: no regular expression: {error}") from None
