"""Actors of a greedy plan, and their acts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from earsim.joint import joint
from earsim.schema import AgentSpec


class JointAct(NamedTuple):
    """What some do in one decision, by their numbers; several act jointly."""

    when: int
    actors: tuple[int, ...]
    verb: str
    words: str

    def text(self, agents: Sequence[AgentSpec]) -> str:
        """The command."""
        if len(self.actors) == 1:
            return f"{self.verb} {self.words}".rstrip()
        names = ",".join(agents[actor].id for actor in self.actors)
        return f"{joint(self.verb)} {names} {self.words}"


class Spot(NamedTuple):
    """Where a thing is: its room, and the piece that one goes up to."""

    room: str
    piece: str


class Actor:
    """One of those who rehearse.

    Attributes:
        room: where it is.
        by: what it stands at; the room itself in the open.
        held: what it holds, the oldest first.
        cargo: which of it is on its way to where it is needed.
        clock: decisions that it has taken.
    """

    def __init__(self, room: str) -> None:
        self.room = room
        self.by = room
        self.held: list[str] = []
        self.cargo = ""
        self.clock = 0
