"""One verb is one record: parsing, help, admissible commands, schemas and docs derive from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Refusal, Status
from earsim.schema.verb_table import AttributeVerb
from earsim.world import World


class Call(NamedTuple):
    """One parsed command: the record it calls, and its `Slots`."""

    verb: Verb
    target: str = ""
    relation: str = ""
    destination: str = ""
    actors: tuple[str, ...] = ()

    def text(self) -> str:
        """The canonical text of the command."""
        text = self.verb.name
        if self.actors:
            text = f"{text} {','.join(self.actors)}"
        if self.target:
            text = f"{text} {self.target}"
        return f"{text} {self.relation} {self.destination}" if self.destination else text


Check = Callable[[World, str, Call], Refusal | None]
"""May object, must change nothing."""

Effect = Callable[[World, str, Call], Mapping[str, Any]]
"""Changes the world and may not fail; returns the facts of the outcome."""

Calls = Callable[[World, str, "Verb", Iterable[str]], Iterable[Call]]
"""Calls about some of the given objects that are worth checking for the admissible list."""

FixedCalls = Callable[[World, str, "Verb"], Iterable[Call]]
"""Calls that are about no particular object within reach, likewise."""


def no_calls(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterable[Call]:
    """Nothing to offer about objects."""
    return ()


def no_fixed_calls(world: World, agent: str, verb: Verb) -> Iterable[Call]:
    """Nothing to offer apart from objects."""
    return ()


class Reach(Enum):
    """Which objects a verb can be about, and so when its admissible commands can change."""

    NONE = "none"
    ROOM = "room"
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class Verb:
    """The whole definition of a verb in one ruleset.

    Attributes:
        name: canonical upper-case name.
        grammar: how its commands are written.
        checks: in this order; the first that objects decides status and reason.
        effect: what happens when none objects.
        says: what it does, for the action help and the docs.
        calls: candidates for the list of admissible commands about objects in `reach`; for verbs
            that do not use the hands these must not depend on anything that can change.
        fixed: candidates that are about no object in reach.
        reach: which objects `calls` is given.
        uses_hands: whether admissibility depends on load or grasp, not only on the object.
        joint: whether it names several actors.
        seconds: world time it takes.
        attribute: the row of the verb table, for attribute verbs.
        advertised: whether the action help lists it.
    """

    name: str
    grammar: Grammar
    checks: tuple[tuple[Check, Status], ...]
    effect: Effect
    says: str
    calls: Calls = no_calls
    fixed: FixedCalls = no_fixed_calls
    reach: Reach = Reach.NONE
    uses_hands: bool = False
    joint: bool = False
    seconds: int = 0
    attribute: AttributeVerb | None = None
    advertised: bool = True

    def parse(self, text: str) -> Call | None:
        """The command of a text that begins with this verb; None when it does not fit."""
        slots = self.grammar.parse(text)
        return None if slots is None else Call(self, *slots)

    def json_schema(self) -> dict[str, Any]:
        """The schema of the structured form, for tool-calling models."""
        return {
            "type": "object",
            "description": self.says,
            "properties": {"verb": {"const": self.name}, **self.grammar.schemas()},
            "required": ["verb", *self.grammar.required],
            "additionalProperties": False,
        }

    def from_json(self, value: Mapping[str, Any]) -> str | None:
        """The text a structured command stands for; None when it does not fit the schema."""
        slots = self.grammar.from_json(value)
        return None if slots is None else Call(self, *slots).text()


def invalid(*checks: Check) -> tuple[tuple[Check, Status], ...]:
    """Checks whose objection means the command never began."""
    return tuple((check, Status.INVALID) for check in checks)


def failure(*checks: Check) -> tuple[tuple[Check, Status], ...]:
    """Checks whose objection means the attempt failed."""
    return tuple((check, Status.FAILURE) for check in checks)


def objection(world: World, agent: str, call: Call) -> tuple[Refusal, Status] | None:
    """The first objection to a call, or None when it may take effect."""
    for check, status in call.verb.checks:
        refusal = check(world, agent, call)
        if refusal is not None:
            return refusal, status
    return None
