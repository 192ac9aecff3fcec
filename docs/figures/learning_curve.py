"""A learning curve as a picture: `python -m docs.figures.learning_curve RUN FILE.svg`.

RUN is a folder of `earsim_training.ppo`. The solid lines are measured with the command that the
policy thinks best, on a part of each suite; the dashed one is training itself, in which commands
are drawn.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

COLOURS = ("#00796b", "#c2410c", "#5b21b6", "#1d4ed8", "#a16207", "#be185d")
WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 190, 20, 48


class Line(NamedTuple):
    """Success, 0 to 1, over CPU minutes."""

    name: str
    points: tuple[tuple[float, float], ...]
    dashed: bool = False


def lines(rows: Sequence[dict[str, Any]]) -> list[Line]:
    """What a curve holds, training first."""
    drawn = tuple((row["cpu_s"] / 60, row["won"]) for row in rows if "won" in row)
    checked = [row for row in rows if "greedy" in row]
    suites = list(checked[0]["greedy"]) if checked else []
    return [
        Line("training, drawn", drawn, dashed=True),
        *(
            Line(
                Path(suite).name.partition(".")[0].replace("_", " "),
                tuple((row["cpu_s"] / 60, row["greedy"][suite]["success"]) for row in checked),
            )
            for suite in suites
        ),
    ]


def svg(shown: Sequence[Line]) -> str:
    """The picture, on white so that it reads in a dark theme as well."""
    last = max((x for line in shown for x, _ in line.points), default=1.0)
    body = [
        *_axes(last),
        *(part for at, line in enumerate(shown) for part in _line(at, line, last)),
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">'
    )
    return "\n".join(
        [head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *body, "</svg>\n"]
    )


def _axes(last: float) -> Iterator[str]:
    for percent in range(0, 101, 20):
        x, y = _at(0.0, percent / 100, last)
        yield f'<path d="M{x} {y}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{percent} %</text>'
    for minute in range(0, int(last) + 1, max(1, round(last / 8))):
        x, y = _at(minute, 0.0, last)
        yield f'<text x="{x}" y="{y + 18}" text-anchor="middle">{minute}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">CPU minutes</text>'


def _line(at: int, line: Line, last: float) -> Iterator[str]:
    colour, dash = COLOURS[at % len(COLOURS)], ' stroke-dasharray="3 3"' if line.dashed else ""
    path = " ".join(f"{x},{y}" for x, y in (_at(*point, last) for point in line.points))
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
    y = TOP + 14 + 20 * at
    x = WIDTH - RIGHT + 12
    yield f'<path d="M{x} {y - 4}h22" stroke="{colour}" stroke-width="2"{dash}/>'
    yield f'<text x="{x + 28}" y="{y}">{escape(line.name)}</text>'


def _at(minutes: float, share: float, last: float) -> tuple[float, float]:
    """Where a point is drawn."""
    x = LEFT + minutes / last * (WIDTH - LEFT - RIGHT)
    y = TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)
    return round(x, 1), round(y, 1)


if __name__ == "__main__":
    run, picture = map(Path, sys.argv[1:])
    text = (run / "curve.jsonl").read_text(encoding="utf-8")
    picture.write_text(svg(lines([json.loads(row) for row in text.splitlines()])), encoding="utf-8")
