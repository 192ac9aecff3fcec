"""What a model is sent in the styles `chat` and `paper`, and what each remembers of the episode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from earsim.envs.policy import Observation
from earsim_agents.chat.merged_observations import merge_observations, results
from earsim_agents.prompts import PromptFile
from earsim_agents.settings import ModelSettings

UNREAD = "Your last reply could not be read, and no command of it was carried out."

Message = dict[str, str]
"""A message of a chat: its `role` and its `content`."""


class Speaker(NamedTuple):
    """Whom a conversation is about, the same throughout an episode.

    Attributes:
        task: the instruction.
        agents: the whole team.
        me: the agent that is spoken to; empty where one reply commands all of them.
        several: whether a reply commands several agents.
        named: whether joint commands name all who take part (`ear-bench`).
        own: whether each agent knows what it perceived or was told, and no more.
        budget: turns of the episode.
        reply_form: how replies must look.
    """

    task: str
    agents: tuple[str, ...]
    me: str
    several: bool
    named: bool
    own: bool
    budget: int
    reply_form: str

    @property
    def team(self) -> bool:
        """Whether there are others."""
        return len(self.agents) > 1


class Conversation(Protocol):
    """Makes the messages of one decision after another."""

    def messages(
        self, decision: int, observations: Sequence[Observation], note: str = ""
    ) -> list[Message]:
        """What to send for a decision, numbered from 0.

        Args:
            decision: which it is.
            observations: what the agents are told.
            note: what stands at the end, after a blank line.
        """
        ...

    def remember(
        self, reply: str | None, commands: dict[str, str] | None, problem: str = ""
    ) -> None:
        """Take note of the answer to what was sent last.

        Args:
            reply: the text.
            commands: what was read from it; None where it could not be read.
            problem: why it could not be read.
        """
        ...

    @property
    def memory(self) -> Any:
        """What is remembered, as a JSON value."""
        ...


class ChatConversation:
    """Append-only: all that was sent stays as it was, so that a prefix cache can use it again."""

    def __init__(self, settings: ModelSettings, prompt: PromptFile, side: Speaker) -> None:
        self._settings, self._prompt, self._side = settings, prompt, side
        self._messages: list[Message] = [system_message(settings, prompt, side)]
        self._helped: dict[str, list[str]] = {}
        self._problem = ""

    def messages(
        self, decision: int, observations: Sequence[Observation], note: str = ""
    ) -> list[Message]:
        """Everything sent and heard so far, and what is new."""
        inputs = turn_inputs(self._side, decision, observations, self._problem)
        first = len(self._messages) == 1
        # The changes count from what is read here, so they are read on the first turn as well.
        changes = merge_observations(observations, lambda told: told.changes)
        inputs["help"] = merge_observations(observations, self._new_help)
        if first:
            inputs["scene"] = merge_observations(observations, lambda told: told.scene)
        else:
            inputs["changes"] = changes
        text = self._prompt.render("first" if first else "next", inputs)
        self._messages.append(user_message(text, note))
        return list(self._messages)

    def _new_help(self, told: Observation) -> str:
        """All commands at first, then those that are new or gone."""
        lines, before = told.help.split("\n"), self._helped.get(told.agent)
        self._helped[told.agent] = lines
        if before is None:
            return told.help
        if lines == before:
            return ""
        gone = [f"- {line.strip()}" for line in before if line not in lines]
        new = [f"+ {line.strip()}" for line in lines if line not in before]
        return "\n".join([*gone, *new])

    def remember(
        self, reply: str | None, commands: dict[str, str] | None, problem: str = ""
    ) -> None:
        """The reply becomes part of the conversation."""
        self._problem = problem
        content = clipped(reply or "", self._settings.reply_chars)
        self._messages.append({"role": "assistant", "content": content})

    @property
    def memory(self) -> dict[str, Any]:
        """The whole conversation."""
        return {"messages": list(self._messages)}


class PastTurn(NamedTuple):
    """A past turn as a `paper` prompt tells it.

    Attributes:
        number: from 1, over the whole episode.
        said: the reply, or the commands where one reply commands several.
        came: what became of it.
    """

    number: int
    said: str
    came: str


class PaperConversation:
    """A system message and one user message, built anew for every decision (EAR-Bench 6.1)."""

    def __init__(self, settings: ModelSettings, prompt: PromptFile, side: Speaker) -> None:
        self._settings, self._prompt, self._side = settings, prompt, side
        self._system = system_message(settings, prompt, side)
        self._window = settings.window(several=side.several)
        self._turns: list[PastTurn] = []
        self._said: str | None = None
        self._problem = ""

    def messages(
        self, decision: int, observations: Sequence[Observation], note: str = ""
    ) -> list[Message]:
        """The world as it is, and what was done so far."""
        inputs = turn_inputs(self._side, decision, observations, self._problem)
        if self._said is not None:
            came = _indented(inputs["told"] or "No command was carried out.")
            self._turns.append(PastTurn(len(self._turns) + 1, _indented(self._said), came))
            self._said = None
        window = len(self._turns) if self._window is None else self._window
        inputs |= {
            "scene": merge_observations(observations, lambda told: told.scene),
            "help": merge_observations(observations, lambda told: told.help),
            "history": self._turns[-window:] if window else [],
        }
        return [self._system, user_message(self._prompt.render("user", inputs), note)]

    def remember(
        self, reply: str | None, commands: dict[str, str] | None, problem: str = ""
    ) -> None:
        """The next prompt tells what was said: the whole reply, or the commands of several."""
        self._problem = problem
        if self._side.several and commands is not None:
            self._said = "; ".join(f"{agent}: {command}" for agent, command in commands.items())
        else:
            self._said = clipped(reply or "(no reply)", self._settings.reply_chars)

    @property
    def memory(self) -> dict[str, Any]:
        """The turns so far, and what was said last."""
        return {"turns": [turn._asdict() for turn in self._turns], "said": self._said}


def system_message(settings: ModelSettings, prompt: PromptFile, side: Speaker) -> Message:
    """What a conversation begins with: the same text whatever the task and the agents are."""
    inputs = {
        "knowledge": settings.knowledge,
        "several": side.several,
        "team": side.team,
        "named": side.named,
        "own_knowledge": side.own,
        "reply_form": side.reply_form,
    }
    return {"role": "system", "content": prompt.render("system", inputs)}


def user_message(text: str, note: str) -> Message:
    """What is told of a turn, with a note at its end if there is one."""
    return {"role": "user", "content": f"{text}\n\n{note}" if note else text}


def turn_inputs(
    side: Speaker, decision: int, observations: Sequence[Observation], problem: str
) -> dict[str, Any]:
    """What the blocks of every style may use, of a decision numbered from 0.

    What became of the last decision begins with why the last reply could not be read, if it could
    not; so it stands in every prompt, those of users included.
    """
    told = results(observations) if side.several else observations[0].told
    if problem:
        told = "\n".join(filter(None, (f"{UNREAD} {problem}", told)))
    return {
        "task": side.task,
        "several": side.several,
        "team": side.team,
        "agents": side.agents,
        "me": side.me,
        "decision": decision + 1,
        "budget": side.budget,
        "told": told,
    }


def clipped(text: str, chars: int) -> str:
    """The text, or as much of it as is remembered."""
    if len(text) <= chars:
        return text
    return f"{text[:chars]}\n[{len(text) - chars:,} more characters left out]"


def _indented(text: str) -> str:
    return text.replace("\n", "\n   ")
