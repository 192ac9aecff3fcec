"""The three render modes, shared by all faces."""

from __future__ import annotations

import sys
from typing import Any

from earsim.episode import Episode


def paint(episode: Episode, viewer: str, mode: str | None) -> Any:
    """Render an episode as its viewer knows it; None where there is nothing to return."""
    if mode == "ansi":
        return episode.full(viewer)
    if mode == "human":
        sys.stdout.write(f"{episode.feedback(viewer)}\n{episode.full(viewer)}\n\n")
        return None
    if mode == "rgb_array":
        from earsim.render.picture import draw, to_array

        return to_array(draw(episode.world, viewer=viewer))
    return None
