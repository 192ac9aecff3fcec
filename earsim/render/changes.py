"""The `delta` observation: the lines of the `full` picture that are new, different or gone.

Each line carries its id, and says where its thing is, so that a reader who keeps the latest line of
every id, and drops those that are gone, knows at any time what `full` would show.
"""

from __future__ import annotations

from earsim.render.scene_text import SceneText
from earsim.world import World


class Changes:
    """Remembers which lines were last shown to one agent.

    The first text after `forget` holds every line.
    """

    def __init__(self, picture: SceneText) -> None:
        self._picture = picture
        self.forget()

    def forget(self) -> None:
        """Nothing has been shown."""
        self._shown: dict[str, str] = {}
        self._now = (-1, -1)

    def text(self, world: World) -> str:
        """The lines to tell now; empty when nothing changed."""
        now = (world.stamp, world.clock)
        if now == self._now:
            return ""
        self._now = now
        shown = self._shown
        lines = dict(self._picture.lines(world))
        told = [f"+ {line}" for node, line in lines.items() if shown.get(node) != line]
        told += [f"- ({node}) is out of sight" for node in shown if node not in lines]
        self._shown = lines
        return "\n".join(told)
