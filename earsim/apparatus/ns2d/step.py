"""One time step: advection, viscosity, projection onto velocities without divergence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from earsim.apparatus.ns2d.cip import Wind, sweep
from earsim.apparatus.ns2d.grid import Array, Carried, FlowField, divergence
from earsim.apparatus.ns2d.pressure import solve
from earsim.apparatus.ns2d.setup import Component, Setup


class Numerics(NamedTuple):
    """How a flow is stepped.

    Attributes:
        dt: time step.
        reynolds: Reynolds number, for unit velocity and length.
        omega: relaxation factor of the pressure sweeps.
        threshold: root mean square residual at which they end.
        fast: with numba or without; None takes it where it is installed and repays.
    """

    dt: float
    reynolds: float
    omega: float
    threshold: float
    fast: bool | None = None


class Stepped(NamedTuple):
    """A flow one time step on.

    Attributes:
        flow: after the step.
        iterations: pressure sweeps that it took.
        residual: at which they ended.
    """

    flow: FlowField
    iterations: int
    residual: float


def step(setup: Setup, flow: FlowField, numerics: Numerics) -> Stepped:
    """Advance a flow by one time step."""
    dx, dt = setup.grid.dx, numerics.dt
    u_moved = advected(setup.u, flow.u, crosswind(setup.v, flow.v.f, dx), dt, dx)
    v_moved = advected(setup.v, flow.v, crosswind(setup.u, flow.u.f, dx), dt, dx)
    u = diffused(setup.u, u_moved.f, dt / numerics.reynolds, dx)
    v = diffused(setup.v, v_moved.f, dt / numerics.reynolds, dx)
    source = np.where(setup.fluid, divergence(u, v, dx) / dt, 0.0)
    solved = solve(
        setup,
        flow.p,
        source,
        omega=numerics.omega,
        threshold=numerics.threshold,
        fast=numerics.fast,
    )
    p = solved.p
    u = u - dt / dx * setup.across_x * differences(p, setup.periodic)
    v = v - dt / dx * setup.across_y.T * differences(p.T, setup.periodic)
    done = FlowField(changed(setup.u, u_moved, u, dx), changed(setup.v, v_moved, v, dx), p)
    return Stepped(done, solved.iterations, solved.residual)


def crosswind(other: Component, f: Array, dx: float) -> Wind:
    """The other velocity component at the points of this one, in this one's orientation.

    `across` in the result is its derivative along axis 0 of this component, `along` along axis 1.
    """
    wide = other.beyond(f)[1:-1].T
    rows = 0.5 * (wide[:, 1:] + wide[:, :-1])
    columns = 0.5 * (wide[1:] + wide[:-1])
    return Wind(
        speed=0.5 * (rows[1:] + rows[:-1]),
        along=(columns[:, 1:] - columns[:, :-1]) / dx,
        across=(rows[1:] - rows[:-1]) / dx,
    )


def advected(part: Component, field: Carried, cross: Wind, dt: float, dx: float) -> Carried:
    """A velocity component carried by the flow: along its own direction, then across."""
    wide = part.beyond(field.f)
    own = Wind(
        speed=field.f,
        along=(wide[2:, 1:-1] - wide[:-2, 1:-1]) / (2.0 * dx),
        across=(wide[1:-1, 2:] - wide[1:-1, :-2]) / (2.0 * dx),
    )
    inner = Carried(*(each[:, 1:-1] for each in part.around(field)))
    field = part.settled(sweep(inner, own, dt, dx), dx)
    turned = part.around(field)
    rows = Carried(
        turned.f[1:-1].T,
        turned.across[1:-1].T,
        turned.along[1:-1].T,
    )
    moved = sweep(rows, Wind(*(each.T for each in cross)), dt, dx)
    return part.settled(Carried(moved.f.T, moved.across.T, moved.along.T), dx)


def diffused(part: Component, f: Array, amount: float, dx: float) -> Array:
    """A velocity component after explicit viscosity; `amount` is dt times the viscosity."""
    wide = part.beyond(f)
    total = (wide[2:, 1:-1] + wide[:-2, 1:-1]) + (wide[1:-1, 2:] + wide[1:-1, :-2])
    return part.held(f + amount / dx**2 * (total - (4.0 + part.enclosed) * f))


def differences(p: Array, periodic: bool) -> Array:
    """Pressure differences over the faces along axis 0; beyond the edges the pressure is 0."""
    wide = np.pad(p, ((1, 1), (0, 0)), mode="wrap" if periodic else "constant")
    return wide[1:] - wide[:-1]


def changed(part: Component, before: Carried, f: Array, dx: float) -> Carried:
    """A component with new values, and its gradient brought up to date by their change."""
    wide = part.beyond(f - before.f, moved=False)
    along = before.along + (wide[2:, 1:-1] - wide[:-2, 1:-1]) / (2.0 * dx)
    across = before.across + (wide[1:-1, 2:] - wide[1:-1, :-2]) / (2.0 * dx)
    return part.settled(Carried(f, along, across), dx)
