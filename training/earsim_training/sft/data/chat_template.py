"""Chat templates: whether replies can be told apart in what one makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from earsim.errors import UsageError


def training_template(tokenizer: Any, *, whole_episodes: bool, trusted: bool = False) -> str | None:
    """The template to train with; None for the tokenizer's own.

    TRL ships templates with marks around replies for the families that it knows. For whole episodes
    that variant is used, which leaves earlier turns as they were; for single decisions the model's
    own, so that a row is what the model will be sent.

    Args:
        tokenizer: whose template it is.
        whole_episodes: every reply of a conversation is learned, not the last alone.
        trusted: go on with a template that nobody knows and that has no marks.

    Raises:
        UsageError: There is no template, or none that can be trusted.
    """
    own = tokenizer.chat_template
    if isinstance(own, dict):
        own = own.get("default")
    if not own:
        raise UsageError(
            "the tokenizer has no chat template; give one with data.template: FILE.jinja"
        )
    if _is_marked(own):
        return None
    if own in _shipped():
        return _marked_variant(tokenizer) if whole_episodes else None
    if trusted:
        return None
    raise UsageError(
        "the chat template has no {% generation %} markers around what the assistant says, and it "
        "is none that TRL knows: add the markers and give the file with data.template, or have the "
        "replies found in the text with data.trust_template: true"
    )


def _is_marked(template: str) -> bool:
    from trl.chat_template_utils import has_generation_markers

    return bool(has_generation_markers(template))


def _shipped() -> frozenset[str]:
    import trl

    folder = Path(trl.__file__).parent / "chat_templates"
    return frozenset(path.read_text(encoding="utf-8") for path in folder.glob("*.jinja"))


def _marked_variant(tokenizer: Any) -> str | None:
    """TRL's variant with marks; None where it ships none, as for Llama 3.1."""
    from trl.chat_template_utils import get_training_chat_template

    try:
        found: str | None = get_training_chat_template(tokenizer)
    except ValueError:
        return None
    return found
