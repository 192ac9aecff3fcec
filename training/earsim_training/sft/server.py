"""Models of this process behind the protocol that policies speak, for as long as a block lasts.

An evaluation asks it as it would ask vLLM: nothing in it knows where the replies come from. All
requests at hand are sampled in one batch, which is what makes many episodes at once fast.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from aiohttp import web

from earsim.errors import ServerFault, UsageError
from earsim_agents.completion_server import CompletionServer, completion_response
from earsim_training.sampling import Completion, Sampler, SamplingRequest

_QUIET_S = 0.01
"""When nobody has asked for so long, all who are going to have asked: episodes go in step."""

_START_S = 30.0

_MAX_TEMPERATURE = 5.0


class _Pending(NamedTuple):
    model: str
    request: SamplingRequest
    completion: asyncio.Future[Completion]


class CheckpointServer(CompletionServer):
    """Serves models by name on a port of this machine, and to nobody else."""

    def __init__(self, samplers: Mapping[str, Sampler]) -> None:
        super().__init__({name: sampler.context for name, sampler in samplers.items()})
        self._samplers = samplers
        self._pending: asyncio.Queue[_Pending] = asyncio.Queue()
        self._sampling: asyncio.Task[None] | None = None

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> str:
        """Begin to listen and to sample."""
        self._sampling = asyncio.create_task(self._sample())
        return await super().start(port, host)

    async def stop(self) -> None:
        """Stop both."""
        if self._sampling is not None:
            self._sampling.cancel()
            await asyncio.gather(self._sampling, return_exceptions=True)
        await super().stop()

    async def complete(
        self, body: dict[str, Any], data: bytes, request: web.Request
    ) -> web.Response:
        """A reply that the model samples.

        Raises:
            UsageError: A field has a value that makes no sense.
            ServerFault: Sampling failed.
        """
        name = str(body["model"])
        sampler = self._samplers[name]
        asked = _request(sampler, body)
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        await self._pending.put(_Pending(name, asked, future))
        completion = await future
        return completion_response(
            "0",
            name,
            {"role": "assistant", "content": sampler.decode(completion.ids)},
            {"prompt_tokens": len(asked.prompt), "completion_tokens": len(completion.ids)},
            finish_reason="stop" if completion.ended else "length",
        )

    async def _sample(self) -> None:
        """Gather whoever asks, sample for all of them, and begin again."""
        while True:
            batch = [await self._pending.get()]
            while True:
                try:
                    batch.append(await asyncio.wait_for(self._pending.get(), _QUIET_S))
                except TimeoutError:
                    break
            for name in dict.fromkeys(each.model for each in batch):
                await self._answer(name, [each for each in batch if each.model == name])

    async def _answer(self, name: str, batch: list[_Pending]) -> None:
        requests = [each.request for each in batch]
        try:
            completions = await asyncio.to_thread(self._samplers[name].sample, requests)
        except Exception as error:  # noqa: BLE001 - it is told to everybody who waits
            words = f"{type(error).__name__}: {error}"
            for each in batch:
                if not each.completion.done():
                    each.completion.set_exception(ServerFault(words))
            return
        for each, completion in zip(batch, completions, strict=True):
            if not each.completion.done():
                each.completion.set_result(completion)


@contextmanager
def serving(samplers: Mapping[str, Sampler]) -> Iterator[str]:
    """A server in a thread of its own; gives its URL.

    Raises:
        ServerFault: It did not come up.
    """
    server = CheckpointServer(samplers)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(server.start(), loop).result(_START_S)
    except TimeoutError:
        raise ServerFault("the server of the checkpoint did not come up") from None
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(_START_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_START_S)
        loop.close()


def _request(sampler: Sampler, body: Mapping[str, Any]) -> SamplingRequest:
    messages = [
        {"role": str(message.get("role")), "content": str(message.get("content"))}
        for message in body["messages"]
    ]
    try:
        temperature = float(body.get("temperature") or 0)
        seed = int(body.get("seed") or 0) % 2**63
        limit = int(body.get("max_tokens") or body.get("max_completion_tokens") or 64)
    except (ValueError, TypeError, OverflowError) as error:
        raise UsageError(f"temperature, seed and max_tokens are numbers: {error}") from None
    if not 0 <= temperature <= _MAX_TEMPERATURE:
        raise UsageError(f"temperature: from 0 to {_MAX_TEMPERATURE:g}")
    return SamplingRequest(sampler.encode(messages), limit, temperature, seed, pattern_of(body))


def pattern_of(body: Mapping[str, Any]) -> Any:
    """What a reply has to match by vLLM's field `structured_outputs`; None for anything.

    Raises:
        UsageError: The field asks for something that cannot be had here.
    """
    asked = body.get("structured_outputs")
    if asked is None:
        return None
    import regex  # the standard library cannot match the beginning of a match

    choices, pattern = (
        (asked.get("choice"), asked.get("regex")) if isinstance(asked, dict) else (None, None)
    )
    if isinstance(choices, list) and choices:
        pattern = "|".join(regex.escape(str(text)) for text in choices)
    if not isinstance(pattern, str):
        raise UsageError("structured_outputs: only `choice` and `regex` are known here")
    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise UsageError(f"structured_outputs: no regular expression: {error}") from None
