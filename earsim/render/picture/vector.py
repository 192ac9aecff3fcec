"""A drawing as SVG text."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from earsim.render.picture.shapes import Circle, Drawing, Line, Rect, Shape, Text

_FAMILY = "Aileron, Inter, 'Helvetica Neue', Arial, sans-serif"


def to_svg(drawing: Drawing) -> str:
    """A complete SVG document; names and captions in it are escaped."""
    return "\n".join(_lines(drawing)) + "\n"


def _lines(drawing: Drawing) -> Iterator[str]:
    width, height = drawing.width, drawing.height
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{_FAMILY}" '
        'role="img" aria-labelledby="title" aria-describedby="desc">'
    )
    yield f'<title id="title">{escape(drawing.title)}</title>'
    yield f'<desc id="desc">{escape(drawing.description)}</desc>'
    yield f'<rect width="{width}" height="{height}" fill="{drawing.background}"/>'
    texts = [shape for shape in drawing.shapes if isinstance(shape, Text)]
    for shape in drawing.shapes:
        if not isinstance(shape, Text):
            yield _shape(shape)
    yield '<g pointer-events="none">'
    for text in texts:
        yield _text(text)
    yield "</g>"
    yield "</svg>"


def _shape(shape: Shape) -> str:
    if isinstance(shape, Rect):
        return _rect(shape)
    if isinstance(shape, Circle):
        place = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
        return _element("circle", f'{place} fill="{shape.fill}"', shape.about, shape.hint)
    if isinstance(shape, Line):
        ends = " ".join(
            f'{key}="{_number(value)}"'
            for key, value in zip(("x1", "y1", "x2", "y2"), shape[:4], strict=True)
        )
        return f'<line {ends} stroke="{shape.stroke}" stroke-width="{_number(shape.width)}"/>'
    return _text(shape)


def _rect(shape: Rect) -> str:
    # SVG centres an outline on the edge; ours lies inside it.
    inset = shape.stroke_width / 2 if shape.stroke else 0.0
    place = (
        f'x="{_number(shape.x + inset)}" y="{_number(shape.y + inset)}" '
        f'width="{_number(shape.width - 2 * inset)}" height="{_number(shape.height - 2 * inset)}" '
        f'fill="{shape.fill}"'
    )
    if shape.radius:
        place += f' rx="{_number(max(0.0, shape.radius - inset))}"'
    if shape.stroke:
        place += f' stroke="{shape.stroke}" stroke-width="{_number(shape.stroke_width)}"'
    return _element("rect", place, shape.about, shape.hint)


def _element(tag: str, attributes: str, about: str, hint: str) -> str:
    if about:
        attributes += f' data-id="{escape(about)}"'
    if not hint:
        return f"<{tag} {attributes}/>"
    return f"<{tag} {attributes}><title>{escape(hint)}</title></{tag}>"


def _text(shape: Text) -> str:
    # textLength keeps a text as wide as the layout believes, whatever font a browser has.
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    return (
        f'<text x="{_number(shape.x)}" y="{_number(shape.y)}" font-size="{_number(shape.size)}" '
        f'fill="{shape.fill}" textLength="{_number(shape.width)}" '
        f'lengthAdjust="spacingAndGlyphs"{anchor}>{escape(shape.text)}</text>'
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
