"""Models of this process behind the protocol that policies speak, for as long as a block lasts.

An evaluation asks it as it would ask vLLM: nothing in it knows where the answers come from. Replies
are written for all requests at hand together, which is what makes many episodes at once fast.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from aiohttp import web

from earsim.errors import EarSimError, ServerFault, UsageError
from earsim_training.sft.inference.constrained_decoding import constraint_of
from earsim_training.sft.inference.generation import GenerationPrompt, Generator, Reply

_QUIET_S = 0.01
"""When nobody has asked for so long, all who are going to have asked: episodes go in step."""

_START_S = 30.0

_HOTTEST = 5.0
"""The largest temperature."""


class _PendingPrompt(NamedTuple):
    model: str
    asked: GenerationPrompt
    answer: asyncio.Future[Reply]


class CheckpointServer:
    """Serves generators by name on a port of this machine, and to nobody else."""

    def __init__(self, generators: Mapping[str, Generator]) -> None:
        self._generators = generators
        self._waiting: asyncio.Queue[_PendingPrompt] = asyncio.Queue()
        self._runner: web.AppRunner | None = None
        self._work: asyncio.Task[None] | None = None
        self.url = ""

    async def start(self) -> None:
        """Begin to listen, at any free port."""
        app = web.Application(client_max_size=1 << 26)
        app.router.add_post("/v1/chat/completions", self._completion)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/health", self._health)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        self._work = asyncio.create_task(self._write())

    async def stop(self) -> None:
        """Stop listening."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()

    # -- routes ------------------------------------------------------------------------------------

    async def _health(self, request: web.Request) -> web.Response:
        return web.Response()

    async def _models(self, request: web.Request) -> web.Response:
        data = [
            {"id": name, "object": "model", "max_model_len": each.context}
            for name, each in self._generators.items()
        ]
        return web.json_response({"object": "list", "data": data})

    async def _completion(self, request: web.Request) -> web.Response:
        try:
            body = await request.json()
            name, asked = str(body.get("model")), _asked(body)
        except UsageError as error:
            return _error(400, str(error))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            return _error(400, "expected a chat completion request with messages")
        if name not in self._generators:
            return _error(404, f"The model `{name}` does not exist.")
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        await self._waiting.put(_PendingPrompt(name, asked, answer))
        try:
            reply = await answer
        except EarSimError as error:
            return _error(400, str(error))
        return web.json_response(_body(name, reply))

    # -- work --------------------------------------------------------------------------------------

    async def _write(self) -> None:
        """Gather whoever asks, write for all of them, and begin again."""
        while True:
            waiting = [await self._waiting.get()]
            while True:
                try:
                    waiting.append(await asyncio.wait_for(self._waiting.get(), _QUIET_S))
                except TimeoutError:
                    break
            for name in dict.fromkeys(each.model for each in waiting):
                await self._answer(name, [each for each in waiting if each.model == name])

    async def _answer(self, name: str, waiting: list[_PendingPrompt]) -> None:
        try:
            write = self._generators[name].write
            replies = await asyncio.to_thread(write, [each.asked for each in waiting])
        except Exception as error:  # noqa: BLE001 - it is told to everybody who waits
            words = f"{type(error).__name__}: {error}"
            for each in waiting:
                if not each.answer.done():
                    each.answer.set_exception(ServerFault(words))
            return
        for each, reply in zip(waiting, replies, strict=True):
            if not each.answer.done():
                each.answer.set_result(reply)


@contextmanager
def serving(generators: Mapping[str, Generator]) -> Iterator[str]:
    """A server in a thread of its own; gives its URL.

    Raises:
        ServerFault: It did not come up.
    """
    server = CheckpointServer(generators)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(_START_S)
        yield server.url
    except TimeoutError:
        raise ServerFault("the server of the checkpoint did not come up") from None
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(_START_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_START_S)
        loop.close()


def _asked(body: Mapping[str, Any]) -> GenerationPrompt:
    messages = [
        {"role": str(message["role"]), "content": str(message["content"])}
        for message in body["messages"]
    ]
    if not messages:
        raise KeyError("messages")
    temperature, seed = float(body.get("temperature") or 0), int(body.get("seed") or 0) % 2**63
    if not 0 <= temperature <= _HOTTEST:
        raise UsageError(f"temperature: from 0 to {_HOTTEST:g}")
    most = int(body.get("max_tokens") or body.get("max_completion_tokens") or 64)
    return GenerationPrompt(messages, most, constraint_of(body), temperature, seed)


def _body(name: str, reply: Reply) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": reply.text},
        "finish_reason": "stop" if reply.ended else "length",
    }
    usage = {
        "prompt_tokens": reply.read,
        "completion_tokens": reply.written,
        "total_tokens": reply.read + reply.written,
    }
    return {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": name,
        "choices": [choice],
        "usage": usage,
    }


def _error(status: int, message: str) -> web.Response:
    error = {"message": message, "type": "invalid_request_error", "code": status}
    return web.json_response({"error": error}, status=status)
