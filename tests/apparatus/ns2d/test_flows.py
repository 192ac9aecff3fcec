"""The solver against flows with known answers."""

from dataclasses import replace

import numpy as np
import pytest

from earsim.apparatus.ns2d.channel import channel, entered
from earsim.apparatus.ns2d.grid import FlowField, divergence
from earsim.apparatus.ns2d.setup import GhostRule, Setup, enclosed
from earsim.apparatus.ns2d.shapes import SHAPES
from earsim.apparatus.ns2d.step import Numerics, diffused, step
from earsim.apparatus.ns2d.verification import extremes, periodic, steady_cavity, vortices

EXTREMES = (-0.2140, 0.1796, -0.2538)
"""Least u, greatest v, least v on the centre lines of the cavity at Re 100."""


def marched(setup: Setup, flow: FlowField, numerics: Numerics, steps: int) -> FlowField:
    for _ in range(steps):
        flow = step(setup, flow, numerics).flow
    return flow


def decay(n: int) -> float:
    """Rate at which Taylor-Green vortices decay at Re 100, over the exact rate."""
    numerics = Numerics(0.1 / n, 100.0, 1.7, 1e-8, fast=False)
    steps = round(0.1 / numerics.dt)
    start = vortices(n)
    end = marched(periodic(n), start, numerics, steps)
    ratio = np.sqrt(np.mean(end.u.f[1:] ** 2) / np.mean(start.u.f[1:] ** 2))
    return float(np.log(ratio) / (-8.0 * np.pi**2 * steps * numerics.dt / 100.0))


def test_vortices_decay_at_the_exact_rate_as_the_grid_gets_finer():
    coarse, fine = decay(16) - 1.0, decay(32) - 1.0
    assert 0.0 < fine < 0.035
    assert coarse / fine > 2.0


def test_opposite_edges_of_a_periodic_box_stay_one():
    numerics = Numerics(0.02, 100.0, 1.7, 1e-6, fast=False)
    flow = marched(periodic(16), vortices(16), numerics, 5)
    assert np.abs(flow.u.f[0] - flow.u.f[-1]).max() < 1e-12


@pytest.mark.parametrize("shape", SHAPES)
def test_divergence_after_a_step_is_bounded_by_the_threshold(shape):
    setup = channel(shape, 16)
    numerics = Numerics(0.2 / 16, 1000.0, 1.9, 1e-4, fast=False)
    flow = marched(setup, entered(setup), numerics, 5)
    left = divergence(flow.u.f, flow.v.f, setup.grid.dx)[setup.fluid]
    assert np.sqrt(np.mean(left**2)) < 10.0 * 1e-4 / numerics.dt


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_as_much_leaves_as_enters(shape):
    setup = channel(shape, 16)
    numerics = Numerics(0.2 / 16, 1000.0, 1.9, 1e-6, fast=False)
    flow = marched(setup, entered(setup), numerics, 5)
    assert flow.u.f[-1].sum() == pytest.approx(flow.u.f[0].sum(), abs=1e-3)
    assert flow.u.f[0].sum() > 3.0


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_moves_in_an_obstacle(shape):
    setup = channel(shape, 16)
    numerics = Numerics(0.2 / 16, 1000.0, 1.9, 1e-4, fast=False)
    flow = marched(setup, entered(setup), numerics, 3)
    solid = ~setup.fluid
    for face in (flow.u.f[1:], flow.u.f[:-1], flow.v.f[1:].T, flow.v.f[:-1].T):
        assert not face[solid].any()


@pytest.mark.slow
@pytest.mark.parametrize(("resolution", "within"), [(17, 1e-11), (16, 2e-3)])
@pytest.mark.parametrize("shape", ["circle", "ports"])
def test_a_symmetric_channel_keeps_a_symmetric_flow(shape, resolution, within):
    """Up to rounding where mirrored cells have one colour, else up to the residual."""
    setup = channel(shape, resolution)
    numerics = Numerics(0.2 / resolution, 1000.0, 1.9, 1e-5, fast=False)
    flow = marched(setup, entered(setup), numerics, 20)
    assert np.abs(flow.u.f - flow.u.f[:, ::-1]).max() < within
    assert np.abs(flow.v.f + flow.v.f[::-1]).max() < within
    assert np.abs(flow.v.f).max() > 0.1


def test_the_inlet_keeps_its_velocity():
    setup = channel("circle", 16)
    numerics = Numerics(0.2 / 16, 1000.0, 1.9, 1e-6, fast=False)
    after = marched(setup, entered(setup), numerics, 2)
    assert (after.u.f[0] == 1.0).all()


def test_a_wall_without_slip_halves_the_way_to_its_mirror_image():
    """u = y over a lower wall at rest is linear through it: viscosity leaves it as it is."""
    box = periodic(8)
    wall = replace(box.u, periodic=False, low=GhostRule(-1.0), high=GhostRule(-1.0, 2.0))
    line = np.zeros((9, 1)) + (np.arange(8) + 0.5) / 8
    assert diffused(wall, line, 1e-3, 1.0 / 8) == pytest.approx(line)
    turned = replace(wall, low=wall.high, high=wall.low)
    assert diffused(turned, 1.0 - line, 1e-3, 1.0 / 8) == pytest.approx(1.0 - line)


def test_an_obstacle_has_its_surface_half_a_cell_from_the_stream():
    solid = np.zeros((5, 6), bool)
    solid[:, :2] = True
    count = enclosed(solid)
    assert (count[:, 2] == 1.0).all()
    assert not count[:, 3:].any()
    assert not count[:, :2].any()
    part = replace(periodic(6).u, live=~solid, given=np.zeros((5, 6)), enclosed=count)
    part = replace(part, periodic=False, high=GhostRule(-1.0, 8.0))  # u = 4 at the upper wall
    line = np.maximum(np.zeros((5, 1)) + np.arange(6.0) - 1.5, 0.0)
    line[:, :2] = 0.0
    assert diffused(part, line, 0.1, 1.0) == pytest.approx(line)


@pytest.mark.slow
def test_a_lid_driven_cavity_converges_with_second_order():
    coarse, fine = (
        np.abs(np.array(extremes(steady_cavity(n, 100.0, 0.35, change=1e-4))) - EXTREMES)
        for n in (16, 32)
    )
    assert (fine < [0.0028, 0.0019, 0.0046]).all()
    assert (coarse / fine > 3.4).all()
