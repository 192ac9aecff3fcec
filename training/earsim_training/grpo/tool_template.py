"""Whether a chat template lets a model call tools turn after turn."""

from __future__ import annotations

from typing import Any

from earsim.errors import UsageError


def check_tools(tokenizer: Any) -> None:
    """See that TRL can train with this template.

    Raises:
        UsageError: It shows no tools, changes earlier turns, or nobody knows how calls are read.
    """
    from trl.chat_template_utils import (
        add_response_schema,
        get_training_chat_template,
        is_chat_template_prefix_preserving,
        supports_tool_calling,
    )

    if not supports_tool_calling(tokenizer):
        raise UsageError(
            "the chat template cannot tell of calls of tools and their results, which "
            "playing.hook: tools needs: take a model that calls tools, or playing.hook: rollout"
        )
    try:
        if not is_chat_template_prefix_preserving(tokenizer):
            get_training_chat_template(tokenizer)  # TRL puts it in place of the tokenizer's own
    except ValueError:
        raise UsageError(
            "the chat template changes earlier turns as a conversation goes on (it is not "
            "prefix-preserving), and TRL has none in its place: give another with "
            "template: FILE.jinja"
        ) from None
    known = ("response_template", "response_schema")
    if all(getattr(tokenizer, name, None) is None for name in known):
        try:
            add_response_schema(tokenizer)
        except ValueError:
            raise UsageError(
                "the chat template is none of which TRL knows how calls of tools are read: give "
                "one that TRL ships with template: FILE.jinja"
            ) from None
