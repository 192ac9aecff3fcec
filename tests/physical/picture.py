"""Facts about a world, and what can be read off them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

Fact = tuple[Any, ...]

PLACES = ("in", "on", "held", "carried", "lost")


class Picture:
    """What a set of facts says."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.place: dict[str, Fact] = {}
        self.state: dict[tuple[str, str], str] = {}
        self.together: set[tuple[str, str]] = set()
        self.room: dict[str, str] = {}
        self.focus: dict[str, str] = {}
        self.idle: set[str] = set()
        self.knows: set[tuple[str, str]] = set()
        self.read: dict[tuple[str, str], tuple[float, int]] = {}
        self.clock = 0
        for fact in facts:
            kind, subject, rest = fact[0], fact[1], fact[2:]
            if kind in PLACES:
                self.place[subject] = fact
            elif kind == "state":
                self.state[subject, rest[0]] = rest[1]
            elif kind == "together":
                self.together.add((subject, rest[0]))
            elif kind in ("room", "focus"):
                getattr(self, kind)[subject] = rest[0]
            elif kind == "idle":
                self.idle.add(subject)
            elif kind == "knows":
                self.knows.add((subject, rest[0]))
            elif kind == "read":
                self.read[subject, rest[0]] = rest[1:]
            elif kind == "clock":
                self.clock = subject

    def around(self, node: str) -> Iterator[Fact]:
        """The place of a thing, the place of what it is in or on, and so on outwards."""
        while node in self.place:
            fact = self.place[node]
            yield fact
            if fact[0] not in ("in", "on"):
                return
            node = fact[2]

    def hands(self, node: str) -> tuple[str, ...]:
        """The agents in whose hands a thing is, alone or inside something; () if in nobody's."""
        for kind, _, *holder in self.around(node):
            if kind in ("held", "carried"):
                return owners(kind, holder[0])
        return ()

    def room_of(self, node: str) -> str | None:
        """Where a thing is in the end."""
        owners = self.hands(node)
        if owners:
            return self.room[owners[0]]
        places = [fact[2] for fact in self.around(node) if len(fact) == 3]
        return places[-1] if places else None

    def is_closed(self, node: str) -> bool:
        return self.state.get((node, "is_open")) == "false"

    def is_shut_in(self, node: str) -> bool:
        """A closed container shuts off what is in it at any depth, not what lies on it."""
        return any(fact[0] == "in" and self.is_closed(fact[2]) for fact in self.around(node))

    def is_inside(self, node: str, holder: str) -> bool:
        return any(fact[0] in ("in", "on") and fact[2] == holder for fact in self.around(node))

    def piece(self, node: str) -> str:
        """The outermost thing around a thing."""
        return str([fact[1] for fact in self.around(node)][-1])

    def held(self, agent: str) -> list[str]:
        return [node for node, fact in self.place.items() if fact[0] == "held" and fact[2] == agent]

    def carriers(self, node: str) -> tuple[str, ...]:
        fact = self.place.get(node, ("",))
        return tuple(fact[2]) if fact[0] == "carried" else ()

    def carries(self, agent: str) -> str | None:
        """What an agent carries with others."""
        loads = [node for node in self.place if agent in self.carriers(node)]
        return loads[0] if loads else None

    def sight(self, room: str) -> list[str]:
        """The things to be seen in a room and in the hands of those who stand there."""
        return [
            node for node in self.place if self.room_of(node) == room and not self.is_shut_in(node)
        ]


def owners(kind: str, holder: Any) -> tuple[str, ...]:
    """The agents that the fact of a held or carried thing names."""
    return (holder,) if kind == "held" else tuple(holder)
