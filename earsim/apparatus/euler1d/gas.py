"""An ideal gas in one dimension: primitive and conserved variables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GAMMA = 1.4


class Gas(NamedTuple):
    """Arrays of one shape over cells or faces.

    Attributes:
        density: rho.
        velocity: u.
        pressure: p.
        energy: E, per volume.
    """

    density: Array
    velocity: Array
    pressure: Array
    energy: Array

    @classmethod
    def of(cls, conserved: Array) -> Gas:
        """The gas with conserved variables (rho, rho u, E), of shape (3, cells)."""
        density, momentum, energy = conserved
        velocity = momentum / density
        pressure = (GAMMA - 1) * (energy - 0.5 * momentum * velocity)
        return cls(density, velocity, pressure, energy)

    def fastest(self) -> float:
        """Greatest |u| + c."""
        sound = np.sqrt(GAMMA * self.pressure / self.density)
        return float(np.max(np.abs(self.velocity) + sound))


def conserved(density: float, velocity: float, pressure: float) -> Array:
    """The conserved variables of one state, of shape (3,)."""
    energy = pressure / (GAMMA - 1) + 0.5 * density * velocity**2
    return np.array([density, density * velocity, energy])
