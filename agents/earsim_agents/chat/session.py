"""One model speaking for one agent or several: it is asked once per decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.envs.policy import Observation, PolicyContext
from earsim.schema.records.model_call import ModelCall
from earsim_agents.chat.caller import CallSite, ModelCaller
from earsim_agents.chat.conversation import Speaker
from earsim_agents.chat.styles import conversation
from earsim_agents.client.client import Client
from earsim_agents.memory.task_memory import TaskMemory
from earsim_agents.memory.task_state import TaskMemoryState
from earsim_agents.prompts import prompt_of
from earsim_agents.replies import GRAMMARS
from earsim_agents.replies.constraint import constraint
from earsim_agents.settings import ModelSettings


class ChatSession:
    """A conversation with a model about an episode."""

    def __init__(
        self,
        settings: ModelSettings,
        client: Client,
        context: PolicyContext,
        *,
        role: str,
        me: str,
        memory: TaskMemory | None = None,
    ) -> None:
        """Begin a conversation.

        Args:
            settings: which model, prompted how.
            client: asks it.
            context: of the episode.
            role: of this voice, for the record.
            me: the agent it speaks for; empty to speak for all of them.
            memory: that it writes with its commands; None for none.
        """
        self._settings = settings
        self._caller = ModelCaller(settings, client, context)
        self._role, self._me, self._texts = role, me, context.texts
        self._grammar = GRAMMARS[settings.grammar].bringing(context.texts)
        self._written = memory
        several = not me and len(context.agents) > 1
        self._messages = context.ruleset != "ear-bench" and len(context.agents) > 1
        form = self._grammar.instructions(several=several, messages=self._messages)
        side = Speaker(
            task=context.instruction,
            agents=context.agents,
            me=me,
            several=several,
            named=context.ruleset == "ear-bench",
            own=context.scenario.knowledge == "own",
            budget=context.budget,
            reply_form=form if memory is None else f"{form}\n{memory.form}",
        )
        self._conversation = conversation(settings, prompt_of(settings), side)

    @property
    def memory(self) -> Any:
        """What the conversation remembers, as a JSON value."""
        if self._written is None:
            return self._conversation.memory
        return {**self._conversation.memory, "state": self._written.state.model_dump(mode="json")}

    @property
    def state(self) -> TaskMemoryState | None:
        """The memory that is written with its commands; None for none."""
        return None if self._written is None else self._written.state

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
        asked, told = self._asked(observations), list(observations.values())
        note = "" if self._written is None else self._written.hear(told)
        reply = await self._caller.ask(
            self._conversation.messages(decision, told, note),
            CallSite(self._role, decision, seq, self._me),
            constraint=constraint(self._settings.constrain, self._grammar, asked, observations),
            key=(decision, self._me),
        )
        text = reply.text
        if self._written is not None:
            text = self._written.take(text, cut=reply.cut)
        commands = self._grammar.read(text, asked, cut=reply.cut)
        if commands is not None and not self._messages:
            commands = {agent: self._without_message(text) for agent, text in commands.items()}
        problem = "" if commands else self._grammar.problem(text, asked, cut=reply.cut)
        chats = self._settings.style.endswith("chat")  # what was said there stays as it was
        self._conversation.remember(reply.text if chats else text, commands, problem)
        self._caller.read(commands)
        return commands

    def take_calls(self) -> list[ModelCall]:
        """The calls since this was last called."""
        return self._caller.take_calls()

    def _without_message(self, command: str) -> str:
        """A command where nothing can be said beside one; the text that it brings along stays."""
        first, _, _ = command.partition("\n")
        return command if first.partition(" ")[0].upper() in self._texts else first

    def _asked(self, observations: Mapping[str, Observation]) -> tuple[str, ...]:
        """Whom the reply must command: everybody, or those who have not said DONE."""
        if self._grammar.everybody:
            return tuple(observations)
        active = tuple(agent for agent, told in observations.items() if not told.finished)
        return active or tuple(observations)
