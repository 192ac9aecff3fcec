"""Aggregation of clauses into sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from random import Random
from typing import NamedTuple

from earsim.prose import listing

_FRAMES = (
    *("{do}.",) * 8,
    *("Please {do}.",) * 3,
    "Could you {do}?",
    "Would you please {do}?",
    "I need you to {do}.",
    "Your task is to {do}.",
    "We need you to {do}.",
)
_JOINT_FRAMES = (
    *("{do} together.",) * 3,
    "Please {do} together.",
    "{names}, {do} together.",
    "{names}, please {do} together.",
    "I need {number} of you to {do} together.",
)
_JOINT_FRAMES_BEFORE = (
    "Together, {do}.",
    "Work together to {do}.",
    "{names}, work together to {do}.",
    "Join forces to {do}.",
    "{names}, it takes {number} of you: {do}.",
)
_NUMBERS = {2: "both", 3: "all three", 4: "all four"}
_LONG = (" and ", " that ", "whichever ")
_ENDS_IN_A_CLAUSE = (" that ", " whose ", " than ", "whichever ")


class ImperativeClause(NamedTuple):
    """A command without a capital, what it is about, and whether to add `together`."""

    do: str
    jointly: bool = False
    what: str = ""

    @property
    def together(self) -> str:
        """The command, to be carried out jointly."""
        if any(word in self.do for word in _ENDS_IN_A_CLAUSE):
            return f"work together to {self.do}"
        return f"{self.do} together"


def sentence(
    clauses: Sequence[ImperativeClause], names: Sequence[str], *, lead: str, rng: Random
) -> str:
    """The whole instruction; `lead`, unless empty, introduces the first clause."""
    if len(clauses) == 1 and clauses[0].jointly and not lead:
        return _joint(clauses[0], names, rng)
    do = [clause.together if clause.jointly else clause.do for clause in clauses]
    if not lead:
        return _opened(rng.choice(_FRAMES).format(do=_strung(do, rng)))
    same = len([*takewhile(lambda clause: clause.what == clauses[0].what, clauses)])
    first = _opened(f"{lead}: {_strung(do[:same], rng)}.")
    if not do[same:]:
        return first
    rest = _strung(do[same:], rng)
    return f"{first} {'After that,' if ' then ' in rest else 'Then'} {rest}."


def _joint(clause: ImperativeClause, names: Sequence[str], rng: Random) -> str:
    ends_in_a_clause = any(word in clause.do for word in _ENDS_IN_A_CLAUSE)
    frames = _JOINT_FRAMES_BEFORE if ends_in_a_clause else _JOINT_FRAMES + _JOINT_FRAMES_BEFORE
    number = _NUMBERS.get(len(names), "all")
    return _opened(rng.choice(frames).format(do=clause.do, names=listing(names), number=number))


def _strung(clauses: Sequence[str], rng: Random) -> str:
    """Clauses as one command, in their order."""
    *others, last = clauses
    if not others:
        return last
    if any(word in clause for clause in others for word in _LONG) or rng.random() < 0.3:
        return f"{', '.join(others)}, then {last}"
    if len(others) > 1:
        return f"{', '.join(others)} and {last}"
    return f"{others[0]} {rng.choice(('and', 'and', 'and then'))} {last}"


def _opened(words: str) -> str:
    return words[:1].upper() + words[1:]
