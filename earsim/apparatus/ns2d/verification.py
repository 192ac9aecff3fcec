"""Flows with known answers, on which the solver is checked: a lid-driven cavity, Taylor-Green."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from earsim.apparatus.ns2d.grid import Array, Carried, FlowField, Grid
from earsim.apparatus.ns2d.setup import Component, GhostRule, Setup
from earsim.apparatus.ns2d.step import Numerics, step


class Extremes(NamedTuple):
    """Extreme velocities on the centre lines of a cavity, over the nodes."""

    u_min: float
    v_max: float
    v_min: float


def cavity(n: int) -> Setup:
    """A unit box of no-slip walls whose upper one moves with velocity 1, on n x n cells."""
    live = np.ones((n + 1, n), bool)
    live[[0, -1]] = False
    still, none = np.zeros((n + 1, n)), np.zeros((n + 1, n))
    wall, lid = GhostRule(-1.0), GhostRule(-1.0, 2.0)
    u = Component(live, still, wall, lid, slides=False, enclosed=none)
    v = Component(live, still, wall, wall, slides=False, enclosed=none)
    weight = live.astype(float)
    return Setup(Grid(n, n, 1.0 / n), u, v, weight, weight.T, np.ones((n, n), bool))


def periodic(n: int) -> Setup:
    """A periodic unit box of n x n cells; n is even, or the colours would not alternate."""
    ones = np.ones((n + 1, n))
    part = Component(
        ones > 0.0,
        0.0 * ones,
        GhostRule(),
        GhostRule(),
        slides=False,
        enclosed=0.0 * ones,
        periodic=True,
    )
    return Setup(Grid(n, n, 1.0 / n), part, part, ones, ones.T, np.ones((n, n), bool), True)


def still(setup: Setup) -> FlowField:
    """A fluid at rest."""
    zero = Carried.flat(np.zeros_like(setup.u.given)), Carried.flat(np.zeros_like(setup.v.given))
    return FlowField(*zero, np.zeros(setup.fluid.shape))


def vortices(n: int) -> FlowField:
    """Taylor-Green vortices: u = sin 2 pi x cos 2 pi y, v = -cos 2 pi x sin 2 pi y.

    Their velocity decays as exp(-8 pi^2 t / Re).
    """
    k = 2.0 * np.pi
    along = (k * np.arange(n + 1) / n)[:, None]
    across = (k * (np.arange(n) + 0.5) / n)[None, :]
    sine, cosine = np.sin(along), np.cos(across)
    slope, turn = k * np.cos(along) * cosine, -k * sine * np.sin(across)
    u = Carried(sine * cosine, slope, turn)
    return FlowField(u, Carried(*(-part for part in u)), np.zeros((n, n)))


def steady_cavity(
    n: int, reynolds: float, cfl: float, *, change: float = 1e-8, omega: float = 1.7
) -> FlowField:
    """The flow in a cavity once no velocity changes by more than `change` per unit of time."""
    setup, flow = cavity(n), still(cavity(n))
    numerics = Numerics(cfl / n, reynolds, omega, 1e-9)
    while True:
        after = step(setup, flow, numerics).flow
        moved = np.abs(after.u.f - flow.u.f).max() / numerics.dt
        flow = after
        if moved < change:
            return flow


def extremes(flow: FlowField) -> Extremes:
    """Extreme velocities on the centre lines of a cavity with an even number of cells."""
    middle = flow.u.f.shape[1] // 2
    u: Array = flow.u.f[middle]
    v: Array = flow.v.f[middle]
    return Extremes(float(u.min()), float(v.max()), float(v.min()))
