"""A call of a model as it is kept: what was sent, what came back, and what it took."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request to a model server and its answer, however many attempts that took.

    Attributes:
        agent: whom the reply commands; empty for all agents at once.
        role: of the caller, such as ``llm``, ``centralized`` or ``decentralized``.
        decision: number of the decision, from 0.
        seq: number of the call within its decision, from 0.
        request: the body as sent; the key that opened the server is not part of it.
        request_hash: SHA-256 of that body's canonical JSON.
        reply: the text of the answer; None when there was none.
        reasoning: what the model thought, where the server tells it apart or the text marks it.
        finish_reason: the server's word for why the answer ended.
        cached_tokens: prompt tokens that the server took from its prefix cache.
        attempts: requests made, the last included; 0 for an answer that was in our own cache.
        server: the base URL that answered, or was asked last.
        model_reported: what the server calls the model.
        latency_ms: of the attempt that was answered.
        from_cache: the answer was in our own cache.
        error: why there is no answer.
        parsed: what was read from the reply; None when it could not be read.
    """

    agent: str
    role: str
    decision: int
    seq: int
    request: dict[str, Any]
    request_hash: str
    reply: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    attempts: int = 0
    server: str = ""
    model_reported: str | None = None
    latency_ms: float = 0.0
    from_cache: bool = False
    error: str | None = None
    parsed: Any = None

    def as_json(self) -> dict[str, Any]:
        """All of it as a JSON object."""
        return asdict(self)
