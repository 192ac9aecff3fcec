"""The HTTP half of a chat-completions server: routes, start and stop; a subclass answers."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from earsim.errors import EarSimError


class CompletionServer(ABC):
    """Serves models by name, in the protocol of OpenAI as vLLM speaks it.

    Attributes:
        models: context length in tokens, by name of the model.
        url: the base URL for clients, once it runs.
    """

    def __init__(self, models: Mapping[str, int]) -> None:
        self.models = dict(models)
        self.url = ""
        self._runner: web.AppRunner | None = None

    @abstractmethod
    async def complete(
        self, body: dict[str, Any], data: bytes, request: web.Request
    ) -> web.StreamResponse:
        """The response to a well-formed request for one of the models.

        Args:
            body: of the request; `messages` is a list of objects, and not empty.
            data: the same as bytes.
            request: as it came.

        Raises:
            EarSimError: It cannot be had here; the client is told why.
        """

    def refusal(self, request: web.Request) -> web.Response | None:
        """What a request is answered before it is read; None lets it pass."""
        return None

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> str:
        """Begin to listen; 0 takes any free port.

        Returns:
            The base URL.
        """
        app = web.Application(client_max_size=1 << 28)
        app.add_routes(self.routes())
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        return self.url

    async def stop(self) -> None:
        """Stop listening."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    def routes(self) -> list[web.RouteDef]:
        """The routes that are served."""
        return [
            web.post("/v1/chat/completions", self._completion),
            web.get("/v1/models", self._models),
            web.get("/health", self._health),
        ]

    async def _health(self, request: web.Request) -> web.Response:
        return web.Response()

    async def _models(self, request: web.Request) -> web.Response:
        data = [
            {"id": name, "object": "model", "max_model_len": context}
            for name, context in self.models.items()
        ]
        return web.json_response({"object": "list", "data": data})

    async def _completion(self, request: web.Request) -> web.StreamResponse:
        data = await request.read()
        refusal = self.refusal(request)
        if refusal is not None:
            return refusal
        try:
            body = json.loads(data)
        except ValueError:
            body = None
        messages = body.get("messages") if isinstance(body, dict) else None
        if not (isinstance(messages, list) and messages and all(map(_is_object, messages))):
            return error_response(400, "expected a chat completion request with messages")
        if body.get("model") not in self.models:
            return error_response(404, f"The model `{body.get('model')}` does not exist.")
        try:
            return await self.complete(body, data, request)
        except EarSimError as error:
            return error_response(400, str(error))


def completion_response(
    id: str,
    model: str,
    message: Mapping[str, Any],
    usage: Mapping[str, Any],
    *,
    finish_reason: str = "stop",
) -> web.Response:
    """A completion with one choice."""
    total = usage["prompt_tokens"] + usage["completion_tokens"]
    return web.json_response(
        {
            "id": f"chatcmpl-{id}",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
            "usage": {**usage, "total_tokens": total},
        }
    )


def error_response(status: int, message: str) -> web.Response:
    """An error as servers tell it."""
    error = {"message": message, "type": "invalid_request_error", "code": status}
    return web.json_response({"error": error}, status=status)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)
