"""The settings of a policy that asks a model: one frozen, validated value."""

from __future__ import annotations

import os
import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from earsim.errors import UsageError
from earsim.schema.choices import Grammar, Knowledge, Style

Constrain = Literal["none", "admissible", "reasoned", "grammar"]

_LAST = re.compile(r"last-(\d{1,4})")


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


class ModelSettings(BaseModel):
    """Which model is asked, how it is prompted, and how its answers are read.

    The defaults of the sampling parameters are those of the OmniEAR paper (Table 9). Every one of
    them is sent with every request, so that no server's default decides anything, unless it is set
    to None; those that not all servers know are sent only when they are set.

    Attributes:
        model: the name the server knows it by.
        base_url: where the servers are, such as ``http://127.0.0.1:8000/v1``; an episode stays with
            one of them.
        api_key_env: name of the environment variable that holds the key; the key itself is read
            when the client is made, and is never stored.
        style: ``chat`` appends to one conversation, ``paper`` builds every prompt anew, ``compact``
            does so in few words and without a history, ``compact-chat`` appends few words.
        knowledge: what the prompt says about it; the runner shows the whole world with ``global``.
        grammar: how commands are read from replies: ``strict`` or ``ear-bench``.
        constrain: what the server is asked to restrict replies to: nothing, the commands admissible
            now, these after a line of thought (``reasoned``), or the grammar of commands. Needs
            vLLM's ``structured_outputs``.
        history: the window of past turns in a ``paper`` prompt: ``paper`` (20 with one agent, 35
            with several), ``all``, ``none`` or ``last-N``. A ``chat`` always holds all.
        prompt: a prompt file to use instead of the one that comes with the style.
        strip_thinking: take ``<think>`` parts out before a reply is read and remembered.
        reply_chars: longest part of a reply that is remembered in later prompts.
        token_limit: what this server calls the limit of new tokens.
        send_seed: send a seed made from the run's seed, scenario, decision and agent.
        extra_body: further fields of every request.
        context_tokens: longest prompt and reply together; asked of the server when None.
        concurrency: requests in flight per server at most; fewer once it turns some away (429).
        rate_limit_s: how long a request that is turned away for the rate of requests comes again,
            beside `attempts`, which counts other faults.
        timeout_s: for one attempt.
        attempts: how often a request is tried at most.
        backoff_s: wait before the second attempt; doubles from there.
        max_backoff_s: longest wait, whatever the server asks for.
        max_answer_bytes: larger answers are not read to their end.
        cache: file with answers that were given before; None for none.
        deployment: distinguishes, in the cache, two models that are served under one name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    model: Annotated[str, Field(min_length=1)]
    base_url: Annotated[tuple[str, ...], BeforeValidator(_as_tuple), Field(min_length=1)] = (
        "http://127.0.0.1:8000/v1",
    )
    api_key_env: str | None = None

    style: Style = "chat"
    knowledge: Knowledge = "explore"
    grammar: Grammar = "strict"
    constrain: Constrain = "none"
    history: str | None = None
    prompt: str | None = None
    strip_thinking: bool = True
    reply_chars: Annotated[int, Field(ge=100)] = 8_000

    temperature: Annotated[float, Field(ge=0, le=5)] | None = 0.3
    top_p: Annotated[float, Field(gt=0, le=1)] | None = 1.0
    max_tokens: Annotated[int, Field(ge=1)] = 4_096
    token_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    presence_penalty: float | None = 0.0
    frequency_penalty: float | None = 0.0
    stop: tuple[str, ...] = ()
    top_k: int | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    send_seed: bool = True
    extra_body: dict[str, Any] = Field(default_factory=dict)

    context_tokens: Annotated[int, Field(ge=1)] | None = None
    concurrency: Annotated[int, Field(ge=1, le=4_096)] = 64
    rate_limit_s: Annotated[float, Field(ge=0)] = 3_600.0
    timeout_s: Annotated[float, Field(gt=0)] = 300.0
    attempts: Annotated[int, Field(ge=1, le=100)] = 6
    backoff_s: Annotated[float, Field(ge=0)] = 0.5
    max_backoff_s: Annotated[float, Field(ge=0)] = 60.0
    max_answer_bytes: Annotated[int, Field(ge=1_000)] = 4_000_000
    cache: str | None = None
    deployment: str = ""

    @classmethod
    def of(cls, **options: Any) -> ModelSettings:
        """Settings from options.

        Raises:
            UsageError: An option is unknown or makes no sense.
        """
        try:
            return cls(**options)
        except ValidationError as error:
            found = "; ".join(
                f"{'.'.join(map(str, each['loc'])) or 'settings'}: {each['msg']}"
                for each in error.errors(include_input=False)
            )
            raise UsageError(f"model settings: {found}") from None

    @field_validator("base_url")
    @classmethod
    def _plain_urls(cls, urls: tuple[str, ...]) -> tuple[str, ...]:
        for url in urls:
            parts = urlsplit(url)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise ValueError("expected addresses such as http://127.0.0.1:8000/v1")
            if parts.username or parts.password or parts.query:
                raise ValueError("no keys in addresses: they are stored; see api_key_env")
        if len(set(urls)) != len(urls):
            raise ValueError("an address is given twice")
        return tuple(url.rstrip("/") for url in urls)

    @field_validator("history")
    @classmethod
    def _known_window(cls, name: str | None) -> str | None:
        if name is not None and name not in ("paper", "all", "none") and not _LAST.fullmatch(name):
            raise ValueError("expected paper, all, none or last-N")
        return name

    @model_validator(mode="after")
    def _sensible(self) -> ModelSettings:
        if self.style.endswith("chat") and self.history not in (None, "all"):
            raise ValueError("history: a chat holds all of it; nothing sent is ever changed")
        if self.style == "compact" and self.history not in (None, "none"):
            raise ValueError("history: a compact prompt has none")
        if self.context_tokens is not None and self.max_tokens >= self.context_tokens:
            raise ValueError(
                f"max_tokens={self.max_tokens:,} leaves no room for a prompt in "
                f"context_tokens={self.context_tokens:,}: lower max_tokens"
            )
        reserved = {"model", "messages", "stream", "n", "seed"} & set(self.extra_body)
        if reserved:
            raise ValueError(f"extra_body: {', '.join(sorted(reserved))} are not to be set here")
        return self

    def window(self, *, several: bool) -> int | None:
        """Turns of history in a ``paper`` prompt; None for all of them."""
        name = self.history or "paper"
        if name == "paper":
            return 35 if several else 20  # EAR-Bench 6.4
        if name == "all":
            return None
        return 0 if name == "none" else int(name.removeprefix("last-"))

    def key(self) -> str | None:
        """The API key, from the environment.

        Raises:
            UsageError: The variable is not set.
        """
        if self.api_key_env is None:
            return None
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise UsageError(f"the environment variable {self.api_key_env} is not set")
        return key

    def parameters(self) -> dict[str, Any]:
        """What every request says besides its messages, seed and constraint."""
        fields: dict[str, Any] = {
            "model": self.model,
            "temperature": self.temperature,
            "top_p": self.top_p,
            self.token_limit: self.max_tokens,
            "presence_penalty": self.presence_penalty,
            "frequency_penalty": self.frequency_penalty,
            "n": 1,
            "stream": False,
            "stop": list(self.stop) or None,
            "top_k": self.top_k,
            "min_p": self.min_p,
            "repetition_penalty": self.repetition_penalty,
        }
        given = {name: value for name, value in fields.items() if value is not None}
        return given | self.extra_body
