"""What a model is sent: prompts in three styles, and what each remembers of the episode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from earsim.envs.policy import Observation, OutlineMemory
from earsim_agents.prompts import PromptFile
from earsim_agents.scene_words import results, together
from earsim_agents.settings import ModelSettings

Message = dict[str, str]
"""A message of a chat: its `role` and its `content`."""


class Side(NamedTuple):
    """Whom a conversation is about, the same throughout an episode.

    Attributes:
        task: the instruction.
        agents: the whole team.
        me: the agent that is spoken to; empty where one reply commands all of them.
        several: whether a reply commands several agents.
        budget: turns of the episode.
        reply_form: how replies must look.
    """

    task: str
    agents: tuple[str, ...]
    me: str
    several: bool
    budget: int
    reply_form: str

    @property
    def team(self) -> bool:
        """Whether there are others."""
        return len(self.agents) > 1


class Conversation(Protocol):
    """Makes the messages of one decision after another."""

    def messages(self, decision: int, observations: Sequence[Observation]) -> list[Message]:
        """What to send for a decision, numbered from 0."""
        ...

    def remember(self, reply: str | None, commands: dict[str, str] | None) -> None:
        """Take note of the answer to what was sent last, and what was read from it."""
        ...

    @property
    def memory(self) -> Any:
        """What is remembered, as a JSON value."""
        ...


class ChatConversation:
    """Append-only: all that was sent stays as it was, so that a prefix cache can use it again."""

    def __init__(self, settings: ModelSettings, prompt: PromptFile, side: Side) -> None:
        self._settings, self._prompt, self._side = settings, prompt, side
        self._messages: list[Message] = [system_message(settings, prompt, side)]
        self._helped: dict[str, list[str]] = {}

    def messages(self, decision: int, observations: Sequence[Observation]) -> list[Message]:
        """Everything sent and heard so far, and what is new."""
        side, first = self._side, len(self._messages) == 1
        inputs: dict[str, Any] = {
            "several": side.several,
            "decision": decision + 1,
            "budget": side.budget,
            "told": _told(side, observations),
        }
        # The changes count from what is read here, so they are read on the first turn as well.
        changes = together(observations, lambda told: told.changes)
        help_ = together(observations, self._new_help)
        if first:
            inputs |= {
                "task": side.task,
                "team": side.team,
                "agents": side.agents,
                "me": side.me,
                "scene": together(observations, lambda told: told.scene),
                "help": help_,
            }
        else:
            inputs |= {"changes": changes, "help": help_}
        text = self._prompt.render("first" if first else "next", inputs)
        self._messages.append({"role": "user", "content": text})
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

    def remember(self, reply: str | None, commands: dict[str, str] | None) -> None:
        """The reply becomes part of the conversation."""
        content = clipped(reply or "", self._settings.reply_chars)
        self._messages.append({"role": "assistant", "content": content})

    @property
    def memory(self) -> dict[str, Any]:
        """The whole conversation."""
        return {"messages": list(self._messages)}


class Turn(NamedTuple):
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
    """A system message and one user message, built anew for every decision (RULES.md 6.1)."""

    def __init__(self, settings: ModelSettings, prompt: PromptFile, side: Side) -> None:
        self._settings, self._prompt, self._side = settings, prompt, side
        self._system = system_message(settings, prompt, side)
        self._window = settings.window(several=side.several)
        self._turns: list[Turn] = []
        self._said: str | None = None

    def messages(self, decision: int, observations: Sequence[Observation]) -> list[Message]:
        """The world as it is, and what was done so far."""
        side, told = self._side, _told(self._side, observations)
        if self._said is not None:
            came = _indented(told or "No command was carried out.")
            self._turns.append(Turn(len(self._turns) + 1, _indented(self._said), came))
            self._said = None
        window = len(self._turns) if self._window is None else self._window
        inputs = {
            "task": side.task,
            "several": side.several,
            "team": side.team,
            "agents": side.agents,
            "me": side.me,
            "decision": decision + 1,
            "budget": side.budget,
            "told": told,
            "scene": together(observations, lambda told: told.scene),
            "help": together(observations, lambda told: told.help),
            "history": self._turns[-window:] if window else [],
        }
        return [self._system, {"role": "user", "content": self._prompt.render("user", inputs)}]

    def remember(self, reply: str | None, commands: dict[str, str] | None) -> None:
        """The next prompt tells what was said: the whole reply, or the commands of several."""
        if self._side.several and commands is not None:
            self._said = "; ".join(f"{agent}: {command}" for agent, command in commands.items())
        else:
            self._said = clipped(reply or "(no reply)", self._settings.reply_chars)

    @property
    def memory(self) -> dict[str, Any]:
        """The turns so far, and what was said last."""
        return {"turns": [turn._asdict() for turn in self._turns], "said": self._said}


class CompactConversation:
    """A system message and one short user message, built anew for every decision.

    It has no history; what an outline does not tell of the past, its memory adds.
    """

    def __init__(self, settings: ModelSettings, prompt: PromptFile, side: Side) -> None:
        self._settings, self._prompt, self._side = settings, prompt, side
        self._system = system_message(settings, prompt, side)
        self._memory = {agent: OutlineMemory() for agent in side.agents}
        self._said = ""

    def messages(self, decision: int, observations: Sequence[Observation]) -> list[Message]:
        """What is known in few words, and what became of the last command."""
        side, told = self._side, _told(self._side, observations)
        outlines = {told.agent: told.outline(self._memory[told.agent]) for told in observations}
        inputs = {
            "task": side.task,
            "several": side.several,
            "team": side.team,
            "agents": side.agents,
            "me": side.me,
            "decision": decision + 1,
            "budget": side.budget,
            "told": told,
            "said": self._said,
            "refused": told if any(_is_refused(each) for each in observations) else "",
            "plan": together(observations, lambda told: outlines[told.agent].plan),
            "rooms": together(observations, lambda told: outlines[told.agent].rooms),
            "closed": together(observations, lambda told: outlines[told.agent].closed),
            "matters": together(observations, lambda told: outlines[told.agent].matters),
            "others": "" if side.several else outlines[observations[0].agent].others,
            "own": "\n".join(outline.own for outline in outlines.values()),
            "verbs": together(observations, _verbs),
        }
        return [self._system, {"role": "user", "content": self._prompt.render("user", inputs)}]

    def remember(self, reply: str | None, commands: dict[str, str] | None) -> None:
        """The next prompt repeats the commands; of a reply that was not read, nothing."""
        spoken = commands or {}
        if self._side.several:
            self._said = "; ".join(f"{agent}: {command}" for agent, command in spoken.items())
        else:
            self._said = next(iter(spoken.values()), "")

    @property
    def memory(self) -> dict[str, Any]:
        """What each agent remembers, and what was said last."""
        kept = {agent: memory.as_json() for agent, memory in self._memory.items()}
        return {"outlines": kept, "said": self._said}


_STYLES: dict[str, type[ChatConversation | PaperConversation | CompactConversation]] = {
    "chat": ChatConversation,
    "paper": PaperConversation,
    "compact": CompactConversation,
}


def conversation(settings: ModelSettings, prompt: PromptFile, side: Side) -> Conversation:
    """A conversation in the style that the settings ask for."""
    return _STYLES[settings.style](settings, prompt, side)


def system_message(settings: ModelSettings, prompt: PromptFile, side: Side) -> Message:
    """What a conversation begins with: the same text whatever the task and the agents are."""
    inputs = {
        "knowledge": settings.knowledge,
        "several": side.several,
        "team": side.team,
        "reply_form": side.reply_form,
    }
    return {"role": "system", "content": prompt.render("system", inputs)}


def clipped(text: str, chars: int) -> str:
    """The text, or as much of it as is remembered."""
    if len(text) <= chars:
        return text
    return f"{text[:chars]}\n[{len(text) - chars:,} more characters left out]"


def _told(side: Side, observations: Sequence[Observation]) -> str:
    return results(observations) if side.several else observations[0].told


def _is_refused(told: Observation) -> bool:
    return told.outcome is not None and not told.outcome.accepted


def _verbs(told: Observation) -> str:
    """The verbs at hand, one word each."""
    return ", ".join(dict.fromkeys(form.partition(" ")[0] for form in told.forms))


def _indented(text: str) -> str:
    return text.replace("\n", "\n   ")
