"""The scripted server: replies, faults, usage and metrics."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from typing import Any

from aiohttp import web

from earsim_agents.completion_server import (
    CompletionServer,
    completion_response,
    error_response,
)
from earsim_agents.scripted_server.prompt_parser import PromptFacts, read_prompt
from earsim_agents.scripted_server.script import ServerScript

_BYTES_PER_TOKEN = 4
_ENORMOUS = 64 * 1024 * 1024
_CHUNK = "all work and no play " * 3_000
_HANG_S = 3_600


class ScriptedServer(CompletionServer):
    """Serves a script on a port of this machine.

    Attributes:
        keys: the `Authorization` header of each request for a completion.
        requests: how many of them there were.
    """

    def __init__(self, script: ServerScript) -> None:
        super().__init__({script.model: script.max_model_len})
        self._script = script
        self._times: Counter[str] = Counter()
        self._queries = self._hits = self._generated = 0
        self._places, self._asked_at = 1.0, 0.0
        self.keys: list[str | None] = []
        self.requests = 0

    def routes(self) -> list[web.RouteDef]:
        """Those of every server, and the metrics of vLLM."""
        return [*super().routes(), web.get("/metrics", self._metrics)]

    async def _metrics(self, request: web.Request) -> web.Response:
        label = f'{{engine="0",model_name="{self._script.model}"}}'
        counters = {
            "prefix_cache_queries": self._queries,
            "prefix_cache_hits": self._hits,
            "prompt_tokens": self._queries,
            "generation_tokens": self._generated,
        }
        lines = [
            f"# TYPE vllm:{name} counter\nvllm:{name}_total{label} {float(value)}"
            for name, value in counters.items()
        ]
        return web.Response(text="\n".join(lines) + "\n")

    def refusal(self, request: web.Request) -> web.Response | None:
        """That the key does not fit."""
        self.requests += 1
        self.keys.append(request.headers.get("Authorization"))
        key = self._script.key
        if key is None or self.keys[-1] == f"Bearer {key}":
            return None
        return error_response(401, "a key that fits is needed")

    async def complete(
        self, body: dict[str, Any], data: bytes, request: web.Request
    ) -> web.StreamResponse:
        """The reply of the script, or the fault that it draws."""
        script = self._script
        name = hashlib.sha256(data).hexdigest()
        times = self._times[name]
        self._times[name] += 1
        if script.latency_ms:
            await asyncio.sleep(script.latency_ms / 1000)
        fault = "rate_limit" if self._is_too_fast() else script.fault(name, times)
        if fault is not None:
            return await self._fail(fault, request)
        return self._answer(body, read_prompt(body["messages"]), name)

    def _is_too_fast(self) -> bool:
        """Whether a request is one too many; the places of a second come free evenly."""
        rate = self._script.per_second
        if rate is None:
            return False
        now = asyncio.get_running_loop().time()
        self._places = min(1.0, self._places + rate * (now - self._asked_at))
        self._asked_at = now
        if self._places < 1.0:
            return True
        self._places -= 1.0
        return False

    # -- answers -------------------------------------------------------------------------------

    def _answer(self, body: dict[str, Any], asked: PromptFacts, name: str) -> web.Response:
        script = self._script
        prompt, cached = _tokens(body["messages"]), _cached(body["messages"], asked)
        limit = body.get("max_tokens") or body.get("max_completion_tokens") or 16
        if prompt + limit > script.max_model_len:
            return error_response(
                400,
                f"This model's maximum context length is {script.max_model_len} tokens. However, "
                f"you requested {limit} output tokens and your prompt contains {prompt}.",
            )
        reply = script.reply(name, body, asked)
        generated = -(-len(reply.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)
        self._queries += prompt
        self._hits += cached
        self._generated += generated
        usage = {
            "prompt_tokens": prompt,
            "completion_tokens": generated,
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        return completion_response(name[:24], script.model, _message(reply, script), usage)

    async def _fail(self, fault: str, request: web.Request) -> web.StreamResponse:
        script = self._script
        if fault == "rate_limit":
            response = error_response(429, "too many requests")
            response.headers["Retry-After"] = f"{script.retry_after_s:g}"
            return response
        if fault == "error":
            return error_response(500, "the engine died: <b>bold</b> \x1b[31mred")
        if fault == "hang":
            await asyncio.sleep(_HANG_S)
        if fault in ("empty", "null"):
            message = {"role": "assistant", "content": "" if fault == "empty" else None}
            usage = {"prompt_tokens": 1, "completion_tokens": 0}
            return completion_response("chatcmpl-0", script.model, message, usage)
        if fault == "broken_json":
            return web.Response(text='{"choices": [{"message": {"content": "Act', status=200)
        return await _stream(request, cut=fault == "cut")


def _message(reply: str, script: ServerScript) -> dict[str, Any]:
    thoughts = "Where was I? Ah, yes.\nAction: DONE"
    if script.thinking == "field":
        return {"role": "assistant", "content": reply, "reasoning_content": thoughts}
    if script.thinking == "tags":
        return {"role": "assistant", "content": f"<think>\n{thoughts}\n</think>\n\n{reply}"}
    return {"role": "assistant", "content": reply}


async def _stream(request: web.Request, *, cut: bool) -> web.StreamResponse:
    """A body that never ends as it should: cut off early, or larger than anybody wants."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    await response.write(b'{"choices": [{"message": {"content": "')
    if cut and request.transport is not None:
        request.transport.abort()
        return response
    for _ in range(_ENORMOUS // len(_CHUNK)):
        try:
            await response.write(_CHUNK.encode())
        except ConnectionError:  # nobody wants it
            return response
    await response.write(b'"}}]}')
    return response


def _tokens(messages: list[dict[str, Any]]) -> int:
    sizes = [len(str(message.get("content")).encode("utf-8", "replace")) for message in messages]
    return sum(-(-size // _BYTES_PER_TOKEN) for size in sizes)


def _cached(messages: list[dict[str, Any]], asked: PromptFacts) -> int:
    """What a prefix cache would have of this episode, whatever else was asked of the server.

    That is all that the conversation's previous request held, or the system message where the
    user's is built anew. Real caches also remember other episodes; this one is predictable.
    """
    if len(messages) > 2:
        return _tokens(messages[:-2])
    return _tokens(messages[:1]) if asked.turn else 0
