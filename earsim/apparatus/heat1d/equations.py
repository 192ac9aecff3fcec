"""Heat conduction through a slab in one dimension, by explicit finite volumes.

    T_t = alpha T_xx on [0, L],   alpha = k / (rho cp)

with convection to a fluid at x = 0, no flux at x = L, and one temperature at the start. With the
wall ``surface`` there are n cells, and the wall's conductance is that of the film and half a cell
in series. With the wall ``plain`` there are n + 1 nodes, half a cell each at both ends, and the
film acts on the first node itself; explicit Euler is then unstable where
cfl/2 (1 + h dx/k) > 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earsim.apparatus.parameter import Settings

Array = NDArray[np.float64]

END_S = 240.0
FRAMES = 24


@dataclass(frozen=True, slots=True)
class Conditions:
    """A slab and the fluid at its face.

    Attributes:
        length: of the slab, in m.
        conductivity: in W/(m K).
        film: coefficient of convection, in W/(m2 K).
        density: in kg/m3.
        heat_capacity: in J/(kg K).
        fluid: temperature of the fluid, in degrees Celsius.
        initial: temperature of the slab at the start, in degrees Celsius.
    """

    length: float
    conductivity: float
    film: float
    density: float
    heat_capacity: float
    fluid: float
    initial: float

    @classmethod
    def of(cls, settings: Settings) -> Conditions:
        """The conditions among settings."""
        names = ("L", "k", "h", "rho", "cp", "T_inf", "T_init")
        return cls(*(float(settings[name]) for name in names))

    @property
    def diffusivity(self) -> float:
        """Alpha, in m2/s."""
        return self.conductivity / (self.density * self.heat_capacity)


@dataclass(frozen=True, slots=True)
class Discretisation:
    """Coefficients of one step, the same for all steps of a run.

    Attributes:
        unknowns: temperatures held: n of cells, or n + 1 of nodes.
        steps: of the whole run.
        dt: in s.
        conductance: between neighbouring unknowns, in W/(m2 K).
        wall: between the fluid and the first unknown, in W/(m2 K).
        weight: rise per flux, in m2 K/W, of an unknown with a whole cell.
        halves: the first and last unknown have half a cell.
        fluid: in degrees Celsius.
    """

    unknowns: int
    steps: int
    dt: float
    conductance: float
    wall: float
    weight: float
    halves: bool
    fluid: float

    @classmethod
    def of(cls, slab: Conditions, *, n: int, cfl: float, plain: bool) -> Discretisation:
        """The discretisation of a slab by n cells."""
        dx = slab.length / n
        steps = math.ceil(END_S / (cfl * dx * dx / (2 * slab.diffusivity)))
        dt = END_S / steps
        film = 1 / slab.film if plain else 1 / slab.film + dx / (2 * slab.conductivity)
        return cls(
            unknowns=n + plain,
            steps=steps,
            dt=dt,
            conductance=slab.conductivity / dx,
            wall=1 / film,
            weight=dt / (slab.density * slab.heat_capacity * dx),
            halves=plain,
            fluid=slab.fluid,
        )

    def flux(self, temperatures: Array) -> float:
        """Heat flux out of the slab into the fluid, in W/m2."""
        return self.wall * (float(temperatures[0]) - self.fluid)

    def mean(self, temperatures: Array) -> float:
        """Mean temperature of the slab."""
        if not self.halves:
            return float(temperatures.sum()) / self.unknowns
        inner = float(temperatures[1:-1].sum())
        ends = float(temperatures[0] + temperatures[-1]) / 2
        return (inner + ends) / (self.unknowns - 1)

    def frame_steps(self) -> tuple[int, ...]:
        """Steps at which frames are taken: the first at or after each frame's time."""
        return tuple(sorted({-(-i * self.steps // FRAMES) for i in range(1, FRAMES + 1)}))


def march(grid: Discretisation, temperatures: Array, steps: int) -> None:
    """Do explicit steps, in place."""
    fluxes = np.zeros(grid.unknowns + 1)  # in the direction of x; the last stays zero: adiabatic
    inner = fluxes[1:-1]
    rise = np.empty(grid.unknowns)
    left, right = fluxes[:-1], fluxes[1:]
    near, far = temperatures[:-1], temperatures[1:]
    for _ in range(steps):
        np.subtract(near, far, out=inner)
        inner *= grid.conductance
        fluxes[0] = grid.wall * (grid.fluid - temperatures[0])
        np.subtract(left, right, out=rise)
        rise *= grid.weight
        if grid.halves:
            rise[0] *= 2
            rise[-1] *= 2
        temperatures += rise
