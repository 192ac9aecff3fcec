"""An episode as a conversation: what was said to the policy, and what it answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from earsim.evaluation.store.rows import CallRow, StepRow

USER, ASSISTANT, SYSTEM = "user", "assistant", "system"


class ChatMessage(NamedTuple):
    """One message.

    Attributes:
        role: `system`, `user` or `assistant`.
    """

    role: str
    text: str


def conversation(steps: Sequence[StepRow], calls: Sequence[CallRow]) -> list[ChatMessage]:
    """The messages of an episode, in order.

    With model calls: the system message once, then for each call what was newly said to the model
    and its reply. Without: what the world answered, and the commands that were given.
    """
    return list(_of_calls(calls) if calls else _of_steps(steps))


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or a list of parts of which some are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text", "") for part in content if isinstance(part, dict))
        return "\n".join(str(part) for part in parts)
    return "" if content is None else str(content)


def _of_calls(calls: Sequence[CallRow]) -> Iterator[ChatMessage]:
    told: set[str] = set()
    for call in calls:
        sent = [each for each in call.request.get("messages", ()) if isinstance(each, dict)]
        for each in sent:
            text = text_of(each.get("content"))
            if each.get("role") == SYSTEM and text not in told:
                told.add(text)
                yield ChatMessage(SYSTEM, text)
        last = sent[-1] if sent else {}
        if last.get("role") not in (None, SYSTEM):
            yield ChatMessage(USER, text_of(last.get("content")))
        yield ChatMessage(ASSISTANT, call.reply or "")


def _of_steps(steps: Sequence[StepRow]) -> Iterator[ChatMessage]:
    for step in steps:
        commands = step.commands or {}
        yield ChatMessage(ASSISTANT, "\n".join(f"{who}: {text}" for who, text in commands.items()))
        yield ChatMessage(USER, "\n".join(f"{o.agent}: {o.message}" for o in step.outcomes))
