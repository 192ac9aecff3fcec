"""The client of a run: connections, limits per server, retries and the cache, shared by all."""

from __future__ import annotations

import asyncio
import json
import re
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from earsim.errors import ContextOverflow, MissingExtra, RequestRefused, ServerFault
from earsim_agents.client.answer import Answer, BrokenAnswer, read_answer
from earsim_agents.client.cache import AnswerCache, CachedAnswer
from earsim_agents.client.failure import FailedAttempt
from earsim_agents.client.limiter import AdaptiveLimit
from earsim_agents.client.request import ChatRequest, draw
from earsim_agents.settings import ModelSettings

if TYPE_CHECKING:
    from earsim_agents.client.transport import Transport

_METRIC = re.compile(
    r"^vllm:prefix_cache_(queries|hits)(?:_total)?(?:\{[^}\n]*\})? ([0-9.e+]+)$", re.MULTILINE
)


_MOST_DOUBLINGS = 30


class Exchange(NamedTuple):
    """A request that was answered.

    Attributes:
        server: the base URL that answered.
        attempts: how many requests that took; 0 when the answer was in the cache.
        latency_ms: of the last attempt.
    """

    answer: Answer
    server: str
    attempts: int
    latency_ms: float

    @property
    def from_cache(self) -> bool:
        """Whether no server was asked."""
        return self.attempts == 0


class NoAnswer(ServerFault):
    """Every attempt failed.

    Attributes:
        server: the one asked last.
        attempts: how many there were.
    """

    def __init__(self, words: str, server: str, attempts: int) -> None:
        self.server = server
        self.attempts = attempts
        times = "once" if attempts == 1 else f"{attempts} times"
        super().__init__(f"{server}, asked {times}: {words}")

    def __reduce__(self) -> tuple[type[ServerFault], tuple[str]]:
        return (ServerFault, (str(self),))


class Refused(NoAnswer, RequestRefused):
    """The server answered, and would answer the same again."""

    def __reduce__(self) -> tuple[type[ServerFault], tuple[str]]:
        return (RequestRefused, (str(self),))


class PrefixCache(NamedTuple):
    """Prompt tokens that servers looked up in their prefix caches, and how many they found."""

    queries: int
    hits: int


