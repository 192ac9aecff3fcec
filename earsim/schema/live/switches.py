"""Switches of processes: the object whose states they ask for, and these states."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.schema.live.scene import LawInFile, LiveParts
from earsim.schema.model import FieldProblem
from earsim.schema.process import Active
from earsim.schema.references import unknown

_SWITCHED = ("heats", "flow", "discharge", "charge", "burns", "drying")


def switch_problems(live: LiveParts) -> Iterator[FieldProblem]:
    """Switches that do not exist, or lack the states that are asked for."""
    for kind in _SWITCHED:
        for placed in live.laws(kind):
            yield from _switch(live, placed, placed.law)


def _switch(live: LiveParts, placed: LawInFile, law: Active) -> Iterator[FieldProblem]:
    switch = law.of or placed.thing.id
    thing = live.things.get(switch)
    if thing is None:
        if switch not in live.parts.unsure:
            yield FieldProblem((*placed.loc, "of"), *unknown("object", switch, live.things))
        return
    for name in law.while_:
        loc = (*placed.loc, "while", name)
        if name not in thing.states:
            reason, expected = unknown("state", name, thing.states)
            yield FieldProblem(loc, f"{reason} of {switch!r}", expected)
        elif not isinstance(thing.states[name], bool):
            reason = f"{name} of {switch!r} is neither true nor false"
            yield FieldProblem(loc, reason, "expected a state that is true or false")
