"""Fittings, and verbs whose names are taken where liquids, hoses and cables are."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.schema.live.scene import LiveParts
from earsim.schema.model import FieldProblem
from earsim.schema.references import unknown
from earsim.schema.verb_table import verb_table


def fitting_problems(live: LiveParts) -> Iterator[FieldProblem]:
    """Supplies that are no fittings, and verbs of the table that have lost their names."""
    for loc, thing in live.objects():
        for place, kind in enumerate(thing.supplies):
            if kind not in thing.fittings:
                where = (*loc, "supplies", place)
                yield FieldProblem(where, *unknown("fitting", kind, thing.fittings))
    yield from _taken_names(live)


def _taken_names(live: LiveParts) -> Iterator[FieldProblem]:
    verbs, abilities = verb_table(), live.parts.abilities
    for name in sorted(_names(live)):
        state = verbs[name].attribute
        holders = [(loc, thing) for loc, thing in live.objects() if state in thing.states]
        if holders and all(_follows(thing.id, state, live) for _, thing in holders):
            continue  # and so no verb changes it
        if name in abilities:
            yield FieldProblem(("abilities", abilities.index(name)), *_taken(name))
        elif not live.parts.has_abilities:
            for loc, _ in holders:
                yield FieldProblem((*loc, "states", state), *_taken(name))


def _taken(name: str) -> tuple[str, str]:
    reason = f"the verb {name!r} of the table is not there: {name.upper()} moves liquids or joins"
    return reason, "a state that follows from a number (process 'state'), or another state"


def _names(live: LiveParts) -> set[str]:
    """The verbs of the table whose names verbs of this scene have."""
    found: set[str] = set()
    if live.vessels:
        found |= {"pour", "empty"}
        if any(thing.source for thing in live.things.values()):
            found.add("fill")
    if any(thing.fittings for thing in live.things.values()):
        found |= {"connect", "disconnect"}
    return found


def _follows(node: str, state: str, live: LiveParts) -> bool:
    """Whether a state of an object follows from a number, or from what it is joined to."""
    thing = live.things[node]
    if any(p.state is not None and p.state.name == state for p in thing.processes):
        return True
    return bool(thing.fittings) and state == "is_connected"
