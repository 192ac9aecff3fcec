"""Walkthrough of a task: an outing through the rooms of a draft, command by command."""

from __future__ import annotations

from itertools import pairwise

from earsim_generators.families.compared_errand import DrawnErrands
from earsim_generators.families.draft import SceneDraft

_LONGEST_S = 3600
"""The longest single `WAIT`."""


class Outing:
    """Commands of one agent, with what it has seen and opened on the way.

    Attributes:
        commands: The walkthrough so far.
    """

    def __init__(self, draft: SceneDraft, start: str = "", opened: set[str] | None = None) -> None:
        """Begin in a room, that of the draft if none is given; doors may be opened by others."""
        self.commands: list[str] = []
        self._draft = draft
        self._room = start or draft.start
        self._explored: set[str] = set()
        self._opened = set() if opened is None else opened
        self._near = ""
        if draft.errands is not None and not start:
            self.run(draft.errands)

    def run(self, errands: DrawnErrands) -> None:
        """Do errands one after the other."""
        for errand in errands.each:
            for other in errand.cleared:
                self.fetch(other)
                self.put_on(other, errand.spare)
            self.fetch(errand.thing)
            self.put_on(errand.thing, errand.table)
        for needed in errands.needed:
            self.fetch(needed.thing)
            self.put_on(needed.thing, needed.table)

    def to_room(self, room: str) -> None:
        """Go to a room, through closed doors as well, and look about in it."""
        self.walk(room)
        if room not in self._explored:
            self.say("EXPLORE")
            self._explored.add(room)

    def walk(self, room: str) -> None:
        """Go to a room, through closed doors as well."""
        for here, there in pairwise(self._draft.way(self._room, room)):
            door = self._draft.doors.get((here, there))
            if door is not None and door not in self._opened:
                self._enter(here)
                self.say(f"GOTO {door}", f"OPEN {door}")
                self._opened.add(door)
                self._near = door
        self._enter(room)

    def unlock(self, door: str, beyond: str) -> None:
        """Go to the locked door before a room, and open it with what is in hand."""
        self.walk(self._draft.way(self._room, beyond)[-2])
        self.say(f"GOTO {door}", f"UNLOCK {door}", f"OPEN {door}")
        self._near = door
        self._opened.add(door)

    def open_doors(self) -> None:
        """Open every door, for one who is to carry something in each hand."""
        for here, there in sorted(self._draft.doors):
            if self._draft.doors[here, there] not in self._opened:
                self.to_room(here)
                self.to_room(there)

    def _enter(self, room: str) -> None:
        if room != self._room:
            self.say(f"GOTO {room}")
            self._room, self._near = room, ""

    def to(self, thing: str, room: str | None = None) -> None:
        """Go to a thing, which is in another room than at the start if `room` says so."""
        self.to_room(room or self._draft.room_of(thing))
        if self._near != thing:
            self.say(f"GOTO {thing}")
            self._near = thing

    def fetch(self, thing: str) -> None:
        """Go to an item and take it in hand."""
        self.to(thing)
        self.say(f"GRAB {thing}")

    def put_on(self, thing: str, holder: str) -> None:
        """Carry what is in hand to a piece of furniture, and put it there."""
        self.to(holder)
        self.say(f"PLACE {thing} on {holder}")

    def say(self, *commands: str) -> None:
        """Add commands as they are."""
        self.commands.extend(commands)

    def wait(self, seconds: float) -> None:
        """Let whole seconds pass, in as many waits as that takes."""
        left = round(seconds)
        while left > 0:
            self.say(f"WAIT {min(left, _LONGEST_S)}")
            left -= _LONGEST_S
