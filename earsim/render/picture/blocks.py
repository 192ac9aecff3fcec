"""How one thing is drawn: a chip with its name, or a box around what is on and in it.

Blocks are laid out from (0, 0) and placed later, as a room tries several before it keeps some.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from earsim.render.picture.contents import Content, Lid
from earsim.render.picture.shapes import Line, Rect, Shape, Text
from earsim.render.picture.theme import Theme
from earsim.render.picture.typeface import Typeface

EVERYTHING = 10_000
"""A limit on shown contents that no scene reaches."""

_DEEPEST = 4


class Block(NamedTuple):
    """Shapes with the space they take, and the blocks inside at their offsets.

    Attributes:
        cut: how many names in it had to be shortened.
    """

    width: float
    height: float
    shapes: tuple[Shape, ...]
    parts: tuple[tuple[float, float, Block], ...] = ()
    cut: int = 0

    def placed(self, x: float, y: float) -> Iterator[Shape]:
        """Its shapes and those of its parts, outermost first."""
        for shape in self.shapes:
            yield shape.shifted(x, y)
        for dx, dy, part in self.parts:
            yield from part.placed(x + dx, y + dy)


@dataclass(frozen=True, slots=True)
class Pen:
    """How to write: typeface, colours, the size of the letters and what follows from it."""

    typeface: Typeface
    theme: Theme
    size: float

    @property
    def line(self) -> float:
        """Height of a chip."""
        return float(round(self.size * 1.65))

    @property
    def pad(self) -> float:
        """Space between an edge and what it surrounds."""
        return float(round(self.size * 0.5))

    @property
    def gap(self) -> float:
        """Space between neighbours."""
        return float(round(self.size * 0.36))

    def text(self, x: float, y: float, text: str, fill: str) -> Text:
        """A line of text whose middle lies at `y`."""
        width = self.typeface.width(text, self.size)
        return Text(x, round(y + self.size * 0.35), text, self.size, fill, width)


def block_of(
    pen: Pen, thing: Content, width: float, limit: int, least: float = 0.0, depth: int = 0
) -> Block:
    """A thing from `least` to `width` wide, with at most `limit` things directly on or in it."""
    handle = pen.size * 0.8 + pen.gap if thing.lid is not Lid.NONE else 0.0
    label = pen.typeface.fit(thing.label, pen.size, width - 2 * pen.pad - handle)
    colour = pen.theme.ink if thing.known else pen.theme.unseen_ink
    title = pen.text(pen.pad, pen.line / 2, label, colour)
    natural = title.width + 2 * pen.pad + handle
    shelf, box = _contents(pen, thing, width - 2 * pen.pad, limit if depth < _DEEPEST else 0, depth)
    taken = max(shelf.width, box.width) + 2 * pen.pad if thing.on or thing.inside else 0.0
    full = round(min(width, max(natural, taken, least)))
    below = pen.line
    parts = []
    if thing.on:
        parts.append((pen.pad, below, shelf))
        below += shelf.height + pen.pad
    shapes: list[Shape] = [title, *_handle(pen, thing, full)]
    if thing.inside:
        parts.append((pen.pad, below, _drawer(pen, thing, box, full - 2 * pen.pad)))
        below += box.height + pen.pad
    cut = shelf.cut + box.cut + (label != thing.label)
    return Block(full, below, (_frame(pen, thing, full, below), *shapes), tuple(parts), cut)


def _contents(
    pen: Pen, thing: Content, width: float, limit: int, depth: int
) -> tuple[Block, Block]:
    """What lies on a thing, and what lies in it, the latter with a margin."""
    shelf = _some(pen, thing.on, width, limit, depth)
    box = _some(pen, thing.inside, width - 2 * pen.gap, limit, depth)
    framed = Block(
        box.width + 2 * pen.gap,
        box.height + 2 * pen.gap,
        (),
        ((pen.gap, pen.gap, box),),
        box.cut,
    )
    return shelf, framed


def _some(pen: Pen, things: Sequence[Content], width: float, limit: int, depth: int) -> Block:
    """As many things as the limit allows, and a count of the others."""
    blocks = [block_of(pen, thing, width, limit, depth=depth + 1) for thing in things[:limit]]
    hidden = sum(thing.size for thing in things[limit:])
    if hidden:
        blocks.append(more(pen, hidden))
    return flow(blocks, width, pen.gap)


def flow(blocks: Sequence[Block], width: float, gap: float) -> Block:
    """Blocks in rows from left to right, as words in a paragraph."""
    parts = []
    y = widest = 0.0
    for row in rows_of(blocks, width, gap):
        x = 0.0
        for block in row:
            parts.append((x, y, block))
            x += block.width + gap
        widest = max(widest, x - gap)
        y += max(block.height for block in row) + gap
    return Block(widest, max(0.0, y - gap), (), tuple(parts), sum(block.cut for block in blocks))


def rows_of(blocks: Sequence[Block], width: float, gap: float) -> list[list[Block]]:
    """Blocks broken into rows no wider than `width`, one that is wider alone in its row."""
    rows: list[list[Block]] = []
    taken = 0.0
    for block in blocks:
        if not rows or taken + gap + block.width > width:
            rows.append([block])
            taken = block.width
        else:
            rows[-1].append(block)
            taken += gap + block.width
    return rows


def more(pen: Pen, count: int) -> Block:
    """The chip that stands for things without room of their own."""
    label = pen.text(pen.pad, pen.line / 2, f"+{count} more", pen.theme.muted)
    return Block(label.width + 2 * pen.pad, pen.line, (label,))


def _frame(pen: Pen, thing: Content, width: float, height: float) -> Rect:
    theme = pen.theme
    fill = theme.furniture if thing.furniture else theme.item
    edge = theme.furniture_edge if thing.furniture else theme.item_edge
    if not thing.known:
        fill, edge = theme.floor, theme.unseen_edge
    thickness = 1.0
    if thing.watcher is not None:
        edge, thickness = theme.agent(thing.watcher), max(1.5, round(pen.size / 6))
    radius = round(pen.size * (0.3 if thing.furniture else 0.5))
    hint = thing.label if thing.label == thing.id else f"{thing.label} ({thing.id})"
    return Rect(0, 0, width, height, fill, edge, thickness, radius, thing.id, hint)


def _drawer(pen: Pen, thing: Content, box: Block, width: float) -> Block:
    """The inner side of a container."""
    theme = pen.theme
    fill = theme.inside if thing.known else theme.unseen_inside
    edge = theme.inside_edge if thing.known else theme.unseen_edge
    panel = Rect(0, 0, width, box.height, fill, edge, 1.0, pen.gap)
    return box._replace(width=width, shapes=(panel,))


def _handle(pen: Pen, thing: Content, width: float) -> Iterator[Shape]:
    """A small box at the right of the title: shut, or with its lid up."""
    if thing.lid is Lid.NONE:
        return
    side = round(pen.size * 0.75)
    yield from lid_sign(
        pen, width - pen.pad - side, (pen.line - side) / 2, thing.lid, known=thing.known
    )


def lid_sign(pen: Pen, x: float, y: float, lid: Lid, *, known: bool = True) -> Iterator[Shape]:
    """The sign for an open or closed container, its upper left corner at (x, y)."""
    colour = pen.theme.lid if known else pen.theme.unseen_ink
    side = round(pen.size * 0.75)
    x, y, stroke = round(x), round(y), max(1.0, round(pen.size / 9))
    top = y + round(side * 0.38)
    if lid is Lid.CLOSED:
        yield Rect(x, y, side, side, colour, radius=1.5)
        yield Line(x, top, x + side, top, pen.theme.floor, stroke)
        return
    yield Rect(x, top, side, y + side - top, pen.theme.floor, colour, stroke, 1.0)
    yield Line(x + stroke / 2, top, x + side - stroke, y - stroke, colour, stroke)
