"""Asking a model within one episode: every request is metered, seeded and recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from earsim.envs.policy import PolicyContext
from earsim.errors import ContextOverflow, ContextTooSmall, NoRoomToBegin, ServerFault
from earsim.schema.records.model_call import ModelCall
from earsim_agents.client.client import Client, Exchange, NoAnswer
from earsim_agents.client.context import ContextMeter
from earsim_agents.client.request import ChatRequest, draw, prompt_bytes
from earsim_agents.replies.thinking import Thought, split_thinking
from earsim_agents.settings import ModelSettings

ROLE_MARK = "Role: "
"""Begins the first line of a prompt that asks a model in one of several roles."""


class CallSite(NamedTuple):
    """Where in an episode a call is made.

    Attributes:
        role: what the caller is, such as ``llm`` or ``plan``; tokens are counted by it.
        decision: number of the decision, from 0.
        seq: number of the call within its decision, from 0.
        agent: whom the reply commands; empty for all agents at once.
    """

    role: str
    decision: int
    seq: int = 0
    agent: str = ""


class Reply(NamedTuple):
    """What a model said.

    Attributes:
        text: without its thoughts; None when nothing is left.
        cut: it ended because the limit of new tokens was reached.
    """

    text: str | None
    cut: bool


class ModelCaller:
    """Asks one model in one episode, as one role or several."""

    def __init__(self, settings: ModelSettings, client: Client, context: PolicyContext) -> None:
        """Make a caller.

        Args:
            settings: which model, with which parameters.
            client: sends the requests.
            context: of the episode.
        """
        self._settings, self._client = settings, client
        self._seed, self._scenario = context.seed, context.scenario.id
        self._meter: ContextMeter | None = None
        self._calls: list[ModelCall] = []

    async def ask(
        self,
        messages: Sequence[Mapping[str, str]],
        at: CallSite,
        *,
        constraint: Mapping[str, Any] | None = None,
        key: Sequence[object] | None = None,
    ) -> Reply:
        """What the model replies to these messages; the call is recorded, as unread so far.

        Args:
            messages: of the chat, each with ``role`` and ``content``.
            at: where the call is made.
            constraint: further fields of the request that restrict the reply.
            key: what the seed of the request is drawn from, beside run and scenario; when None,
                decision, agent, role and number of the call.

        Raises:
            ServerFault: There was no answer.
            NoRoomToBegin: The prompt is too long for the model, in the first decision.
            ContextOverflow: It is, in a later one.
            ContextTooSmall: The longest reply fills the model's context.
        """
        drawn_from = (at.decision, at.agent, at.role, at.seq) if key is None else key
        seed = draw(self._seed, self._scenario, *drawn_from)
        request = self._request(messages, seed, constraint or {})
        size = prompt_bytes(messages)
        meter = await self._metered()
        try:
            meter.check(size)
            exchange = await self._exchange(request, seed, at)
        except ContextOverflow as error:
            if at.decision == 0:
                raise NoRoomToBegin(str(error)) from None
            raise
        meter.learn(size, exchange.answer.prompt_tokens)
        thought = self._thought(exchange)
        self._calls.append(_answered(request, at, exchange, thought))
        return Reply(thought.reply, exchange.answer.finish_reason == "length")

    def read(self, parsed: Any) -> None:
        """Record what was read from the last reply, a JSON value."""
        self._calls[-1] = replace(self._calls[-1], parsed=parsed)

    def take_calls(self) -> list[ModelCall]:
        """What was asked and answered since this was last called."""
        taken, self._calls = self._calls, []
        return taken

    def _request(
        self, messages: Sequence[Mapping[str, str]], seed: int, constraint: Mapping[str, Any]
    ) -> ChatRequest:
        body = {**self._settings.parameters(), "messages": list(messages)}
        if self._settings.send_seed:
            body["seed"] = seed
        return ChatRequest.of({**body, **constraint})

    async def _metered(self) -> ContextMeter:
        if self._meter is None:
            limit = await self._client.context_tokens(self._settings)
            if limit is not None and self._settings.max_tokens >= limit:
                raise ContextTooSmall(
                    f"max_tokens={self._settings.max_tokens:,} leaves no room for a prompt in the "
                    f"{limit:,} tokens that {self._settings.model} has: lower max_tokens, as with "
                    f"--option max_tokens={limit // 4}"
                )
            self._meter = ContextMeter(limit, self._settings.max_tokens)
        return self._meter

    async def _exchange(self, request: ChatRequest, seed: int, at: CallSite) -> Exchange:
        episode = f"{self._seed}/{self._scenario}"
        try:
            return await self._client.ask(request, self._settings, episode=episode, seed=seed)
        except (ServerFault, ContextOverflow) as error:
            failed = error if isinstance(error, NoAnswer) else None
            self._calls.append(
                ModelCall(
                    agent=at.agent,
                    role=at.role,
                    decision=at.decision,
                    seq=at.seq,
                    request=request.body,
                    request_hash=request.hash,
                    attempts=1 if failed is None else failed.attempts,
                    server="" if failed is None else failed.server,
                    error=str(error),
                )
            )
            raise

    def _thought(self, exchange: Exchange) -> Thought:
        answer = exchange.answer
        if self._settings.strip_thinking:
            return split_thinking(answer.content, answer.reasoning)
        return Thought(answer.content, answer.reasoning)


def _answered(
    request: ChatRequest, at: CallSite, exchange: Exchange, thought: Thought
) -> ModelCall:
    answer = exchange.answer
    return ModelCall(
        agent=at.agent,
        role=at.role,
        decision=at.decision,
        seq=at.seq,
        request=request.body,
        request_hash=request.hash,
        reply=thought.reply,
        reasoning=thought.reasoning,
        finish_reason=answer.finish_reason,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        cached_tokens=answer.cached_tokens,
        attempts=exchange.attempts,
        server=exchange.server,
        model_reported=answer.model,
        latency_ms=exchange.latency_ms,
        from_cache=exchange.from_cache,
    )
