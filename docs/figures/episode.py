"""Draws the episode on the front page: `python -m docs.figures.episode [FILE.gif]`."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from earsim import Engine, Episode, open_suite
from earsim.render.picture import Painter, to_array

SCENARIO = "bicycle_workshop/compressor_to_the_yard"
DEFAULT_FILE = Path(__file__).parents[1] / "assets" / "episode.gif"


def frames() -> list[Image.Image]:
    """One picture per decision of the scenario's walkthrough."""
    engine = Engine(open_suite("starter").load(SCENARIO))
    episode = Episode(engine)
    painter = Painter(engine.blueprint, width=960, height=600)
    pictures = [painter.draw(episode.world, caption=engine.instruction)]
    for entry in engine.scenario.task.walkthrough:
        commands = dict(entry) if isinstance(entry, dict) else {episode.agents[0]: entry}
        episode.step(commands)
        said = "   ".join(f"{agent}: {command}" for agent, command in commands.items())
        pictures.append(painter.draw(episode.world, caption=f"{episode.decisions}  {said}"))
    return [Image.fromarray(to_array(picture)) for picture in pictures]


def main(path: Path = DEFAULT_FILE) -> None:
    """Write the animation."""
    first, *rest = [frame.quantize(64) for frame in frames()]
    path.parent.mkdir(parents=True, exist_ok=True)
    first.save(path, save_all=True, append_images=rest, duration=1600, loop=0, optimize=True)
    sys.stdout.write(f"{path}: {len(rest) + 1} pictures, {path.stat().st_size // 1024} kB\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
