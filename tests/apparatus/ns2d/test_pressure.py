"""The pressure solve against a dense solution, and compiled against plain."""

import math

import numpy as np
import pytest

from earsim.apparatus.ns2d.channel import channel, entered
from earsim.apparatus.ns2d.grid import divergence
from earsim.apparatus.ns2d.pressure import CAP, solve
from earsim.apparatus.ns2d.setup import Setup
from earsim.apparatus.ns2d.shapes import SHAPES
from earsim.apparatus.ns2d.verification import periodic


def laplacian(setup: Setup, p: np.ndarray) -> np.ndarray:
    """Written out face by face; times dx squared."""
    total = np.zeros_like(p)
    across = np.pad(p, ((1, 1), (0, 0)))
    flow = setup.across_x * (across[1:] - across[:-1])
    total += flow[1:] - flow[:-1]
    across = np.pad(p, ((0, 0), (1, 1)))
    flow = setup.across_y * (across[:, 1:] - across[:, :-1])
    return total + flow[:, 1:] - flow[:, :-1]


def source(setup: Setup) -> np.ndarray:
    draw = np.random.default_rng(1).normal(size=setup.fluid.shape)
    return np.where(setup.fluid, draw, 0.0)


@pytest.mark.parametrize("resolution", [16, 17])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_residual_told_is_that_of_the_equation(shape, resolution):
    setup = channel(shape, resolution)
    rhs = source(setup)
    solved = solve(setup, np.zeros_like(rhs), rhs, omega=1.8, threshold=1e-7, fast=False)
    residual = (laplacian(setup, solved.p) - rhs / resolution**2)[setup.fluid]
    assert np.sqrt(np.mean(residual**2)) == pytest.approx(solved.residual, rel=1e-4)
    assert solved.residual < 1e-7
    assert not solved.p[~setup.fluid].any()


def test_a_periodic_pressure_has_the_laplacian_asked_for():
    setup = periodic(16)
    x = (np.arange(16) + 0.5)[:, None] / 16
    rhs = np.cos(2.0 * np.pi * x) + np.zeros((1, 16))
    p = solve(setup, np.zeros_like(rhs), rhs, omega=1.5, threshold=1e-12, fast=False).p
    rolled = sum(np.roll(p, shift, axis) for shift in (1, -1) for axis in (0, 1)) - 4.0 * p
    assert rolled * 16**2 == pytest.approx(rhs, abs=1e-8)


def test_nothing_is_swept_where_the_pressure_already_solves_the_equation():
    setup = channel("circle", 16)
    rhs = source(setup)
    p = solve(setup, np.zeros_like(rhs), rhs, omega=1.8, threshold=1e-6, fast=False).p
    again = solve(setup, p, rhs, omega=1.8, threshold=2e-6, fast=False)
    assert again.iterations == 0
    assert (again.p == p).all()


def test_sweeping_ends_at_the_cap():
    setup = channel("circle", 16)
    rhs = source(setup)
    solved = solve(setup, np.zeros_like(rhs), rhs, omega=1e-3, threshold=1e-6, fast=False)
    assert solved.iterations == CAP
    assert solved.residual > 1e-6


def test_sweeping_ends_where_numbers_are_no_longer_finite():
    setup = channel("circle", 16)
    rhs = np.full(setup.fluid.shape, math.nan)
    solved = solve(setup, np.zeros_like(rhs), rhs, omega=1.8, threshold=1e-6, fast=False)
    assert solved.iterations == 0
    assert math.isnan(solved.residual)


@pytest.mark.parametrize("make", [lambda: channel("dragon", 21), lambda: periodic(16)])
def test_compiled_sweeps_agree_with_plain_ones(make):
    pytest.importorskip("numba")
    setup = make()
    rhs = source(setup)
    rhs -= rhs[setup.fluid].mean() * setup.fluid
    plain, fast = (
        solve(setup, 0.1 * rhs, rhs, omega=1.7, threshold=1e-7, fast=way) for way in (False, True)
    )
    assert fast.iterations == plain.iterations
    assert fast.p == pytest.approx(plain.p, rel=1e-12, abs=0.0)
    assert fast.residual == pytest.approx(plain.residual, rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_enters_can_leave(shape):
    """The start is not free of divergence, but the pressure makes it so."""
    setup = channel(shape, 24)
    flow = entered(setup)
    left = np.where(setup.fluid, divergence(flow.u.f, flow.v.f, setup.grid.dx), 0.0)
    solved = solve(setup, flow.p, left, omega=1.9, threshold=1e-10, fast=False)
    assert solved.iterations < CAP
