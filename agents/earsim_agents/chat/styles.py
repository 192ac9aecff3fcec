"""The styles of prompts by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from earsim_agents.chat.compact_style import CompactChatConversation, CompactConversation
from earsim_agents.chat.conversation import (
    ChatConversation,
    Conversation,
    PaperConversation,
    Speaker,
)
from earsim_agents.prompts import PromptFile
from earsim_agents.settings import ModelSettings

_STYLES: Mapping[str, Callable[[ModelSettings, PromptFile, Speaker], Conversation]] = {
    "chat": ChatConversation,
    "paper": PaperConversation,
    "compact": CompactConversation,
    "compact-chat": CompactChatConversation,
}


def conversation(settings: ModelSettings, prompt: PromptFile, side: Speaker) -> Conversation:
    """A conversation in the style that the settings ask for."""
    return _STYLES[settings.style](settings, prompt, side)
