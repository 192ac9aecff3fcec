"""Telling what a reasoning model thought apart from what it answered."""

from __future__ import annotations

from typing import NamedTuple

_OPEN, _CLOSE = "<think>", "</think>"


class Thought(NamedTuple):
    """An answer taken apart."""

    reply: str | None
    reasoning: str | None


def split_thinking(content: str | None, reasoning: str | None) -> Thought:
    """Split a message into answer and thoughts.

    Servers with a reasoning parser send the thoughts by themselves; others leave them in the text
    between `<think>` and `</think>`, the opening mark often missing because the model's template
    wrote it. Thoughts that never end leave no answer.
    """
    if content is None or (_CLOSE not in content and not content.lstrip().startswith(_OPEN)):
        return Thought(content, reasoning or None)
    thoughts, closed, answer = content.rpartition(_CLOSE)
    if not closed:
        thoughts, answer = content, ""
    thoughts = thoughts.replace(_OPEN, "").replace(_CLOSE, "").strip()
    together = "\n".join(part for part in (reasoning, thoughts) if part)
    return Thought(answer.lstrip("\n") or None, together or None)
