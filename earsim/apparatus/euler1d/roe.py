"""Roe's approximate Riemann solver for an ideal gas, with Harten's entropy fix."""

from __future__ import annotations

import numpy as np

from earsim.apparatus.euler1d.gas import GAMMA, Array, Gas

FIX = 0.1
"""Half width of the fix, in speeds of sound."""


def flux(left: Gas, right: Gas) -> Array:
    """Fluxes of (rho, rho u, E) through faces, of shape (3, faces).

    The difference of the two sides is split into the waves u - c, u and u + c of the Roe averages;
    the fix keeps the speeds of the outer two from vanishing in a transonic rarefaction.
    """
    root_left, root_right = np.sqrt(left.density), np.sqrt(right.density)
    both = root_left + root_right
    velocity = (root_left * left.velocity + root_right * right.velocity) / both
    heat_left, heat_right = left.energy + left.pressure, right.energy + right.pressure
    enthalpy = (heat_left / root_left + heat_right / root_right) / both
    kinetic = 0.5 * velocity * velocity
    square = (GAMMA - 1) * (enthalpy - kinetic)
    sound = np.sqrt(square)

    pressure_jump = right.pressure - left.pressure
    inertia = root_left * root_right * sound * (right.velocity - left.velocity)
    slow = _fixed(velocity - sound, sound) * (pressure_jump - inertia) / (2 * square)
    fast = _fixed(velocity + sound, sound) * (pressure_jump + inertia) / (2 * square)
    contact = np.abs(velocity) * (right.density - left.density - pressure_jump / square)
    acoustic = slow + fast
    moved = sound * (fast - slow)

    through_left = left.density * left.velocity
    through_right = right.density * right.velocity
    fluxes = np.empty((3, *velocity.shape))
    fluxes[0] = through_left + through_right - (acoustic + contact)
    fluxes[1] = through_left * left.velocity + left.pressure
    fluxes[1] += through_right * right.velocity + right.pressure
    fluxes[1] -= velocity * (acoustic + contact) + moved
    fluxes[2] = left.velocity * heat_left + right.velocity * heat_right
    fluxes[2] -= enthalpy * acoustic + velocity * moved + kinetic * contact
    fluxes *= 0.5
    return fluxes


def _fixed(speed: Array, sound: Array) -> Array:
    """Absolute wave speeds, rounded off near zero."""
    width = FIX * sound
    magnitude = np.abs(speed)
    return np.where(magnitude < width, (magnitude**2 + width**2) / (2 * width), magnitude)
