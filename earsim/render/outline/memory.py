"""What a reader of outlines has to remember, because an outline shows the present alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim.actions.outcome import Outcome


class OutlineMemory:
    """One agent's memory of one episode.

    A task may speak of what was: "the cup on the shelf" is the one that stood there at first, also
    when it has been taken from it.

    Attributes:
        searched: ids of the rooms that the agent has explored, in that order.
    """

    def __init__(self) -> None:
        self.searched: list[str] = []
        self._first: dict[str, tuple[str, tuple[str, ...]]] = {}

    def note_outcome(self, outcome: Outcome | None) -> None:
        """Take note of what came of the agent's last command."""
        if outcome is not None and outcome.accepted and outcome.verb == "EXPLORE":
            room = outcome.facts["room"]
            self.searched += [] if room in self.searched else [room]

    def first_seen(self, node: str, where: str, states: Sequence[str]) -> str:
        """What was otherwise when a thing was first told of; empty for nothing."""
        place, before = self._first.setdefault(node, (where, tuple(states)))
        changed = [state for state in before if state not in states]
        return ", ".join(([place] if place != where else []) + changed)

    def as_json(self) -> Mapping[str, Any]:
        """All of it, as a JSON value."""
        first = {node: [where, *states] for node, (where, states) in self._first.items()}
        return {"searched": list(self.searched), "first": first}
