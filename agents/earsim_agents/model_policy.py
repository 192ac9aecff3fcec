"""What all policies over a model have in common: settings, a client, and voices that are asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from earsim.envs.policy import Observation, PolicyContext
from earsim.errors import NotReset
from earsim.schema.records.model_call import ModelCall
from earsim_agents.chat.session import ChatSession
from earsim_agents.client import Client, open_client
from earsim_agents.memory.task_memory import MemoryKind, memory_of
from earsim_agents.memory.task_state import TeamState
from earsim_agents.prompts import prompt_of
from earsim_agents.replies import GRAMMARS
from earsim_agents.settings import ModelSettings


class ModelPolicy:
    """Asks one voice, or several at the same time, for the commands of a decision.

    One instance plays one episode at a time, and others beside it may share its client.
    """

    role = "llm"
    """What its model calls are filed under."""

    def __init__(
        self, *, client: Client | None = None, state: MemoryKind = "none", **options: Any
    ) -> None:
        """Make a policy.

        Args:
            client: of the run; one of its own, which `close` closes, when None.
            state: the memory that the model writes with its commands: ``none``, one ``string``, a
                ``typed`` state, or one whose moves are ``checked``.
            options: those of `ModelSettings`.

        Raises:
            UsageError: An option makes no sense, or the key is not in the environment.
            FileError: The prompt file cannot be used.
        """
        self.settings = ModelSettings.of(**options)
        self.settings.key()
        self._kind = state
        memory_of(state, constrain=self.settings.constrain)  # to be told of options that do not fit
        self.prompt_name = prompt_of(self.settings).name
        self._own = client is None
        self._client = client or open_client(**options)
        self._voices: dict[str, ChatSession] = {}
        self._decision = 0

    @property
    def memory(self) -> dict[str, Any]:
        """The number of the next decision, and what each voice remembers by its agent."""
        voices = {agent: voice.memory for agent, voice in self._voices.items()}
        return {"decision": self._decision, "prompt": self.prompt_name, "voices": voices}

    @property
    def state(self) -> BaseModel | None:
        """The memory that the model writes: by agent where there are several voices; None for none.

        It is saved with every decision that changes it.
        """
        states = {me: voice.state for me, voice in self._voices.items()}
        known = {me: state for me, state in states.items() if state is not None}
        if len(known) > 1:
            return TeamState(agents=known)
        return next(iter(known.values()), None)

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        self._decision = 0
        self._voices = {
            me: ChatSession(
                self.settings,
                self._client,
                context,
                role=self.role,
                me=me,
                memory=memory_of(self._kind, constrain=self.settings.constrain),
            )
            for me in self._speakers(context)
        }

    async def act(self, observations: Mapping[str, Observation]) -> dict[str, str] | None:
        """The next command of each agent; None when no reply could be read.

        Raises:
            ServerFault: A server gave no answer, however often it was asked.
            ContextOverflow: A prompt is too long for the model.
        """
        if not self._voices:
            raise NotReset
        decision, self._decision = self._decision, self._decision + 1
        asked = [
            voice.ask(decision, seq, self._heard(me, observations))
            for seq, (me, voice) in enumerate(self._voices.items())
            if not me or not observations[me].finished
        ]
        if len(asked) == 1:  # no task of its own: each change of tasks waits behind all others
            return await asked[0]
        found = await asyncio.gather(*asked, return_exceptions=True)
        for each in found:
            if isinstance(each, BaseException):
                raise each
        return _merged([each for each in found if not isinstance(each, BaseException)])

    def take_calls(self) -> list[ModelCall]:
        """The model calls since this was last asked, in the order of decisions and agents."""
        calls = [call for voice in self._voices.values() for call in voice.take_calls()]
        return sorted(calls, key=lambda call: (call.decision, call.seq))

    async def close(self) -> None:
        """Close the client, unless it was handed in."""
        if self._own:
            await self._client.close()

    def _speakers(self, context: PolicyContext) -> tuple[str, ...]:
        """For whom there is a voice each; an empty name speaks for all."""
        return ("",)

    @staticmethod
    def _heard(me: str, observations: Mapping[str, Observation]) -> Mapping[str, Observation]:
        """What a voice is told."""
        return {me: observations[me]} if me else observations


def _merged(found: list[dict[str, str] | None]) -> dict[str, str] | None:
    """Everybody's commands; an agent whose reply was unreadable is left out, unless all were."""
    read = [commands for commands in found if commands is not None]
    if not read:
        return None
    return {agent: command for commands in read for agent, command in commands.items()}


def describe(settings: ModelSettings) -> dict[str, Any]:
    """What a manifest says about a model policy: request parameters as sent, and the prompt."""
    several = GRAMMARS[settings.grammar].instructions(several=True)
    return {
        "parameters": settings.parameters(),
        "seed_sent": settings.send_seed,
        "prompt": prompt_of(settings).name,
        "reply_form": several,
    }
