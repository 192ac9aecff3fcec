"""The floor plan of an episode after every decision, drawn by the code of `earsim show`.

A drawing of a decision is told as what differs from the drawing before it, in numbers of shapes
that are listed once, so an episode of many decisions stays small. Colours are names: the page has
their values in its own themes.
"""

from __future__ import annotations

from typing import Any

from earsim.render.picture.painter import Painter
from earsim.render.picture.shapes import Circle, Line, Rect, Shape, Text
from earsim.render.picture.theme import DARK, LIGHT, NAMED, named_colours
from earsim.world import World

Splice = tuple[int, int, list[int]]
"""From which place on, how many numbers go, and which come instead."""


class Drawings:
    """The drawings of one episode, as the world is looked at.

    Seen from outside, where everything is drawn and what no agent has found is pale, and by every
    agent that knows something of its own.
    """

    def __init__(self, world: World) -> None:
        """Lay out the plan; nothing is drawn before `look`."""
        self._painter = Painter(world.blueprint, theme=NAMED)
        self._shapes: dict[Shape, int] = {}
        self._said: dict[str, int] = {}
        shared = world.blueprint.knowledge == "shared"
        agents = list(world.agents)
        self._views: dict[str | None, _View] = {None: _View()}
        self._views |= {agent: _View() for agent in (agents[:1] if shared else agents)}

    def look(self, world: World) -> None:
        """Draw a world as it is now, for every view."""
        for viewer, view in self._views.items():
            drawing = self._painter.draw(world, viewer=viewer)
            numbers = [self._shapes.setdefault(s, len(self._shapes)) for s in drawing.shapes]
            said = self._said.setdefault(drawing.description, len(self._said))
            view.add(numbers, said)

    def told(self) -> dict[str, Any]:
        """All of it as data: the size, every shape once, and for each view its changes."""
        width, height = self._painter.size
        return {
            "size": [width, height],
            "shapes": [_shape(shape) for shape in self._shapes],
            "said": list(self._said),
            "views": [
                {"viewer": viewer, "frames": view.frames, "said": view.said}
                for viewer, view in self._views.items()
            ],
        }


class _View:
    """The drawings that one viewer sees."""

    def __init__(self) -> None:
        self.frames: list[Splice] = []
        self.said: list[int] = []
        self._last: list[int] = []

    def add(self, numbers: list[int], said: int) -> None:
        self.frames.append(spliced(self._last, numbers))
        self.said.append(said)
        self._last = numbers


def spliced(before: list[int], after: list[int]) -> Splice:
    """The one change that makes `after` of `before`: what both begin and end with stays."""
    most = min(len(before), len(after))
    start = next((k for k in range(most) if before[k] != after[k]), most)
    most -= start
    end = next((k for k in range(most) if before[-1 - k] != after[-1 - k]), most)
    return start, len(before) - start - end, after[start : len(after) - end]


def _shape(shape: Shape) -> list[Any]:
    """A letter for its kind, and what it is made of."""
    match shape:
        case Rect():
            return ["r", *shape]
        case Circle():
            return ["c", *shape]
        case Line():
            return ["l", *shape]
        case Text():
            return ["t", *shape]


def plan_style() -> str:
    """The colours of a drawing as custom properties, `--plan-floor` and so on, in both themes."""
    light, dark = named_colours(LIGHT), named_colours(DARK)
    names = (f"--plan-{name}: light-dark({light[name]}, {dark[name]});" for name in light)
    return f":root {{ {' '.join(names)} }}\n"
