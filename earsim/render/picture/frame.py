"""What stands around the plan: the header and the legend."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from earsim.render.picture.blocks import Pen, lid_sign
from earsim.render.picture.contents import Lid, View
from earsim.render.picture.layout import Doorway
from earsim.render.picture.shapes import Box, Rect, Shape
from earsim.render.picture.typeface import clean
from earsim.render.picture.walls import leaf
from earsim.world import Blueprint

_GENERATED = re.compile(r"(?:_(?:train|validation|test)[a-z_]*)?_(?:\d+|sealed[0-9a-f]+)_\d{5,}$")
"""How the id of a generated scene ends: with its split, its seed and its number."""


def header(pen: Pen, area: Box, view: View, caption: str) -> Iterator[Shape]:
    """The scene's name, what just happened, and at the right whose knowledge it is, and the clock.

    The clock is left out until it has moved.
    """
    title_pen = replace(pen, size=round(pen.size * 1.35))
    middle = area.y + area.height / 2
    title = scene_title(view.world.blueprint.scene_id)
    title = title_pen.typeface.fit(title, title_pen.size, area.width / 2)
    written = title_pen.text(area.x, middle, title, pen.theme.ink)
    yield written
    right = area.right
    for words in (_clock(view.clock) if view.clock else "", view.whose):
        said = pen.typeface.fit(words, pen.size, max(0.0, right - written.x - written.width))
        if said:
            aside = pen.text(right, middle, said, pen.theme.muted)
            yield aside._replace(anchor="end", y=written.y)
            right -= aside.width + pen.size
    left = area.x + written.width + pen.size * 1.2
    text = pen.typeface.fit(clean(caption), pen.size, max(0.0, right - left))
    if text:
        yield pen.text(left, middle, text, pen.theme.muted)._replace(y=written.y)


def scene_title(scene_id: str) -> str:
    """`crystal_lab` as `Crystal lab`, and `00499`, which says little, as `Scene 00499`.

    A generated one is a scene: its id says of which family and in which split it was made.
    """
    if _GENERATED.search(scene_id):
        return "Scene"
    words = clean(scene_id).replace("_", " ")
    return f"Scene {words}" if words.isdigit() else words[:1].upper() + words[1:]


def _clock(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def legend(pen: Pen, area: Box, blueprint: Blueprint) -> Iterator[Shape]:
    """The signs that occur in this scene, in one line; what does not fit is left out."""
    x = area.x
    middle = area.y + area.height / 2
    for sign, label in _entries(blueprint):
        text = pen.text(x + pen.size * 2.4, middle, label, pen.theme.muted)
        if text.x + text.width > area.right:
            return
        yield from _sign(pen, sign, x, middle)
        yield text
        x = text.x + text.width + pen.size * 1.8


def _entries(blueprint: Blueprint) -> Iterator[tuple[str, str]]:
    if any(way.door is None for ways in blueprint.passages.values() for way in ways):
        yield "passage", "passage"
    if blueprint.doors:
        yield "open", "open door"
        yield "closed", "closed"
        yield "locked", "locked"
    if any(_can_close(blueprint, thing_id) for thing_id in blueprint.things):
        yield "lid_open", "open container"
        yield "lid_closed", "closed"
    if blueprint.bodies:
        yield "unseen", "not yet discovered"


def _can_close(blueprint: Blueprint, thing_id: str) -> bool:
    return blueprint.things[thing_id].is_container and "is_open" in blueprint.states[thing_id]


def _sign(pen: Pen, sign: str, x: float, middle: float) -> Iterator[Shape]:
    theme, width = pen.theme, round(pen.size * 1.9)
    x, middle = round(x), round(middle)
    if sign.startswith("lid"):
        lid = Lid.OPEN if sign == "lid_open" else Lid.CLOSED
        yield from lid_sign(pen, x + pen.size, middle - pen.size * 0.38, lid)
        return
    height = round(pen.size * 0.8)
    if sign == "unseen":
        top = middle - round(pen.size * 0.6)
        yield Rect(x, top, width, round(pen.size * 1.2), theme.floor, theme.unseen_edge, 1.0, 4.0)
        return
    yield Rect(x, middle - height / 2, width, height, theme.wall, radius=2.0)
    doorway = Doorway(x + width / 2, middle, width - 6, False, "", ("", ""))
    yield Rect(x + 3, middle - height / 2, width - 6, height, theme.floor)
    if sign != "passage":
        yield from leaf(doorway, height, theme, sign)
