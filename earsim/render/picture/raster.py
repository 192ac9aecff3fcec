"""A drawing as pixels, by Pillow."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from earsim.render.picture.shapes import Circle, Drawing, Line, Rect, Shape, Text
from earsim.render.picture.typeface import FINER

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def to_array(drawing: Drawing, *, scale: int = 1) -> npt.NDArray[np.uint8]:
    """Pixels as uint8, shape (height * scale, width * scale, 3)."""
    return np.array(_image(drawing, scale))


def to_png(drawing: Drawing, path: str | Path | IO[bytes], *, scale: int = 1) -> None:
    """Write a PNG file, or into an open one, with title and description in it as text chunks.

    `scale` 2 gives twice the pixels each way, for sharp screens and print.
    """
    from PIL.PngImagePlugin import PngInfo

    words = PngInfo()
    words.add_itxt("Title", drawing.title)
    words.add_itxt("Description", drawing.description)
    _image(drawing, scale).save(path, format="PNG", pnginfo=words)


def _image(drawing: Drawing, scale: int) -> Image:
    from PIL import Image, ImageDraw

    fine = scale * FINER
    size = (drawing.width * fine, drawing.height * fine)
    image = Image.new("RGB", size, drawing.background)
    draw = ImageDraw.Draw(image)
    for shape in drawing.shapes:
        _paint(draw, shape, fine)
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            _write(draw, shape, drawing, fine)
    return image.reduce(FINER)


def _paint(draw: ImageDraw, shape: Shape, fine: int) -> None:
    if isinstance(shape, Rect):
        _rect(draw, shape, fine)
    elif isinstance(shape, Circle):
        x, y, radius = shape.x * fine, shape.y * fine, shape.radius * fine
        draw.ellipse((x - radius, y - radius, x + radius - 1, y + radius - 1), fill=shape.fill)
    elif isinstance(shape, Line):
        _line(draw, shape, fine)


def _rect(draw: ImageDraw, shape: Rect, fine: int) -> None:
    left, top = round(shape.x * fine), round(shape.y * fine)
    # Pillow counts the last pixel in.
    right = max(left, round((shape.x + shape.width) * fine) - 1)
    bottom = max(top, round((shape.y + shape.height) * fine) - 1)
    radius = min(shape.radius * fine, (right - left) / 2, (bottom - top) / 2)
    outline = shape.stroke or None
    width = round(shape.stroke_width * fine) if shape.stroke else 0
    if radius < 1:
        draw.rectangle((left, top, right, bottom), shape.fill, outline, width)
    else:
        draw.rounded_rectangle((left, top, right, bottom), radius, shape.fill, outline, width)


def _line(draw: ImageDraw, shape: Line, fine: int) -> None:
    """A line with flat ends; level and upright ones as rectangles, which hit their pixels."""
    width = max(1, round(shape.width * fine))
    x1, y1, x2, y2 = (round(value * fine) for value in shape[:4])
    if x1 != x2 and y1 != y2:
        draw.line((x1, y1, x2, y2), shape.stroke, width)
        return
    half = width // 2
    left, right = sorted((x1, x2))
    top, bottom = sorted((y1, y2))
    if x1 == x2:
        draw.rectangle((left - half, top, left - half + width - 1, bottom), shape.stroke)
    else:
        draw.rectangle((left, top - half, right, top - half + width - 1), shape.stroke)


def _write(draw: ImageDraw, shape: Text, drawing: Drawing, fine: int) -> None:
    font = drawing.typeface.font(shape.size * fine)
    text = drawing.typeface.spelled(shape.text)
    at = (shape.x * fine, shape.y * fine)
    draw.text(at, text, fill=shape.fill, font=font, anchor=_ANCHORS[shape.anchor])
