"""What a line at the prompt is: a request to the game, or commands for one agent or several."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from earsim.play.resolving import Doubt, resolve
from earsim.rulesets.physical_decision import MESSAGE_VERBS

REQUESTS: Mapping[str, str] = {
    "look": "what you see and carry; look THING, look ROOM, look all",
    "help": "what you can do now; help VERB tells more. Also: ?",
    "why": "why the last command was refused, and what would help",
    "map": "the rooms and the ways between them",
    "undo": "take the last decision back; undo 3 takes back three",
    "redo": "take again what was taken back; redo 3 takes three again",
    "inventory": "what you carry. Also: i",
    "history": "what you did so far",
    "goal": "how far you are, if the game was started with --show-goal",
    "hint": "the next command of a plan: evaluators' knowledge, of all the scene; recorded",
    "least": "how few decisions a plan takes: evaluators' knowledge as well; recorded",
    "as": "as NAME: only this agent acts from now on; as all: everybody again",
    "quit": "save and leave; the same command goes on later",
}
"""What one can ask at any time; none of it costs a decision."""

EVERYBODY = ("all", "everybody")
"""Stands for every agent that is still at work."""

BESIDE = ";"
"""Stands between a command and what is said beside it: `GRAB cup; SAY it is heavy`."""

_OTHER_NAMES = {
    "?": "help",
    "i": "inventory",
    "inv": "inventory",
    "l": "look",
    "examine": "look",
    "x": "look",
    "exit": "quit",
    "q": "quit",
}
_FOR_AGENT = re.compile(r"\s*([\w ,]+?)\s*:\s*(.*)", re.DOTALL)


class Request(NamedTuple):
    """Something asked of the game itself."""

    what: str
    about: str


class TypedCommands(NamedTuple):
    """One line that is a whole decision: what each named agent is to do."""

    texts: dict[str, str]


class TypedCommand(NamedTuple):
    """A command for whoever's turn it is."""

    text: str


Line = Request | TypedCommands | TypedCommand | Doubt


def understand(line: str, agents: Mapping[str, str]) -> Line:
    """Tell what a line is.

    Args:
        line: as typed.
        agents: names by id of the agents that are still at work.
    """
    text = line.strip()
    orders = _orders(text, agents)
    if orders is not None:
        return orders
    first, _, rest = text.partition(" ")
    word = first.casefold()
    word = _OTHER_NAMES.get(word, word)
    if word in REQUESTS:
        return Request(word, rest.strip())
    if text[:1] == "?":
        return Request("help", text[1:].strip())
    return TypedCommand(text)


def one_line(command: str) -> str:
    """A command as it is typed: what is said beside it, its second line, behind a semicolon.

    Of a text that it brings along, the number of lines.
    """
    head, _, rest = command.strip().partition("\n")
    if not rest:
        return head.strip()
    if rest.split()[0] in MESSAGE_VERBS:
        return f"{head.strip()}{BESIDE} {rest.strip()}"
    count = len(rest.splitlines())
    return f"{head.strip()} ({count} {'line' if count == 1 else 'lines'})"


def _orders(text: str, agents: Mapping[str, str]) -> TypedCommands | Doubt | None:
    """`porter: GRAB key | nurse: EXPLORE`, or `porter, nurse: CORP_GRAB bed`; None for others."""
    if _addressee(text, agents) is None:
        return None
    texts: dict[str, str] = {}
    for part in text.split("|"):
        found = _addressee(part, agents)
        if found is None:
            names = ", ".join(agents)
            return Doubt(
                f'Who is to do "{part.strip()}"? Put one of {names} and a colon before it.'
            )
        for agent in found.agents:
            if agent in texts:
                return Doubt(f"{agents[agent]} can do one thing per decision.")
            texts[agent] = found.text
    return TypedCommands(texts)


class _Addressed(NamedTuple):
    agents: tuple[str, ...]
    text: str


def _addressee(part: str, agents: Mapping[str, str]) -> _Addressed | None:
    match = _FOR_AGENT.fullmatch(part)
    if match is None:
        return None
    name, text = match.group(1), match.group(2).strip()
    if name.casefold() in EVERYBODY:
        return _Addressed(tuple(agents), text)
    named = [resolve(one.strip(), agents) for one in name.split(",")]
    found = tuple([agent for agent in named if isinstance(agent, str)])
    return _Addressed(found, text) if len(found) == len(named) else None