class Client:
    """Asks servers for completions; make one per run and close it at the end.

    It belongs to the event loop that first uses it. A key is read from the environment for each
    request and kept nowhere.
    """

    def __init__(self, cache: AnswerCache | None = None) -> None:
        """Make a client; it connects when it is first used.

        Args:
            cache: where to look before asking, and to keep answers; the client closes it.
        """
        self._cache = cache
        self._wire: Transport | None = None
        self._limits: dict[str, AdaptiveLimit] = {}
        self._contexts: dict[tuple[str, str], int | None] = {}
        self._asking = asyncio.Lock()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close connections and cache; a second time does nothing."""
        wire, self._wire = self._wire, None
        if wire is not None:
            await wire.close()
        cache, self._cache = self._cache, None
        if cache is not None:
            cache.close()

    async def ask(
        self, request: ChatRequest, settings: ModelSettings, *, episode: str, seed: int
    ) -> Exchange:
        """Get an answer, from the cache or from the server of this episode.

        Raises:
            ServerFault: There is none after all attempts.
            ContextOverflow: The server says that the prompt is too long.
        """
        key = AnswerCache.key(request, seed=seed, deployment=settings.deployment)
        kept = None if self._cache is None else self._cache.get(key)
        if kept is not None:
            await asyncio.sleep(0)  # an episode that is played from here alone would never wait
            return Exchange(read_answer(kept.data), kept.server, 0, 0.0)
        return await self._insist(request, settings, _order(settings.base_url, episode), key)

    async def _insist(
        self, request: ChatRequest, settings: ModelSettings, servers: list[str], key: str
    ) -> Exchange:
        """Try until there is an answer; where nobody answers at all, ask the next server.

        Who is turned away because there are too many comes again: that is no failed attempt.
        """
        moves = failed = limited = 0
        first_limited = 0.0
        while True:
            server = servers[moves % len(servers)]
            limit = self._limit(server, settings)
            begun = perf_counter()
            sent_at = asyncio.get_running_loop().time()
            try:
                async with limit:
                    begun = perf_counter()
                    sent_at = asyncio.get_running_loop().time()
                    data = await self._post(server, request, settings)
                answer = read_answer(data)
            except (FailedAttempt, BrokenAnswer) as error:
                fault = error if isinstance(error, FailedAttempt) else FailedAttempt(str(error))
                if fault.overflow:
                    raise ContextOverflow(f"{server}: {fault}") from None
                if fault.limited:
                    limited += 1
                    first_limited = first_limited or sent_at
                    if sent_at - first_limited < settings.rate_limit_s:
                        pause = _pause(settings, limit.in_a_row + 1, fault, request)
                        limit.turned_away(sent_at=sent_at, pause_s=pause)
                        continue
                failed += 1
                if not fault.again or failed == settings.attempts or fault.limited:
                    lasted = f"; rate_limit_s={settings.rate_limit_s:g} is over" * fault.limited
                    kind = NoAnswer if fault.again else Refused
                    raise kind(f"{fault}{lasted}", server, failed + limited) from None
                moves += fault.moved
                await asyncio.sleep(_pause(settings, failed, fault, request))
            else:
                limit.answered()
                latency = 1000 * (perf_counter() - begun)
                if self._cache is not None:
                    self._cache.put(key, CachedAnswer(data, server))
                return Exchange(answer, server, failed + limited + 1, latency)

    def _limit(self, server: str, settings: ModelSettings) -> AdaptiveLimit:
        """Of the requests in flight to a server."""
        if server not in self._limits:
            self._limits[server] = AdaptiveLimit(settings.concurrency)
        return self._limits[server]

    async def _post(self, server: str, request: ChatRequest, settings: ModelSettings) -> bytes:
        return await self._connected().post(
            f"{server}/chat/completions",
            request.data,
            key=settings.key(),
            timeout_s=settings.timeout_s,
            limit=settings.max_answer_bytes,
        )

    def _connected(self) -> Transport:
        if self._wire is None:
            try:
                from earsim_agents.client.transport import Transport
            except ModuleNotFoundError as error:
                raise MissingExtra(error.name or "aiohttp", "llm") from error
            self._wire = Transport()
        return self._wire

    # -- what servers say of themselves --------------------------------------------------------

    async def context_tokens(self, settings: ModelSettings) -> int | None:
        """Longest prompt and reply together: as set, or as the first server says, if it does."""
        if settings.context_tokens is not None:
            return settings.context_tokens
        server = settings.base_url[0]
        known = (server, settings.model)
        async with self._asking:
            if known not in self._contexts:
                text = await self._page(f"{server}/models", settings)
                self._contexts[known] = _context_in(text, settings.model)
        return self._contexts[known]

    async def prefix_cache(self, settings: ModelSettings) -> PrefixCache | None:
        """The counters of vLLM's prefix caches, added up; None where no server reports any."""
        total, told = {"queries": 0.0, "hits": 0.0}, False
        for server in settings.base_url:
            text = await self._page(f"{server.removesuffix('/v1')}/metrics", settings)
            for name, value in _METRIC.findall(text):
                total[name] += float(value)
                told = True
        return PrefixCache(int(total["queries"]), int(total["hits"])) if told else None

    async def _page(self, url: str, settings: ModelSettings) -> str:
        limit = settings.max_answer_bytes
        return await self._connected().page(url, key=settings.key(), limit=limit)


def _order(servers: tuple[str, ...], episode: str) -> list[str]:
    """Servers by preference of an episode; it stays with the first that can be reached.

    By rendezvous hashing: when a server is added or removed, the other episodes stay where they
    are.
    """
    return sorted(servers, key=lambda server: draw(episode, server))


def _pause(
    settings: ModelSettings, attempt: int, fault: FailedAttempt, request: ChatRequest
) -> float:
    """How long to wait before the next attempt: doubling, spread out, never less than asked."""
    spread = 0.5 + draw(request.hash, attempt) / 2**32  # half a pause at least, a whole at most
    pause = settings.backoff_s * 2.0 ** min(attempt - 1, _MOST_DOUBLINGS) * spread
    return min(max(pause, fault.wait_s or 0.0), settings.max_backoff_s)


def _context_in(text: str, model: str) -> int | None:
    """What `/v1/models` says about the context of a model."""
    try:
        listed = json.loads(text)["data"]
        found: list[Any] = [each.get("max_model_len") for each in listed if each["id"] == model]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None
    return found[0] if found and isinstance(found[0], int) else None
