"""The `delta` observation: the lines of the `full` picture that are new, different or gone.

Each line carries its id, and says where its thing is, so that a reader who keeps the latest line of
every id, and drops those that are gone, knows at any time what `full` would show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.render.scene_text import SceneText
from earsim.world import World


class ShownLines(NamedTuple):
    """What an agent was last shown: a line of every id, and the stamp and clock of then."""

    lines: Mapping[str, str] = {}
    at: tuple[int, int] = (-1, -1)


class Changes:
    """Remembers which lines were last shown to one agent.

    Attributes:
        shown: what it remembers. Nothing at first, so that the first text holds every line.
    """

    def __init__(self, picture: SceneText) -> None:
        self._picture = picture
        self.shown = ShownLines()

    def text(self, world: World) -> str:
        """The lines to tell now; empty when nothing changed."""
        now = (world.stamp, world.clock)
        if now == self.shown.at:
            return ""
        shown = self.shown.lines
        lines = dict(self._picture.lines(world))
        told = [f"+ {line}" for node, line in lines.items() if shown.get(node) != line]
        told += [f"- ({node}) is out of sight" for node in shown if node not in lines]
        self.shown = ShownLines(lines, now)
        return "\n".join(told)
