"""What a model is sent in few words: the styles `compact`, built anew, and `compact-chat`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from earsim.envs.policy import Observation, OutlineMemory
from earsim_agents.chat.conversation import (
    Message,
    Speaker,
    clipped,
    system_message,
    turn_inputs,
    user_message,
)
from earsim_agents.chat.merged_observations import merge_observations
from earsim_agents.prompts import PromptFile
from earsim_agents.settings import ModelSettings

_PARTS = ("plan", "rooms", "closed", "matters", "others")
"""Parts of an outline of which `compact-chat` tells what is new; where one is, is told always."""


class Outlines:
    """What both styles tell, and what they remember to tell it."""

    def __init__(self, side: Speaker) -> None:
        self._side = side
        self._memory = {agent: OutlineMemory() for agent in side.agents}
        self.said = ""
        self._problem = ""

    def inputs(self, decision: int, observations: Sequence[Observation]) -> dict[str, Any]:
        """Everything that a prompt may use."""
        inputs = turn_inputs(self._side, decision, observations, self._problem)
        outlines = {each.agent: each.outline(self._memory[each.agent]) for each in observations}
        return inputs | {
            "said": self.said,
            "refused": inputs["told"] if self._went_wrong(observations) else "",
            "plan": merge_observations(observations, lambda each: outlines[each.agent].plan),
            "rooms": merge_observations(observations, lambda each: outlines[each.agent].rooms),
            "closed": merge_observations(observations, lambda each: outlines[each.agent].closed),
            "matters": merge_observations(observations, lambda each: outlines[each.agent].matters),
            "others": "" if self._side.several else outlines[observations[0].agent].others,
            "own": "\n".join(outline.own for outline in outlines.values()),
            "verbs": merge_observations(observations, _verbs),
        }

    def _went_wrong(self, observations: Sequence[Observation]) -> bool:
        return bool(self._problem) or any(map(_is_refused, observations))

    def remember(self, commands: dict[str, str] | None, problem: str) -> None:
        """Take note of what was said, or of why it could not be read."""
        self._problem = problem
        spoken = commands or {}
        if self._side.several:
            self.said = "; ".join(f"{agent}: {command}" for agent, command in spoken.items())
        else:
            self.said = next(iter(spoken.values()), "")

    @property
    def memory(self) -> dict[str, Any]:
        """What each agent remembers, and what was said last, as JSON values."""
        kept = {agent: memory.as_json() for agent, memory in self._memory.items()}
        return {"outlines": kept, "said": self.said}


class CompactConversation:
    """A system message and one short user message, built anew for every decision.

    It has no history; what an outline does not tell of the past, its memory adds.
    """

    def __init__(self, settings: ModelSettings, prompt: PromptFile, side: Speaker) -> None:
        self._prompt = prompt
        self._system = system_message(settings, prompt, side)
        self._outlines = Outlines(side)

    def messages(
        self, decision: int, observations: Sequence[Observation], note: str = ""
    ) -> list[Message]:
        """What is known in few words, and what became of the last command."""
        text = self._prompt.render("user", self._outlines.inputs(decision, observations))
        return [self._system, user_message(text, note)]

    def remember(
        self, reply: str | None, commands: dict[str, str] | None, problem: str = ""
    ) -> None:
        """The next prompt repeats the commands."""
        self._outlines.remember(commands, problem)

    @property
    def memory(self) -> dict[str, Any]:
        """What each agent remembers, and what was said last."""
        return self._outlines.memory


class CompactChatConversation:
    """Append-only: the outline at first, then its new lines and where one is.

    A line that was told stands until another of the same thing is told.
    """

    def __init__(self, settings: ModelSettings, prompt: PromptFile, side: Speaker) -> None:
        self._settings, self._prompt = settings, prompt
        self._messages = [system_message(settings, prompt, side)]
        self._outlines = Outlines(side)
        self._told: dict[str, list[str]] = {}

    def messages(
        self, decision: int, observations: Sequence[Observation], note: str = ""
    ) -> list[Message]:
        """Everything sent and heard so far, and what is new."""
        inputs = self._outlines.inputs(decision, observations)
        for part in _PARTS:
            lines, before = inputs[part].split("\n"), self._told.get(part, [])
            self._told[part] = lines
            inputs[part] = "\n".join(line for line in lines if line not in before)
        block = "first" if len(self._messages) == 1 else "next"
        text = self._prompt.render(block, inputs)
        self._messages.append(user_message(text, note))
        return list(self._messages)

    def remember(
        self, reply: str | None, commands: dict[str, str] | None, problem: str = ""
    ) -> None:
        """The reply becomes part of the conversation."""
        self._outlines.remember(commands, problem)
        content = clipped(reply or "", self._settings.reply_chars)
        self._messages.append({"role": "assistant", "content": content})

    @property
    def memory(self) -> dict[str, Any]:
        """The whole conversation, and what each agent remembers."""
        return {"messages": list(self._messages), **self._outlines.memory}


def _is_refused(told: Observation) -> bool:
    return told.outcome is not None and not told.outcome.accepted


def _verbs(told: Observation) -> str:
    """The verbs at hand, one word each."""
    return ", ".join(dict.fromkeys(form.partition(" ")[0] for form in told.forms))
