"""Checks of references in a domain: ids, names, places, materials, verbs, states and tools."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.errors import did_you_mean, near_misses
from earsim.schema.model import FieldProblem
from earsim.schema.references import unknown
from earsim.schema.verb_table import verb_table
from earsim_generators.catalogue.checks.numbers import number_problems
from earsim_generators.catalogue.checks.plausibility import implausible
from earsim_generators.catalogue.kinds import ANYWHERE, ItemKind, ThingKind
from earsim_generators.catalogue.parts import DomainParts, Loc


def domain_problems(parts: DomainParts) -> Iterator[FieldProblem]:
    """All findings between the parts of a domain."""
    yield from _repeated_ids(parts)
    yield from _repeated_names(parts)
    yield from _join_problems(parts)
    yield from _unconnected_rooms(parts)
    yield from _material_problems(parts)
    yield from _room_references(parts)
    yield from _place_problems(parts)
    yield from verb_problems(parts)
    yield from number_problems(parts)
    yield from implausible(parts)


def _repeated_ids(parts: DomainParts) -> Iterator[FieldProblem]:
    first: dict[str, str] = {ANYWHERE: "the word for every type of room"}
    for loc, kind in parts.kinds.items():
        if kind.id in first:
            reason = f"the id {kind.id!r} is taken by {first[kind.id]}"
            yield FieldProblem((*loc, "id"), reason, "ids are unique in a domain")
        else:
            first[kind.id] = f"{loc[0]}[{loc[1]}]"


def _repeated_names(parts: DomainParts) -> Iterator[FieldProblem]:
    """A name of two kinds, which instructions could not distinguish."""
    first: dict[str, str] = {}
    for loc, kind in parts.kinds.items():
        for key in ("names", "held_out_names"):
            for place, name in enumerate(getattr(kind, key)):
                owner = first.setdefault(name.casefold(), kind.id)
                if owner != kind.id:
                    reason = f"{name!r} is a name of {owner!r} too"
                    yield FieldProblem((*loc, key, place), reason, "expected a name of its own")


def _join_problems(parts: DomainParts) -> Iterator[FieldProblem]:
    said = {
        (room.id, other): how for room in parts.rooms.values() for other, how in room.joins.items()
    }
    for index, room in parts.rooms.items():
        for other, how in room.joins.items():
            loc = ("rooms", index, "joins", other)
            if other not in parts.room_ids and other not in parts.unsure:
                yield FieldProblem(loc, *unknown("type of room", other, parts.room_ids))
            elif said.get((other, room.id), how) != how:
                reason = f"{how!r} here and {said[other, room.id]!r} in {other!r}"
                yield FieldProblem(loc, reason, "say it once, it holds both ways")


def _unconnected_rooms(parts: DomainParts) -> Iterator[FieldProblem]:
    """Types of rooms that one never gets to from the first: no scene could have them."""
    if not parts.complete:
        return
    import networkx as nx

    first, known = parts.room_ids[0], set(parts.room_ids)
    types: nx.Graph[str] = nx.Graph()
    types.add_nodes_from(parts.room_ids)
    for room in parts.rooms.values():
        types.add_edges_from((room.id, other) for other in room.joins.keys() & known)
    joined = nx.node_connected_component(types, first)
    for index, room in parts.rooms.items():
        if room.id not in joined:
            reason = f"no way leads from {first!r} to {room.id!r}"
            yield FieldProblem(
                ("rooms", index, "joins"), reason, "expected a type of room beside it"
            )


def _material_problems(parts: DomainParts) -> Iterator[FieldProblem]:
    for loc, kind in parts.things.items():
        for material in kind.material:
            if material not in parts.densities:
                reason, expected = unknown("material", material, parts.densities)
                expected = f"{expected} Or give its density under materials"
                yield FieldProblem((*loc, "material", material), reason, expected)


def _room_references(parts: DomainParts) -> Iterator[FieldProblem]:
    known = {*parts.room_ids, *parts.unsure, ANYWHERE}
    for loc, kind in parts.things.items():
        for place, room in enumerate(kind.rooms):
            if room not in known:
                yield FieldProblem(
                    (*loc, "rooms", place), *unknown("type of room", room, parts.room_ids)
                )
    for index, kind in parts.furniture.items():
        if not kind.rooms:
            yield FieldProblem(
                ("furniture", index, "rooms"), "stands in no room", "expected some, or any"
            )


def _place_problems(parts: DomainParts) -> Iterator[FieldProblem]:
    for index, item in parts.items.items():
        loc: Loc = ("items", index)
        if not (item.rooms or item.on or item.in_):
            yield FieldProblem(loc, f"{item.id!r} has no place", "expected one of: on, in, rooms")
        yield from _holder_problems(parts, loc, item)


def _holder_problems(parts: DomainParts, loc: Loc, item: ItemKind) -> Iterator[FieldProblem]:
    for key, words in (("on", item.on), ("in", item.in_)):
        for place, word in enumerate(words):
            if word in parts.unsure and word not in parts.named:
                continue
            if word not in parts.named:
                yield FieldProblem((*loc, key, place), *_no_such_place(word, parts))
            elif key == "in" and not any(_is_container(kind) for kind in parts.named[word]):
                reason = f"{word!r} is no container"
                yield FieldProblem((*loc, key, place), reason, "give it `holds`, or use `on`")


def _no_such_place(word: str, parts: DomainParts) -> tuple[str, str]:
    if word in parts.room_ids:
        return f"{word!r} is a type of room", "list it under rooms"
    return unknown("kind or tag", word, parts.named)


def _is_container(kind: ThingKind) -> bool:
    return kind.holds is not None


_OF_DOORS = ("lock", "unlock")


def verb_problems(parts: DomainParts) -> Iterator[FieldProblem]:
    """Verbs that do nothing here, states that nothing changes, tools for nothing."""
    yield from _listed_verbs(parts)
    for loc, kind in parts.things.items():
        yield from _state_problems(parts, loc, kind)
        yield from _need_problems(loc, kind)
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


def _need_problems(loc: Loc, kind: ThingKind) -> Iterator[FieldProblem]:
    for place, state in enumerate(kind.needs):
        if state not in kind.states:
            where, known = (*loc, "needs", place), tuple(kind.states)
            yield FieldProblem(where, *unknown("state", state, known))


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
