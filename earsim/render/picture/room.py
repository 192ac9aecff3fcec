"""How a room is filled: its name, the furniture in columns, loose things, and the agents below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from earsim.render.picture.blocks import EVERYTHING, Block, Pen, block_of, flow, more
from earsim.render.picture.contents import Content, View
from earsim.render.picture.crew import crew_in
from earsim.render.picture.shapes import Box

_SIZES = (1.2, 1.1, 1.0, 0.92, 0.84, 0.77, 0.7)
"""Text sizes to try, as shares of the usual one."""

_LIMITS = (6, 4, 3, 2, 1, 0)
"""How many contents each thing shows, to try at the smallest size."""

_COLUMNS = 8


class Fit(NamedTuple):
    """One attempt: the blocks of a room, and how much of its height they take."""

    body: Block
    pen: Pen
    limit: int


@dataclass(frozen=True, slots=True)
class Space:
    """The room to fill: an inner width and height, and the pen for a room of middling size."""

    width: float
    height: float
    pen: Pen


def things_in(space: Space, things: Sequence[Content]) -> Block:
    """All things of a room, as large as they fit; where nothing fits, the rest is counted."""
    if not things:
        return Block(0, 0, ())
    for limit in (EVERYTHING, *_LIMITS):
        best: Block | None = None
        for share in _SIZES if limit == EVERYTHING else _SIZES[-1:]:
            pen = replace(space.pen, size=_half_pixels(space.pen.size * share))
            fits = _best_columns(pen, space, things, limit)
            if fits is not None and (best is None or fits.cut < best.cut):
                best = fits
            if fits is not None and not fits.cut:
                break
        if best is not None:
            return best
    smallest = replace(space.pen, size=_half_pixels(space.pen.size * _SIZES[-1]))
    return _truncated(smallest, space, things)


def _half_pixels(size: float) -> float:
    return max(5.0, round(size * 2) / 2)


def _best_columns(pen: Pen, space: Space, things: Sequence[Content], limit: int) -> Block | None:
    """The arrangement that fits with the fewest shortened names, then with the fewest columns."""
    best: Block | None = None
    for columns in range(1, _COLUMNS + 1):
        if columns > 1 and space.width / columns < pen.size * 8:
            break
        tried = _in_columns(pen, space, things, limit, columns)
        if tried.height <= space.height and (best is None or tried.cut < best.cut):
            best = tried
    return best


def _in_columns(
    pen: Pen, space: Space, things: Sequence[Content], limit: int, columns: int
) -> Block:
    """Furniture in columns of one width, each piece where there is most room; loose things last."""
    gap = pen.pad
    width = min((space.width - gap * (columns - 1)) / columns, pen.size * 30)
    depths = [0.0] * columns
    parts = []
    cut = 0
    for block in _pieces(pen, things, int(width), limit):
        column = depths.index(min(depths))
        parts.append((column * (int(width) + gap), depths[column], block))
        depths[column] += block.height + gap
        cut += block.cut
    return Block(space.width, max(depths) - gap, (), tuple(parts), cut)


def _pieces(pen: Pen, things: Sequence[Content], width: float, limit: int) -> Iterator[Block]:
    """Furniture and filled things one by one, then everything loose as one paragraph."""
    loose = []
    for thing in things:
        if thing.furniture or thing.on or thing.inside:
            yield block_of(pen, thing, width, limit, least=width)
        else:
            loose.append(block_of(pen, thing, width, limit))
    if loose:
        yield flow(loose, width, pen.gap)


def _truncated(pen: Pen, space: Space, things: Sequence[Content]) -> Block:
    """As many things as fit with nothing shown on or in them, and a count of the others."""
    for shown in range(len(things) - 1, 0, -1):
        rest = more(pen, sum(thing.size for thing in things[shown:]))
        short = replace(space, height=space.height - rest.height - pen.gap)
        body = _best_columns(pen, short, things[:shown], 0)
        if body is not None:
            foot = (0.0, body.height + pen.gap, rest)
            return Block(space.width, foot[1] + rest.height, (), (*body.parts, foot))
    return more(pen, sum(thing.size for thing in things))
