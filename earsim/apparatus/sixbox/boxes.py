"""Euler steps of two-basin overturning in six boxes, in Python or, with numba, compiled.

Equations and sources: ``docs/models/sixbox.md``. SI units throughout. Every function is plain
arithmetic on numbers and named tuples, so that `compiled` can translate all of them as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import cast

import numpy as np
import numpy.typing as npt

from earsim.apparatus.sixbox.ocean import (
    Basin,
    Boxes,
    Flows,
    Fresh,
    Marched,
    Ocean,
    Rates,
    Tally,
)
from earsim.apparatus.sixbox.seawater import density

# numba keeps what it compiled on disk until this very file changes: whatever may change of the
# equations, numbers included, stands here.

YEAR_S = 365 * 86400.0
"""A year, in seconds."""

OCEAN_DEPTH = 3700.0
GRAVITY = 9.8
PISTON = 100.0 / YEAR_S
"""Velocity at which surface temperatures are restored, m/s."""

FRONT = 0.1
"""Difference of density over which sinking gets easier, kg/m3."""

ASPECT_SOUTH = 25.0
"""Length of the southern front over its width, of the whole ocean."""

DEEP, INTERMEDIATE, SHALLOW = 3, 2, 1

Noise = npt.NDArray[np.float64]
"""What is added to the four freshwater fluxes, a row per step; no rows where there is no noise."""


def ratio(x: float, y: float) -> float:
    """A quotient that is infinite where the divisor is 0, as the compiled one is."""
    return x / y if y != 0.0 else math.inf


def flows(
    basin: Basin,
    ocean: Ocean,
    depth: float,
    rho_n: float,
    rho_l: float,
    rho_s: float,
    rho_d: float,
) -> Flows:
    """Volume fluxes of a basin by the depth of its pycnocline and the densities of its boxes."""
    buoyancy = GRAVITY * (rho_n - rho_l) / rho_n
    resistance = basin.friction * (1.5 - 0.5 * math.tanh((rho_n - rho_s) / FRONT))
    code = DEEP if rho_n > rho_s else (INTERMEDIATE if rho_n > rho_l else SHALLOW)
    across = ASPECT_SOUTH * basin.share * depth
    return Flows(
        ocean.mixing * across,
        basin.aspect * ocean.mixing * depth,
        ocean.eddies * across,
        ratio(ocean.diffusivity * basin.low_area, min(depth, OCEAN_DEPTH - depth)),
        buoyancy * depth * depth / resistance,
        1.0 if rho_n > rho_s else 0.0,
        code,
        GRAVITY * (rho_d - rho_l) / rho_l,
    )


def transport(
    fa: Flows,
    fp: Flows,
    ocean: Ocean,
    fresh: Fresh,
    exchange: float,
    na: float,
    np: float,
    s: float,
    la: float,
    lp: float,
    d: float,
) -> Rates:
    """What water carries of a tracer from box to box, by its six concentrations.

    Args:
        fa: volume fluxes of the Atlantic.
        fp: volume fluxes of the Pacific.
        ocean: for its wind and the exchange of the Southern Ocean.
        fresh: freshwater; what it adds to a surface box leaves it again for the deep one.
        exchange: of low-latitude water, from the Pacific to the Atlantic.
        na: concentration in nA, as the others in their boxes.
        np: in nP.
        s: in s.
        la: in lA.
        lp: in lP.
        d: in d.
    """
    over_a, over_p = abs(fa.sinking), abs(fp.sinking)
    carried = exchange * (lp if exchange > 0.0 else la)
    low_a = (
        ocean.a.share * ocean.ekman * s
        - (fa.eddies + over_a) * la
        + (1.0 - fa.deep) * over_a * na
        + fa.upwelling * d
        + fa.mix_south * (s - la)
        + fa.mix_north * (na - la)
        + carried
    )
    low_p = (
        ocean.p.share * ocean.ekman * s
        - (fp.eddies + over_p) * lp
        + (1.0 - fp.deep) * over_p * np
        + fp.upwelling * d
        + fp.mix_south * (s - lp)
        + fp.mix_north * (np - lp)
        - carried
    )
    south = (
        (fa.eddies + fa.mix_south) * (la - s)
        + (fp.eddies + fp.mix_south) * (lp - s)
        + (ocean.ekman + ocean.southern) * (d - s)
    )
    deep = (
        fa.deep * fa.sinking * na
        + fp.deep * fp.sinking * np
        - (fa.upwelling + fp.upwelling + ocean.ekman + ocean.southern) * d
        + (fa.eddies + fp.eddies + ocean.southern + fresh.south) * s
        + fresh.north_a * na
        + fresh.north_p * np
    )
    north_a = (over_a + fa.mix_north) * (la - na)
    north_p = (over_p + fp.mix_north) * (lp - np)
    return Rates(south, north_a, north_p, low_a, low_p, deep)


def deep_volume(y: Boxes, o: Ocean) -> float:
    """Volume of the deep box, m3: all that the others leave."""
    north = o.a.north_area + o.p.north_area + o.south_area
    low = o.a.low_area * y.depth_a + o.p.low_area * y.depth_p
    return OCEAN_DEPTH * o.area - o.layer * north - low


def circulation(y: Boxes, o: Ocean) -> tuple[Flows, Flows]:
    """Volume fluxes of the Atlantic and the Pacific."""
    rho_s, rho_d = density(y.t_s, y.s_s), density(y.t_d, y.s_d)
    rho_na, rho_np = density(y.t_na, y.s_na), density(y.t_np, y.s_np)
    rho_la, rho_lp = density(y.t_la, y.s_la), density(y.t_lp, y.s_lp)
    return (
        flows(o.a, o, y.depth_a, rho_na, rho_la, rho_s, rho_d),
        flows(o.p, o, y.depth_p, rho_np, rho_lp, rho_s, rho_d),
    )


def step(y: Boxes, o: Ocean, fa: Flows, fp: Flows, f: Fresh) -> Boxes:
    """The boxes after one explicit Euler step."""
    dt, a, p = o.dt, o.a, o.p
    push = fp.lightness * y.depth_p * y.depth_p - fa.lightness * y.depth_a * y.depth_a
    x = push / o.between_friction
    ts = transport(fa, fp, o, f, x, y.t_na, y.t_np, y.t_s, y.t_la, y.t_lp, y.t_d)
    ss = transport(fa, fp, o, f, x, y.s_na, y.s_np, y.s_s, y.s_la, y.s_lp, y.s_d)
    net_a = a.share * (o.ekman - f.south) - fa.eddies - fa.deep * fa.sinking + fa.upwelling
    net_p = p.share * (o.ekman - f.south) - fp.eddies - fp.deep * fp.sinking + fp.upwelling
    net_a += x - f.north_a - f.between
    net_p += f.between - x - f.north_p
    low_a, low_p = a.low_area * y.depth_a, p.low_area * y.depth_p
    new_a, new_p = low_a + dt * net_a, low_p + dt * net_p
    deep = deep_volume(y, o)
    new_d = deep - dt * (net_a + net_p)
    r, north_a, north_p = dt / o.layer, dt / (o.layer * a.north_area), dt / (o.layer * p.north_area)
    south = dt / (o.layer * o.south_area)
    warm_a = a.low_area * PISTON * (a.low_target - y.t_la)
    warm_p = p.low_area * PISTON * (p.low_target - y.t_lp)
    return Boxes(
        new_a / a.low_area,
        new_p / p.low_area,
        y.t_na + north_a * ts.north_a + r * PISTON * (a.north_target - y.t_na),
        y.t_np + north_p * ts.north_p + r * PISTON * (p.north_target - y.t_np),
        y.t_s + south * ts.south + r * PISTON * (o.south_target - y.t_s),
        ratio(low_a * y.t_la + dt * (ts.low_a + warm_a), new_a),
        ratio(low_p * y.t_lp + dt * (ts.low_p + warm_p), new_p),
        ratio(deep * y.t_d + dt * ts.deep, new_d),
        y.s_na + north_a * (ss.north_a - f.north_a * y.s_na),
        y.s_np + north_p * (ss.north_p - f.north_p * y.s_np),
        y.s_s + south * (ss.south - f.south * y.s_s),
        ratio(low_a * y.s_la + dt * ss.low_a, new_a),
        ratio(low_p * y.s_lp + dt * ss.low_p, new_p),
        ratio(deep * y.s_d + dt * ss.deep, new_d),
    )


def counted(t: Tally, a: Flows, p: Flows) -> Tally:
    """A tally with one step more."""
    return Tally(
        t.sinking_a + a.sinking,
        t.sinking_p + p.sinking,
        t.deep_a + (1 if a.code == DEEP else 0),
        t.intermediate_a + (1 if a.code == INTERMEDIATE else 0),
        t.shallow_a + (1 if a.code < INTERMEDIATE else 0),
        t.deep_p + (1 if p.code == DEEP else 0),
        t.intermediate_p + (1 if p.code == INTERMEDIATE else 0),
        t.shallow_p + (1 if p.code < INTERMEDIATE else 0),
    )


def finite(y: Boxes) -> bool:
    """Whether no number of a state is infinite or NaN."""
    total = 0.0
    for value in y:
        total += value - value
    return total == 0.0


def plain(
    y: Boxes,
    ocean: Ocean,
    fresh: Fresh,
    noise: Noise,
    first: int,
    last: int,
    tail: int,
    tally: Tally,
) -> Marched:
    """Euler steps from one number of steps to another, or to the last finite state.

    Args:
        y: the boxes after `first` steps.
        ocean: what stays as it is.
        fresh: freshwater fluxes without noise.
        noise: of these steps.
        first: steps done.
        last: steps to have done.
        tail: steps after which the tally begins.
        tally: so far.
    """
    now = fresh
    for i in range(first, last):
        a, p = circulation(y, ocean)
        if len(noise) > 0:
            k = i - first
            now = Fresh(
                fresh.south + float(noise[k, 0]),
                fresh.north_a + float(noise[k, 1]),
                fresh.north_p + float(noise[k, 2]),
                fresh.between + float(noise[k, 3]),
            )
        new = step(y, ocean, a, p, now)
        if not finite(new):
            return Marched(y, i, tally, True)
        if i >= tail:
            tally = counted(tally, a, p)
        y = new
    return Marched(y, last, tally, False)


March = Callable[[Boxes, Ocean, Fresh, Noise, int, int, int, Tally], Marched]


@cache
def compiled() -> March:
    """`plain` as numba translates it, with the operations of floating point in the same order.

    Raises:
        ModuleNotFoundError: numba is not installed (extra ``fast``).
    """
    from numba import njit
    from numba.extending import register_jitable

    parts = (density, ratio, flows, transport, deep_volume, circulation, step, counted, finite)
    for function in parts:
        register_jitable(error_model="numpy")(function)
    try:
        return cast(March, njit(error_model="numpy", cache=True)(plain))
    except RuntimeError:  # there is no folder that could be written to
        return cast(March, njit(error_model="numpy")(plain))


@cache
def march() -> March:
    """The fastest way to do steps that is installed."""
    return compiled() if find_spec("numba") else plain
