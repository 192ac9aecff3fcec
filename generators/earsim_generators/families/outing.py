"""Walkthrough of a task: an errand through the rooms of a draft, command by command."""

from __future__ import annotations

from earsim_generators.families.draft import SceneDraft


class Outing:
    """Commands of one agent, with what it has seen on the way.

    Attributes:
        commands: The walkthrough so far.
    """

    def __init__(self, draft: SceneDraft, start: str) -> None:
        self.commands: list[str] = []
        self._draft = draft
        self._room = start
        self._explored: set[str] = set()
        self._near = ""

    def to_room(self, room: str) -> None:
        """Go to a room and look about in it."""
        if room != self._room:
            self.say(f"GOTO {room}")
            self._room, self._near = room, ""
        if room not in self._explored:
            self.say("EXPLORE")
            self._explored.add(room)

    def to(self, thing: str, room: str | None = None) -> None:
        """Go to a thing, which is in another room than at the start if `room` says so."""
        self.to_room(room or self._draft.room_of(thing))
        if self._near != thing:
            self.say(f"GOTO {thing}")
            self._near = thing

    def say(self, *commands: str) -> None:
        """Add commands as they are."""
        self.commands.extend(commands)

    def wait(self, seconds: float) -> None:
        """Let whole seconds pass, in as many waits as that takes."""
        left = round(seconds)
        while left > 0:
            self.say(f"WAIT {min(left, _LONGEST_S)}")
            left -= _LONGEST_S


_LONGEST_S = 3600
"""The longest single `WAIT`."""
