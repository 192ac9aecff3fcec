"""Checks of verbs of a domain against its states and tools."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.errors import did_you_mean, near_misses
from earsim.schema.model import FieldProblem
from earsim.schema.references import unknown
from earsim.schema.verb_table import verb_table
from earsim_generators.catalogue.kinds import ThingKind
from earsim_generators.catalogue.parts import DomainParts, Loc

_OF_DOORS = ("lock", "unlock")


def verb_problems(parts: DomainParts) -> Iterator[FieldProblem]:
    """Verbs that do nothing here, states that nothing changes, tools for nothing."""
    yield from _listed_verbs(parts)
    for loc, kind in parts.things.items():
        yield from _state_problems(parts, loc, kind)
        yield from _tool_problems(parts, loc, kind)


def _listed_verbs(parts: DomainParts) -> Iterator[FieldProblem]:
    verbs = verb_table()
    states = {state for kind in parts.things.values() for state in kind.states}
    provided = {verb for kind in parts.things.values() for verb in kind.provides}
    for place, name in enumerate(parts.verbs):
        loc = ("verbs", place)
        if name not in verbs:
            yield FieldProblem(loc, *unknown("verb", name, verbs))
        elif name in _OF_DOORS:
            yield FieldProblem(
                loc, f"{name!r} is for doors", "leave it out: doors bring it with them"
            )
        elif parts.complete and verbs[name].attribute not in states:
            reason = f"nothing here has the state {verbs[name].attribute!r} that {name!r} changes"
            yield FieldProblem(loc, reason, "give it to a kind, or leave the verb out")
        elif parts.complete and verbs[name].requires_tool and name not in provided:
            reason = f"{name!r} takes a tool, and nothing here provides it"
            yield FieldProblem(loc, reason, "add an item with it under provides")


def _state_problems(parts: DomainParts, loc: Loc, kind: ThingKind) -> Iterator[FieldProblem]:
    verbs = verb_table()
    changers: dict[str, list[str]] = {}
    for verb in verbs.values():
        changers.setdefault(verb.attribute, []).append(verb.name)
    for state in kind.states:
        where = (*loc, "states", state)
        if state not in changers:
            near = near_misses(state, changers)
            expected = did_you_mean(near) or "expected a state of the table of attribute verbs"
            yield FieldProblem(where, f"no verb changes {state!r}", expected)
        elif state == "is_locked":
            yield FieldProblem(where, "only doors are locked", "see locked_doors of the scene")
        elif not set(changers[state]) & set(parts.verbs):
            reason = f"none of the verbs of this domain changes {state!r}"
            yield FieldProblem(where, reason, f"list one under verbs: {', '.join(changers[state])}")


def _tool_problems(parts: DomainParts, loc: Loc, kind: ThingKind) -> Iterator[FieldProblem]:
    verbs = verb_table()
    for place, name in enumerate(kind.provides):
        where = (*loc, "provides", place)
        if name not in verbs:
            yield FieldProblem(where, *unknown("verb", name, verbs))
        elif not verbs[name].requires_tool:
            yield FieldProblem(where, f"{name!r} takes no tool", "leave it out")
        elif name not in parts.verbs:
            yield FieldProblem(where, f"{name!r} is no verb of this domain", "list it under verbs")
    if kind.provides and loc[0] == "furniture":
        reason = "furniture is no tool: tools work in a hand"
        yield FieldProblem((*loc, "provides"), reason, "make it an item")
