"""The obstacles of the six boundary types."""

import numpy as np
import pytest

from earsim.apparatus.ns2d.channel import openings
from earsim.apparatus.ns2d.grid import Grid
from earsim.apparatus.ns2d.shapes import DRAGON, SHAPES, places

FINE = Grid(800, 400, 1.0 / 400)


def area(solid: np.ndarray, grid: Grid) -> float:
    return float(solid.sum()) * grid.dx**2


def enclosed_area(outline: tuple[tuple[float, float], ...]) -> float:
    """By the trapezoids under its edges."""
    pairs = zip(outline, outline[1:] + outline[:1], strict=True)
    return abs(sum((x1 - x0) * (y0 + y1) / 2.0 for (x0, y0), (x1, y1) in pairs))


@pytest.mark.parametrize(
    ("shape", "exact"),
    [
        ("circle", np.pi * 0.01),
        ("plates", 2 * 0.05 * 0.25 + 0.3 * 0.1),
        ("scattered", 12 * np.pi * 0.0025),
        ("ports", 0.0),
        ("array", 15 * np.pi * 0.0025),
        ("dragon", enclosed_area(DRAGON)),
    ],
)
def test_an_obstacle_has_the_area_of_its_outline(shape, exact):
    assert area(SHAPES[shape](FINE), FINE) == pytest.approx(exact, abs=2e-3)


def test_drawn_discs_keep_apart_and_lie_in_the_channel():
    centres = places()
    assert centres.shape == (12, 2)
    apart = np.hypot(*(centres[:, None] - centres[None]).T) + np.eye(12)
    assert apart.min() >= 0.16
    assert (centres >= (0.3, 0.1)).all()
    assert (centres <= (1.7, 0.9)).all()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("resolution", [16, 33, 64])
def test_no_obstacle_touches_the_inlet_or_the_outlet(shape, resolution):
    solid = SHAPES[shape](Grid(2 * resolution, resolution, 1.0 / resolution))
    assert not solid[[0, 1, -2, -1]].any()


def test_ports_are_open_in_two_places():
    opened = openings("ports", Grid(40, 20, 0.05))
    assert "".join("-|"[int(each)] for each in opened) == "--||||--------||||--"


def crosses(a, b, c, d) -> bool:
    """Whether the segments ab and cd cross within both."""

    def side(p, q, r) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0.0 and side(c, d, a) * side(c, d, b) < 0.0


def test_the_outline_of_the_dragon_does_not_cross_itself():
    edges = list(zip(DRAGON, DRAGON[1:] + DRAGON[:1], strict=True))
    assert not any(crosses(*one, *other) for one in edges for other in edges)
