"""Needed thing: one of several rivals, which serve alike purposes, to be brought to a table."""

from __future__ import annotations

from typing import Any, NamedTuple


class NeededThing(NamedTuple):
    """What is to be brought where.

    Attributes:
        thing: Id of it.
        rivals: Ids of those that are not meant.
        table: Id of where it is to be brought.
        others: Ids of the rivals that do not lie there.
    """

    thing: str
    rivals: tuple[str, ...]
    table: str
    others: tuple[str, ...]

    @property
    def done(self) -> dict[str, Any]:
        """That the thing is there."""
        return self._on_table(self.thing)

    @property
    def goal(self) -> list[dict[str, Any]]:
        """Parts of the goal: that it is there, and no rival was brought with it."""
        brought = [self._on_table(other) for other in sorted(self.others)]
        return [self.done, *([{"not": {"any": brought}}] if brought else [])]

    def _on_table(self, thing: str) -> dict[str, Any]:
        return {"at": {"object": thing, "on": self.table}}
