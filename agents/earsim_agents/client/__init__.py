"""Asking model servers over HTTP: one client per run, any OpenAI-compatible server."""

from __future__ import annotations

from typing import Any

from earsim_agents.client.cache import AnswerCache
from earsim_agents.client.client import Client
from earsim_agents.settings import ModelSettings

__all__ = ["AnswerCache", "Client", "open_client"]


def open_client(answers: Any = None, /, **options: Any) -> Client:
    """The client that policies with these options share; close it at the end.

    Raises:
        UsageError: An option makes no sense, or the key is not in the environment.
        FileError: The cache cannot be used.
    """
    settings = ModelSettings.of(**options)
    settings.key()
    if answers is None and settings.cache is not None:
        answers = AnswerCache(settings.cache)
    return Client(answers)
