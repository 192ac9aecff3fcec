"""Errands: what is to be brought somewhere, and what is said to be somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

VERBS = "bring|take|carry|get|put|move|place|stow"
"""How one begins who asks for something to be brought."""

_WAYS = (
    (re.compile(r"stow (?P<body>.+)"), "away in", "in"),
    (re.compile(r"place (?P<body>.+)"), "upon", "on"),
    (re.compile(r"(?:put|move) (?P<body>.+)"), "onto", "on"),
    (re.compile(r"(?:put|move) (?P<body>.+)"), "into", "in"),
    (re.compile(r"(?:bring|take|carry|get) (?P<body>.+)"), "to", "to"),
    (re.compile(r"(?:bring|take|carry|get) (?P<body>.+)"), "onto", "on"),
)
_NEXT = re.compile(rf"(?:, and |, | and )(?=(?:{VERBS}) )")
_AND = re.compile(r"(?:, and |, | and )(?=the |what |whatever |those |that )")


class Place(NamedTuple):
    """Where a thing is to be: `room`, `on` or `in`, and the id of that."""

    relation: str
    node: str

    def holds(self, reference: str) -> dict[str, Any]:
        """The goal that a thing is there."""
        if self.relation == "room":
            return {"inside_room": {"object": reference, "room": self.node}}
        return {"at": {"object": reference, self.relation: self.node}}


class ReadErrand(NamedTuple):
    """What is to be brought where."""

    reference: str
    place: Place

    @property
    def goal(self) -> dict[str, Any]:
        """That it is there."""
        return self.place.holds(self.reference)


class Errands:
    """Reads the errands of one instruction, in its order."""

    def __init__(self, references: References) -> None:
        self.references = references

    def read(self, clause: str) -> ReadErrand:
        """What `bring the lamp to the yard` asks for.

        Raises:
            Unreadable: It asks for nothing of the kind, or names what has not been perceived.
        """
        for what, place in self._ways(clause):
            try:
                return ReadErrand(self.references.object(what), place)
            except Unreadable:
                continue
        raise Unreadable(clause)

    def to(self, clause: str) -> tuple[str, Place]:
        """Of `bring all the cans to the yard`: the words for what is brought, and the place.

        Raises:
            Unreadable: It names no place that has been perceived.
        """
        for found in self._ways(clause):
            return found
        raise Unreadable(clause)

    def all(self, said: str) -> list[ReadErrand]:
        """Several errands, in the order in which they are told.

        Raises:
            Unreadable: One of them cannot be read.
        """
        return [self.read(clause) for clause in split(said)]

    def things(self, said: str) -> list[str]:
        """The references of `the lamp and what is on the rack`.

        Raises:
            Unreadable: They cannot be read as several things.
        """
        cuts = list(_AND.finditer(said))
        for cut in cuts:
            before = list(self.references.phrases.said)
            try:
                first = self.references.object(said[: cut.start()])
                rest = said[cut.end() :]
                try:
                    return [first, self.references.object(rest)]
                except Unreadable:
                    return [first, *self.things(rest)]
            except Unreadable:
                self.references.phrases.said[:] = before
        raise Unreadable(said)

    def so(self, said: str) -> tuple[str, Place]:
        """Of `the lamp is in the yard`: the reference of the thing, and where it is.

        Raises:
            Unreadable: It does not say where something is.
        """
        for what, place in self.there(said):
            what = re.sub(r",? (?:is|are|stands|should be|however, must be)$", "", what)
            try:
                return self.references.object(what), place
            except Unreadable:
                continue
        raise Unreadable(said)

    def there(self, said: str) -> Iterator[tuple[str, Place]]:
        """The words before `in the yard`, and that place; the shortest place first."""
        cuts = list(re.finditer(r" (in|on|at|onto|over in) ", said))
        for cut in reversed(cuts):
            place = self.place(said[cut.end() :], "on" if cut[1] in ("on", "onto") else "in")
            if place is not None:
                yield said[: cut.start()], place

    def place(self, where: str, way: str) -> Place | None:
        """A room or holder; None where words name none that has been perceived."""
        try:
            room = self.references.room(where)
            if room is not None:
                return Place("room", room)
            holder = self.references.node(where)
        except Unreadable:
            return None
        if way == "to":
            way = "in" if self.references.lexicon.is_container(holder) else "on"
        return Place(way, holder)

    def _ways(self, clause: str) -> Iterator[tuple[str, Place]]:
        for pattern, word, way in _WAYS:
            match = pattern.fullmatch(clause.strip(" ,.;"))
            if match is None:
                continue
            body = match["body"]
            for cut in reversed(list(re.finditer(rf" {word} ", body))):
                place = self.place(body[cut.end() :], way)
                if place is not None:
                    yield body[: cut.start()], place


def split(said: str) -> list[str]:
    """The errands of a sentence, one by one."""
    return [part.strip(" ,.;") for part in _NEXT.split(said) if part.strip(" ,.;")]
