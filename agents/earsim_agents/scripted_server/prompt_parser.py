"""What a prompt asks for, read from the texts of the prompts that come with the policies."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

_TASK = re.compile(r"^# Task\n(.+?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)
_TURN = re.compile(r"[Tt]urn (\d+) of \d+")
_TEAM = re.compile(r"^(?:You control|Agents under your command): (.+)\.$", re.MULTILINE)
_ME = re.compile(r"^You are (\w+)\. The team: ", re.MULTILINE)


class PromptFacts(NamedTuple):
    """A request as far as a plan is concerned.

    Attributes:
        task: the instruction.
        turn: the number of the decision, from 0.
        agents: whom the reply must command; empty where there is only one agent.
        me: the one of a team that is asked alone; empty otherwise.
        numbered: commands are marked ``Agent_1_Action:``.
        memory: how a state is to be written above the commands; empty where none is asked for.
    """

    task: str
    turn: int
    agents: tuple[str, ...]
    me: str
    numbered: bool
    memory: Literal["", "json", "text"] = ""

    def reply(self, commands: Mapping[str, str], step: str = "") -> str:
        """The reply that gives these commands, in the form that the prompt asks for.

        Args:
            commands: by agent.
            step: what the plan is doing, for the state.
        """
        if self.agents:
            given = {agent: commands.get(agent, "WAIT") for agent in self.agents}
        else:
            given = {self.me: commands.get(self.me) or next(iter(commands.values()), "WAIT")}
            if self.me and self.me not in commands:
                given = {self.me: "WAIT"}
        lines = [
            f"Agent_{number}_Action: {command}"
            if self.numbered
            else f"Action {agent}: {command}"
            if self.agents
            else f"Action: {command}"
            for number, (agent, command) in enumerate(given.items(), start=1)
        ]
        return "\n".join(["Thought: the next step of the plan.", *self._state(step), *lines])

    def _state(self, step: str) -> list[str]:
        """The line with the state, if one is asked for."""
        done = f"{self.turn} turns of the plan"
        if self.memory == "text":
            return [f"State: {step}, {done} done"]
        if not self.memory:
            return []
        state = {"step": step, "goal": self.task[:300], "done": [done], "next": "go on"}
        return [f"State: {json.dumps(state)}"]


def read_prompt(messages: Sequence[Mapping[str, Any]]) -> PromptFacts:
    """What a conversation asks for now."""
    texts = {role: _texts(messages, role) for role in ("system", "user")}
    first, last = texts["user"][0], texts["user"][-1]
    task, turns = _TASK.search(first), _TURN.findall(last)
    team, me = _TEAM.search(first), _ME.search(first)
    return PromptFacts(
        task=task[1].strip() if task else "",
        turn=int(turns[-1]) - 1 if turns else 0,
        agents=tuple(team[1].split(", ")) if team else (),
        me=me[1] if me else "",
        numbered="Agent_1_Action:" in texts["system"][0],
        memory=_memory(texts["system"][0]),
    )


def _memory(system: str) -> Literal["", "json", "text"]:
    if '\nState: {"step"' in system:
        return "json"
    return "text" if "\nState: TEXT\n" in system else ""


def _texts(messages: Sequence[Mapping[str, Any]], role: str) -> list[str]:
    return [str(m.get("content")) for m in messages if m.get("role") == role] or [""]
