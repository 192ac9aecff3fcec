"""How a room is filled: its name, the furniture in columns, loose things, and the agents below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from earsim.render.picture.blocks import EVERYTHING, Block, Pen, block_of, flow, more, rows_of
from earsim.render.picture.contents import Content

_SIZES = (1.15, 1.07, 1.0, 0.92, 0.84, 0.77, 0.7)
"""Text sizes to try for all rooms, as shares of the usual one."""

_NOTHING = Block(0, 0, ())

_LIMITS = (6, 4, 3, 2, 1, 0)
"""How many contents each thing shows, to try at the smallest size."""

_COLUMNS = 8
_PLEASANT, _NARROWEST, _WIDEST = 19, 8, 30
"""Widths of a column, in sizes of the letters."""


@dataclass(frozen=True, slots=True)
class Space:
    """The room to fill: an inner width and height, and the pen for a room of middling size."""

    width: float
    height: float
    pen: Pen


class Filling:
    """The things of one room in its space, at every size that was tried so far."""

    def __init__(self, space: Space, things: Sequence[Content]) -> None:
        self.space = space
        self.things = things
        self._tried: dict[tuple[float, int], Block | None] = {}

    def at(self, share: float, limit: int = EVERYTHING) -> Block | None:
        """Everything at a share of the usual size, `limit` things on or in each; None if too much.

        Of the arrangements that fit, the one with the fewest shortened names.
        """
        key = (share, limit)
        if key not in self._tried:
            pen = _resized(self.space.pen, share)
            block = _best_columns(pen, self.space, self.things, limit) if self.things else _NOTHING
            self._tried[key] = block
        return self._tried[key]

    def counted(self, share: float) -> Block:
        """As much as fits at a share of the usual size, and a count of the rest."""
        for limit in (EVERYTHING, *_LIMITS):
            block = self.at(share, limit)
            if block is not None:
                return block
        return _truncated(_resized(self.space.pen, share), self.space, self.things)


def fill(rooms: Mapping[str, Filling]) -> dict[str, Block]:
    """All rooms in letters of one size: the largest in which all things fit and no name is cut.

    Where they fit at no size, the smallest is used and rooms count what they have no space for.
    """
    best: dict[str, Block] | None = None
    for share in _SIZES:
        blocks = {room: block for room, f in rooms.items() if (block := f.at(share)) is not None}
        if len(blocks) == len(rooms) and (best is None or _cut(blocks) < _cut(best)):
            best = blocks
            if not _cut(best):
                break
    return best or {room: filling.counted(_SIZES[-1]) for room, filling in rooms.items()}


def _cut(blocks: Mapping[str, Block]) -> int:
    return sum(block.cut for block in blocks.values())


def _resized(pen: Pen, share: float) -> Pen:
    return replace(pen, size=_half_pixels(pen.size * share))


def _half_pixels(size: float) -> float:
    return max(5.0, round(size * 2) / 2)


def _best_columns(pen: Pen, space: Space, things: Sequence[Content], limit: int) -> Block | None:
    """The arrangement that fits with the fewest shortened names, then with pleasant columns."""
    best: Block | None = None
    for columns in _column_counts(pen, space, things):
        tried = _in_columns(pen, space, things, limit, columns)
        if tried.height <= space.height and (best is None or tried.cut < best.cut):
            best = tried
            if not best.cut:
                break
    return best


def _column_counts(pen: Pen, space: Space, things: Sequence[Content]) -> list[int]:
    """Numbers of columns worth trying, the one of the most pleasant width first."""
    most = min(len(things), _COLUMNS, int(space.width / (pen.size * _NARROWEST)))
    return sorted(
        range(1, max(most, 1) + 1),
        key=lambda columns: abs(space.width / columns - pen.size * _PLEASANT),
    )


def _in_columns(
    pen: Pen, space: Space, things: Sequence[Content], limit: int, columns: int
) -> Block:
    """Everything in columns of one width, each piece where there is most room."""
    gap = pen.pad
    width = int(min((space.width - gap * (columns - 1)) / columns, pen.size * _WIDEST))
    depths = [0.0] * columns
    ends = [0.0] * columns
    parts = []
    cut = 0
    for piece in _pieces(pen, things, width, limit):
        column = depths.index(min(depths))
        parts.append((column * (width + gap), depths[column], piece.block))
        ends[column] = depths[column] + piece.block.height
        depths[column] = ends[column] + piece.gap
        cut += piece.block.cut
    return Block(space.width, max(ends), (), tuple(parts), cut)


class _Piece(NamedTuple):
    block: Block
    gap: float


def _pieces(pen: Pen, things: Sequence[Content], width: float, limit: int) -> Iterator[_Piece]:
    """Furniture and filled things one by one, then loose things in rows."""
    loose = []
    for thing in things:
        if thing.furniture or thing.on or thing.inside:
            yield _Piece(block_of(pen, thing, width, limit, least=width), pen.pad)
        else:
            loose.append(block_of(pen, thing, width, limit))
    for row in rows_of(loose, width, pen.gap):
        yield _Piece(flow(row, width, pen.gap), pen.gap)


def _truncated(pen: Pen, space: Space, things: Sequence[Content]) -> Block:
    """As many things as fit with nothing shown on or in them, and a count of the others."""
    fitting, too_many = 0, len(things)
    best = _counted(pen, space, things, 0)
    while too_many - fitting > 1:
        tried = (fitting + too_many) // 2
        block = _counted(pen, space, things, tried)
        if block is None:
            too_many = tried
        else:
            fitting, best = tried, block
    return best or more(pen, sum(thing.size for thing in things))


def _counted(pen: Pen, space: Space, things: Sequence[Content], shown: int) -> Block | None:
    rest = more(pen, sum(thing.size for thing in things[shown:]))
    short = replace(space, height=space.height - rest.height - pen.gap)
    body = _best_columns(pen, short, things[:shown], 0) if shown else Block(0, -pen.gap, ())
    if body is None:
        return None
    foot = (0.0, body.height + pen.gap, rest)
    return Block(space.width, foot[1] + rest.height, (), (*body.parts, foot))
