"""The live state of one agent."""

from __future__ import annotations

from typing import Any

from earsim.pickled import reduced
from earsim.world.blueprint import Body


class AgentState:
    """Where an agent is, what it holds and what that lets it do.

    Every value is immutable and replaced on change, so a copy is eight assignments.

    Attributes:
        room: id of the room it stands in.
        inventory: ids held, in the order they were taken.
        near: ids in reach, where the ruleset keeps a set (`ear-bench`, EAR-Bench 2.4).
        focus: the one thing the agent stands at, where the ruleset keeps one (`physical`); its room
            when it stands in the open.
        load: kg on the books; what that means is the ruleset's affair.
        carrying: the object it carries together with others, or None.
        abilities: abilities its held tools give, distinct, in the order they were taken.
        idle: whether it has said DONE.
    """

    __slots__ = ("abilities", "carrying", "focus", "idle", "inventory", "load", "near", "room")

    def __init__(self, room: str, *, source: AgentState | None = None) -> None:
        if source is not None:  # `copy` asks for it: compiled classes cannot be made empty
            self._take(source)
            return
        self.room = room
        self.inventory: tuple[str, ...] = ()
        self.near: frozenset[str] = frozenset()
        self.focus: str = room
        self.load = 0.0
        self.carrying: str | None = None
        self.abilities: tuple[str, ...] = ()
        self.idle = False

    @classmethod
    def start(cls, body: Body) -> AgentState:
        """The state of an agent before anything happened."""
        return cls(body.start_room)

    def equals(self, other: AgentState) -> bool:
        """Whether both say the same."""
        return (
            self.room == other.room
            and self.focus == other.focus
            and self.inventory == other.inventory
            and self.carrying == other.carrying
            and self.load == other.load
            and self.abilities == other.abilities
            and self.near == other.near
            and self.idle == other.idle
        )

    def copy(self) -> AgentState:
        """An independent copy."""
        return AgentState(self.room, source=self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its attributes."""
        return reduced(self, self.room)

    def _take(self, source: AgentState) -> None:
        """Become a copy of another."""
        self.room = source.room
        self.inventory = source.inventory
        self.near = source.near
        self.focus = source.focus
        self.load = source.load
        self.carrying = source.carrying
        self.abilities = source.abilities
        self.idle = source.idle
