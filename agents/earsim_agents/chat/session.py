"""One model speaking for one agent or several: it is asked once per decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim.envs.policy import Observation, PolicyContext
from earsim.errors import ContextOverflow, ContextTooSmall, NoRoomToBegin, ServerFault
from earsim.schema.records.model_call import ModelCall
from earsim_agents.chat.conversation import Speaker
from earsim_agents.chat.styles import conversation
from earsim_agents.client.client import Client, Exchange, NoAnswer
from earsim_agents.client.context import ContextMeter
from earsim_agents.client.request import ChatRequest, draw, prompt_bytes
from earsim_agents.prompts import prompt_of
from earsim_agents.replies import GRAMMARS
from earsim_agents.replies.constraint import constraint
from earsim_agents.replies.thinking import Thought, split_thinking
from earsim_agents.settings import ModelSettings


class ChatSession:
    """A conversation with a model about an episode.

    Attributes:
        calls: what was asked and answered since somebody last emptied this list.
    """

    def __init__(
        self, settings: ModelSettings, client: Client, context: PolicyContext, *, role: str, me: str
    ) -> None:
        """Begin a conversation.

        Args:
            settings: which model, prompted how.
            client: asks it.
            context: of the episode.
            role: of this voice, for the record.
            me: the agent it speaks for; empty to speak for all of them.
        """
        self._settings, self._client, self._context = settings, client, context
        self._role, self._me = role, me
        self._grammar = GRAMMARS[settings.grammar]
        several = not me and len(context.agents) > 1
        self._messages = context.ruleset != "ear-bench" and len(context.agents) > 1
        side = Speaker(
            task=context.instruction,
            agents=context.agents,
            me=me,
            several=several,
            named=context.ruleset == "ear-bench",
            own=context.scenario.knowledge == "own",
            budget=context.budget,
            reply_form=self._grammar.instructions(several=several, messages=self._messages),
        )
        self._conversation = conversation(settings, prompt_of(settings), side)
        self._episode = f"{context.seed}/{context.scenario.id}"
        self._meter: ContextMeter | None = None
        self.calls: list[ModelCall] = []

    @property
    def memory(self) -> Any:
        """What the conversation remembers, as a JSON value."""
        return self._conversation.memory

    async def ask(
        self, decision: int, seq: int, observations: Mapping[str, Observation]
    ) -> dict[str, str] | None:
        """The commands of this voice's agents; None when its reply could not be read.

        Raises:
            ServerFault: There was no answer.
            NoRoomToBegin: The first prompt is too long for the model.
            ContextOverflow: A later one is.
            ContextTooSmall: The longest reply fills the model's context.
        """
        asked = self._asked(observations)
        messages = self._conversation.messages(decision, list(observations.values()))
        size = prompt_bytes(messages)
        meter = await self._metered()
        request, seed = self._request(messages, decision, asked, observations)
        try:
            meter.check(size)
            exchange = await self._exchange(request, seed, decision, seq)
        except ContextOverflow as error:
            if decision == 0:
                raise NoRoomToBegin(str(error)) from None
            raise
        answer = exchange.answer
        meter.learn(size, answer.prompt_tokens)
        thought = self._thought(exchange)
        cut = answer.finish_reason == "length"
        commands = self._grammar.read(thought.reply, asked, cut=cut)
        if commands is not None and not self._messages:
            commands = {agent: text.partition("\n")[0] for agent, text in commands.items()}
        problem = "" if commands else self._grammar.problem(thought.reply, asked, cut=cut)
        self._conversation.remember(thought.reply, commands, problem)
        self.calls.append(self._answered(request, decision, seq, exchange, thought, commands))
        return commands

    def _asked(self, observations: Mapping[str, Observation]) -> tuple[str, ...]:
        """Whom the reply must command: everybody, or those who have not said DONE."""
        if self._grammar.everybody:
            return tuple(observations)
        active = tuple(agent for agent, told in observations.items() if not told.finished)
        return active or tuple(observations)

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

    def _request(
        self,
        messages: Sequence[Mapping[str, str]],
        decision: int,
        asked: Sequence[str],
        observations: Mapping[str, Observation],
    ) -> tuple[ChatRequest, int]:
        context = self._context
        seed = draw(context.seed, context.scenario.id, decision, self._me)
        body = {**self._settings.parameters(), "messages": list(messages)}
        if self._settings.send_seed:
            body["seed"] = seed
        body |= constraint(self._settings.constrain, self._grammar, asked, observations)
        return ChatRequest.of(body), seed

    async def _exchange(self, request: ChatRequest, seed: int, decision: int, seq: int) -> Exchange:
        try:
            return await self._client.ask(request, self._settings, episode=self._episode, seed=seed)
        except (ServerFault, ContextOverflow) as error:
            failed = error if isinstance(error, NoAnswer) else None
            self.calls.append(
                ModelCall(
                    agent=self._me,
                    role=self._role,
                    decision=decision,
                    seq=seq,
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
        self,
        request: ChatRequest,
        decision: int,
        seq: int,
        exchange: Exchange,
        thought: Thought,
        commands: dict[str, str] | None,
    ) -> ModelCall:
        answer = exchange.answer
        return ModelCall(
            agent=self._me,
            role=self._role,
            decision=decision,
            seq=seq,
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
            parsed=commands,
        )
