"""Differences of boundaries between a grid and its double, held against counting by hand."""

import math

import pytest

from earsim.apparatus.ns2d.aliasing import aliasing
from earsim.apparatus.ns2d.grid import Grid
from earsim.apparatus.ns2d.shapes import SHAPES


@pytest.mark.parametrize("shape", SHAPES)
def test_solid_cells_are_held_against_four_cells_each_of_the_doubled_grid(shape):
    n = 17
    coarse, fine = (SHAPES[shape](Grid(2 * m, m, 1.0 / m)) for m in (n, 2 * n))
    off = [
        [
            float(coarse[i, j])
            - sum(fine[2 * i + a, 2 * j + b] for a in (0, 1) for b in (0, 1)) / 4.0
            for j in range(n)
        ]
        for i in range(2 * n)
    ]
    found = aliasing(shape, n)
    cells = sum(each**2 for column in off for each in column) / (2 * n * n)
    columns = sum((sum(column) / n) ** 2 for column in off) / (2 * n)
    assert found.cells == pytest.approx(math.sqrt(cells))
    assert found.columns == pytest.approx(math.sqrt(columns))
    assert found.columns <= found.cells


def test_openings_differ_unless_their_ends_lie_between_cells():
    # the ends lie at .1, .3, .7 and .9: with 50 cells, and with 100, between two of them
    assert aliasing("ports", 50) == (0.0, 0.0, 0.0)
    # with 25 cells they halve four of them, and 50 cells have one half of each open
    assert aliasing("ports", 25).openings == pytest.approx(math.sqrt(4 * 0.5**2 / 25))
    assert all(aliasing(shape, 25).openings == 0.0 for shape in SHAPES if shape != "ports")
