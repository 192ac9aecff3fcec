"""Plays: what a policy does in an episode, written as one program instead of a step function.

A play is a generator. It yields commands, and is sent what the agents are told after the decision;
it yields a question to a model, and is sent the reply. Parts of a play are plays too, called with
``yield from``, so a part that takes many decisions reads like a function. Nothing runs beside it:
the same replies and observations give the same commands.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from earsim.envs.policy import Observation
from earsim.ids import well_formed
from earsim_agents.chat.caller import ROLE_MARK

Observations = Mapping[str, Observation]
Commands = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Act:
    """One decision.

    Attributes:
        commands: by agent; None where no reply could be read, which costs the decision.
    """

    commands: Commands | None


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to the model.

    Attributes:
        role: what it is asked as; calls and tokens are counted by it.
        messages: of the chat, each with ``role`` and ``content``.
    """

    role: str
    messages: Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read from the last reply, for its record.

    Attributes:
        value: a JSON value.
    """

    value: Any


Result = TypeVar("Result", covariant=True)
Play = Generator[Act | Ask | Parsed, Any, Result]
"""A play that returns a result; see the module."""


def act(commands: Commands | None) -> Play[Observations]:
    """Take a decision; what everybody is told after it."""
    observations: Observations = yield Act(commands)
    return observations


def ask(role: str, system: str, *told: str) -> Play[str | None]:
    """Ask the model in a role; its reply without thoughts, None where nothing is left of it.

    Args:
        role: what it is asked as.
        system: what it is and does in that role.
        told: what it is told, in turns: first by us, then by itself, and so on.
    """
    reply: str | None = yield question(role, system, *told)
    return reply


def question(role: str, system: str, *told: str) -> Ask:
    """What `ask` yields."""
    messages = [{"role": "system", "content": f"{ROLE_MARK}{role}\n{system}"}]
    for turn, text in enumerate(told):
        role_of_turn = "assistant" if turn % 2 else "user"
        messages.append({"role": role_of_turn, "content": well_formed(text)})
    return Ask(role, messages)


def parsed(value: Any) -> Play[None]:
    """Record what was read from the last reply, a JSON value."""
    yield Parsed(value)
