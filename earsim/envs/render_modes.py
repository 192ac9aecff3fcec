"""The three render modes, shared by all faces."""

from __future__ import annotations

import sys
from typing import Any

from earsim.episode import Episode
from earsim.render.words.names import whose_knowledge


def paint(episode: Episode, viewer: str, mode: str | None) -> Any:
    """Render an episode as its viewer knows it; None where there is nothing to return."""
    if mode == "ansi":
        return _text(episode, viewer)
    if mode == "human":
        sys.stdout.write(f"{episode.feedback(viewer)}\n{_text(episode, viewer)}\n\n")
        return None
    if mode == "rgb_array":
        from earsim.render.picture import draw, to_array

        return to_array(draw(episode.world, viewer=viewer))
    return None


def _text(episode: Episode, viewer: str) -> str:
    """The scene; in a team, whose knowledge of it this is stands above."""
    whose = whose_knowledge(episode.engine.blueprint, viewer)
    return f"The scene {whose}.\n{episode.full(viewer)}" if whose else episode.full(viewer)
