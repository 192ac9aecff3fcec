"""States at the faces of cells, from limited slopes of the conserved variables.

`printed` takes U_L = U_j + (1 + k)/4 psi(r_j) (U_j+1 - U_j) and its mirror image, as CAED-Agent
prints it: k = -1 is first order. `kappa` is the usual scheme, which adds
(1 - k)/4 psi(1/r_j) (U_j - U_j-1): as psi(r) = r psi(1/r), it equals `printed` with k = 1 for
every k. r_j is (U_j - U_j-1)/(U_j+1 - U_j), and 0 where the denominator vanishes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from earsim.apparatus.euler1d.gas import Array, Gas

FLAT = 1e-14
"""Differences below this have no ratio."""


class Scheme(NamedTuple):
    """How states at faces are made.

    Attributes:
        k: weight of the two differences, -1 to 1.
        beta: of the limiter: 1 is minmod, 2 is superbee.
        kappa: the usual scheme instead of the printed one.
    """

    k: float
    beta: float
    kappa: bool

    @property
    def first_order(self) -> bool:
        """All slopes vanish."""
        return self.k == -1 and not self.kappa


def limiter(ratio: Array, beta: float) -> Array:
    """Psi, from minmod (beta 1) to superbee (beta 2)."""
    inner = np.maximum(np.minimum(beta * ratio, 1), np.minimum(ratio, beta))
    return np.maximum(0, inner)


def faces(conserved: Array, scheme: Scheme) -> tuple[Gas, Gas]:
    """The gas on the left and on the right of each of the n + 1 faces; end cells are copied."""
    if scheme.first_order:
        gas = Gas.of(_padded(conserved, 1))
        return Gas(*(of[:-1] for of in gas)), Gas(*(of[1:] for of in gas))
    padded = _padded(conserved, 2)
    jumps = np.diff(padded, axis=1)
    behind, ahead = jumps[:, :-1], jumps[:, 1:]
    forward = _slope(behind, ahead, scheme.beta)
    backward = _slope(ahead, behind, scheme.beta)
    main, other = (1 + scheme.k) / 4, (1 - scheme.k) / 4 if scheme.kappa else 0.0
    cells = padded[:, 1:-1]
    at_right = cells + main * forward + other * backward
    at_left = cells - main * backward - other * forward
    return Gas.of(at_right[:, :-1]), Gas.of(at_left[:, 1:])


def _padded(conserved: Array, cells: int) -> Array:
    """The end cells copied outwards; a tenth of the time of `numpy.pad`."""
    first, last = conserved[:, :1], conserved[:, -1:]
    return np.concatenate([first] * cells + [conserved] + [last] * cells, axis=1)


def _slope(difference: Array, over: Array, beta: float) -> Array:
    """Psi(difference / over) times over."""
    steep = np.abs(over) >= FLAT
    ratio = np.where(steep, difference / np.where(steep, over, 1), 0)
    return limiter(ratio, beta) * over
